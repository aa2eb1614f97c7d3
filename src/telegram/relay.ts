import type { Api } from 'grammy'
import { isPublic } from '../channels/telegram.ts'
import { faultOf } from '../channels/telegram-api.ts'
import type { Dependencies } from '../commands/context.ts'
import type { ArcMessage } from '../contracts/arc.ts'
import { escaped, telegramHtml } from '../markup/telegram-html.ts'
import { channelGone } from '../store/agenda/channels.ts'
import { readEvents, type StoredEvent } from '../store/spine/events.ts'
import { type Chat, chatOfChannel } from '../store/telegram/chats.ts'
import {
  messageToThread,
  questionSettled,
  rememberMessages,
  staleQuestions,
} from '../store/telegram/messages.ts'
import {
  RELAYS,
  type Relay,
  relays,
  relaysBehind,
  type Telling,
  tellingOf,
  toldUpTo,
} from '../store/telegram/relays.ts'
import { labelOf, type Shown, type ShownQuestion, showQuestion } from './question-view.ts'
import { sendPieces, takeButtons, thumbsUp } from './send.ts'
import { wordsIn } from './words.ts'

/** An announcement may be lost with its connection: so often the store is asked who is behind. */
const LOOK_EVERY_MS = 15_000
const SHORTEST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000
const BATCH = 50

/**
 * Tells chats what happens in the arcs that they have taken up: messages in the order of the arc's events, each at least
 * once, and the cursor stored behind each. Runs until `ended` is aborted, in one process at a time.
 */
export async function runRelay(
  dependencies: Dependencies,
  api: Api,
  ended: AbortSignal,
): Promise<void> {
  const { db, events, log } = dependencies
  const running = new Map<string, Promise<void>>()
  const wanted = new Set<string>()
  const watched = new Map<string, () => void>()

  /** One at a time for each chat; what comes meanwhile is looked at afterwards. */
  const wake = (channelId: string): void => {
    wanted.add(channelId)
    if (running.has(channelId) || ended.aborted) return
    const run = (async () => {
      while (wanted.delete(channelId) && !ended.aborted) {
        await tellChat(dependencies, api, channelId, ended)
      }
    })().finally(() => {
      running.delete(channelId)
      if (wanted.has(channelId)) wake(channelId)
    })
    running.set(channelId, run)
  }

  const look = async (): Promise<void> => {
    try {
      const known = await relays(db)
      const arcs = Map.groupBy(known, ({ arcId }) => arcId)
      for (const [arcId, stop] of watched) {
        stop()
        if (!arcs.has(arcId)) watched.delete(arcId)
      }
      for (const [arcId, chats] of arcs) {
        const stop = events.subscribe(arcId, ({ type }) => {
          if (type === 'stored') for (const { channelId } of chats) wake(channelId)
        })
        watched.set(arcId, stop)
      }
      for (const { channelId } of await relaysBehind(db)) wake(channelId)
    } catch (error) {
      log.warn({ err: error }, 'the relays of Telegram could not be read; trying again')
    }
  }

  const stopHearing = events.subscribe(RELAYS, () => void look())
  await look()
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  await new Promise<void>((resolve) => {
    if (ended.aborted) resolve()
    else ended.addEventListener('abort', () => resolve(), { once: true })
  })
  clearInterval(timer)
  stopHearing()
  for (const stop of watched.values()) stop()
  await Promise.all(running.values())
}

/** Tells a chat all that it has not been told of; what fails is tried again until it is told, or the chat is gone. */
async function tellChat(
  dependencies: Dependencies,
  api: Api,
  channelId: string,
  ended: AbortSignal,
): Promise<void> {
  const { db, log } = dependencies
  for (let pause = SHORTEST_PAUSE_MS; !ended.aborted; ) {
    try {
      const chat = await chatOfChannel(db, channelId)
      if (!chat) return
      const behind = await relaysBehind(db, channelId)
      if (behind.length === 0) return
      for (const relay of behind) await tellArc({ dependencies, api, chat, relay, ended })
      pause = SHORTEST_PAUSE_MS
    } catch (error) {
      if (ended.aborted) return
      const { kind, message, retryAfterMs } = faultOf(error)
      if (kind === 'gone') {
        await channelGone(db, channelId, message).catch(() => {})
        return
      }
      log.warn({ fault: message }, 'a chat could not be told; trying again')
      await waitFor(retryAfterMs ?? pause, ended)
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
    }
  }
}

/** Resolves after so many milliseconds, or once it is ended. */
export function waitFor(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ended.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      ended.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    ended.addEventListener('abort', done)
  })
}

interface Telltale {
  dependencies: Dependencies
  api: Api
  chat: Chat
  relay: Relay
  ended: AbortSignal
}

async function tellArc(telling: Telltale): Promise<void> {
  const { dependencies, relay, ended } = telling
  const { db } = dependencies
  const stored = await readEvents(db, relay.arcId, relay.told, BATCH)
  for (const event of stored) {
    if (ended.aborted) return
    if (event.type === 'message') await tellMessage(telling, event)
    else if (event.type === 'question') {
      await settleQuestions(telling, (event.data as ShownQuestion | null)?.id ?? null)
    }
  }
  const last = stored.at(-1)
  if (last) await toldUpTo(db, relay, last.seq)
}

/** A message of the tutor's, with its buttons; the cursor moves on with it. */
async function tellMessage(telltale: Telltale, { seq, data }: StoredEvent): Promise<void> {
  const { dependencies, api, chat, relay, ended } = telltale
  const { db, config, log } = dependencies
  const message = data as ArcMessage
  if (message.role === 'learner') return
  const telling = await tellingOf(db, relay, message.id, seq)
  if (!telling?.isTold) return
  const thread =
    telling.isFirst && telling.asked ? await messageToThread(db, chat, telling.asked) : null
  const shown = showMessage(message, telling.kind, chat, config.pageUrl)
  const pieces = headed(shown.pieces, headOf(telling, thread))
  if (telling.isRight && telling.asked) {
    const marked = thread ?? (await messageToThread(db, chat, telling.asked))
    if (marked) await thumbsUp(api, chat.chatId, marked.messageId, ended)
  }
  let sent: number[] = []
  try {
    const replyTo = thread?.messageId ?? null
    sent = await sendPieces(api, chat.chatId, { pieces, buttons: shown.buttons, replyTo }, ended)
  } catch (error) {
    const { kind, message: why } = faultOf(error)
    if (kind !== 'refused') throw error
    // It would be refused for ever, and nothing after it told.
    log.error({ fault: why, messageId: message.id }, 'Telegram refuses a message; it is left out')
  }
  await db.transaction().execute(async (trx) => {
    await rememberMessages(
      trx,
      chat,
      sent.map((messageId) => ({
        messageId,
        arcId: relay.arcId,
        arcMessageId: message.id,
        questionId: message.questionId ?? null,
        fromLearner: false,
      })),
    )
    await toldUpTo(trx, relay, seq)
  })
}

/** A message as the chat shows it; `kind` is that of the question that it asks. */
function showMessage(
  message: ArcMessage,
  kind: Telling['kind'],
  chat: Chat,
  pageUrl: string,
): Shown {
  const words = wordsIn(chat.language)
  const { card, questionId: id, text, role } = message
  if (card?.type === 'QUESTION' && id && kind) {
    const { options, program } = card as Pick<ShownQuestion, 'options' | 'program'>
    const more = { ...(options ? { options } : {}), ...(program ? { program } : {}) }
    return showQuestion({ id, kind, text, ...more }, words)
  }
  const pieces = telegramHtml(text)
  if (card?.type === 'PRACTICE')
    pieces.push(isPublic(pageUrl) ? link(words.practice, pageUrl) : words.practice)
  return { pieces: role === 'system' ? pieces.map((piece) => `ℹ️ ${piece}`) : pieces, buttons: null }
}

const link = (label: string, url: string): string => `<a href="${escaped(url)}">${label}</a>`

/** What the learner chose by a button, which the chat does not show, and whether that was right. */
function headOf(telling: Telling, thread: { fromLearner: boolean } | null): string {
  const { asked, options, isFirst, isRight } = telling
  const chosen =
    isFirst && asked && !thread?.fromLearner && options?.find(({ id }) => id === asked.text)
  return [isRight ? '✅' : '', chosen ? `<i>${escaped(labelOf(chosen))}</i>` : '']
    .filter(Boolean)
    .join(' ')
}

function headed([first, ...rest]: string[], head: string): string[] {
  if (head === '' || first === undefined) return first === undefined ? [] : [first, ...rest]
  const whole = head === '✅' ? `✅ ${first}` : `${head}\n\n${first}`
  return whole.length < 4_096 ? [whole, ...rest] : [head, first, ...rest]
}

/** Questions that are not open any more lose their buttons, wherever they were answered. */
async function settleQuestions(
  { dependencies, api, chat, relay, ended }: Telltale,
  openQuestionId: string | null,
): Promise<void> {
  const { db } = dependencies
  for (const messageId of await staleQuestions(db, chat, relay.arcId, openQuestionId)) {
    await takeButtons(api, chat.chatId, messageId, ended)
    await questionSettled(db, chat, messageId)
  }
}
