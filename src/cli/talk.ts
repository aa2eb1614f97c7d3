import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArcClient } from '../client/arc-client.ts'
import { isPassing, isProblem } from '../client/problem.ts'
import type { ArcMessage, ArcView, SendMessage } from '../contracts/arc.ts'
import { mapText, messageText, optionsOf, optionsText, questionText, wayBack } from './arc-text.ts'
import { HELP, readChatCommand } from './commands.ts'
import { dateWords, progressLine, type Stage, stageOf, timeUntil, workWords } from './progress.ts'
import { renderMarkdown } from './render-markdown.ts'
import type { Screen } from './screen.ts'
import { oneLine } from './terminal-text.ts'
import { programText, writeProgram } from './write-program.ts'

/** One conversation as it stands in the terminal. */
export interface Talk {
  readonly client: ArcClient
  readonly screen: Screen
  arc: ArcView
  /** The newest message that is shown, and the newest of these that is not the learner's. */
  last: ArcMessage | undefined
  lastSpoken: ArcMessage | undefined
  /** Messages written here, which stand in the terminal already. */
  own: Set<string>
  /** The stage at which it was said last why nothing is asked. */
  announced: Stage | null
  blockedSince: number | null
  /** The lines of a program that is being written here, and the question that it answers. */
  program: { questionId: string; lines: string[]; sent: string | null } | null
}

const SHOWN_AGAIN = 4
/** A review further away than this is not waited for. */
const LONGEST_WAIT_MS = 3_600_000
const BLOCKED_PATIENCE_MS = 60_000
const LAST_WORDS_MS = 1_500

/** Shows where an arc was left; a new one speaks for itself. */
export async function openTalk(
  client: ArcClient,
  screen: Screen,
  arcId: string,
  isNew: boolean,
): Promise<Talk> {
  const arc = await client.arc(arcId)
  const talk: Talk = {
    ...{
      client,
      screen,
      arc,
      own: new Set<string>(),
      announced: null,
      blockedSince: null,
      program: null,
    },
    ...{ last: undefined, lastSpoken: undefined },
  }
  if (isNew) return talk
  screen.print(
    `Continuing where you left off with ${screen.page().style.strong(oneLine(arc.topic))} …`,
  )
  const messages = await client.messages(arcId, null)
  const shown = messages.slice(-SHOWN_AGAIN)
  print(talk, shown)
  const { pendingQuestion: question } = arc
  if (question && !shown.some(({ questionId }) => questionId === question.id)) {
    screen.print(questionText(question, screen.page()))
    talk.lastSpoken = undefined
  }
  return talk
}

/**
 * Reads what is new, shows it, and says where the arc stands. The messages are read first: with those of a later moment
 * than the arc, the next line would answer the question that has just been closed.
 */
export async function look(talk: Talk): Promise<Stage> {
  const { client, arc } = talk
  const messages = await client.messages(arc.arcId, talk.last?.id ?? null)
  talk.arc = await client.arc(arc.arcId)
  print(talk, messages)
  return stageOf(talk.arc, talk.last, Date.now())
}

function print(talk: Talk, messages: readonly ArcMessage[]): void {
  for (const message of messages) {
    talk.last = message
    if (message.role !== 'learner') talk.lastSpoken = message
    if (!talk.own.has(message.id)) talk.screen.print(messageText(message, talk.screen.page()))
  }
}

/** What ends the chat at this stage, said in a sentence; null when it goes on. */
export async function endOf(talk: Talk, stage: Stage): Promise<0 | 1 | null> {
  const { screen, arc, client } = talk
  talk.blockedSince = stage === 'blocked' ? (talk.blockedSince ?? Date.now()) : null
  if (stage === 'done') {
    await sleep(LAST_WORDS_MS)
    print(talk, await client.messages(arc.arcId, talk.last?.id ?? null))
    screen.print(progressLine(arc, screen.page()))
    return 0
  }
  const dueAt = arc.nextReviewAt === null ? null : Date.parse(arc.nextReviewAt)
  if (stage === 'asleep' && dueAt !== null && dueAt - Date.now() > LONGEST_WAIT_MS) {
    const inTime = timeUntil(dueAt - Date.now())
    screen.print(`The next review is on ${dateWords(dueAt)}, ${inTime}. ${placeKept(arc)}`)
    return 0
  }
  if (screen.isInteractive || stage === 'working') return null
  if (screen.hasEnded() || isBlockedTooLong(talk)) {
    const why = renderMarkdown(standing(stage, arc), screen.page())
    screen.print([why, placeKept(arc)].filter(Boolean).join('\n\n'))
    return stage === 'blocked' ? 1 : 0
  }
  return null
}

const isBlockedTooLong = ({ blockedSince }: Talk): boolean =>
  blockedSince !== null && Date.now() - blockedSince > BLOCKED_PATIENCE_MS

/** Whether a line is for now: what is piped in waits for the question that it answers. */
export function mayTake({ screen }: Talk, stage: Stage): boolean {
  return stage === 'asking' || stage === 'paused' || (screen.isInteractive && stage !== 'working')
}

/** Shows what the learner can do: wait, or write. */
export function show(talk: Talk, stage: Stage, draft: string): void {
  const { screen, arc, last, lastSpoken } = talk
  if (stage === 'working') {
    screen.working(draft ? 'Writing' : workWords(arc, last), draft)
    return
  }
  const why = standing(stage, arc)
  if (stage !== talk.announced && why !== '') screen.print(renderMarkdown(why, screen.page()))
  talk.announced = stage
  const options = arc.pendingQuestion?.options
  if (stage === 'asking' && options && lastSpoken && optionsOf(lastSpoken).length === 0) {
    screen.print(optionsText(options, screen.page()))
    talk.lastSpoken = undefined
  }
  const { pendingQuestion: question } = arc
  if (stage === 'asking' && question?.program && talk.program?.questionId !== question.id) {
    talk.program = { questionId: question.id, lines: [], sent: null }
    screen.print(programText(question.program, screen))
  }
  screen.invite(progressLine(arc, screen.page()))
}

/** Why nothing is asked, in a sentence; empty where something is. */
function standing(stage: Stage, arc: ArcView): string {
  switch (stage) {
    case 'blocked':
      return `Held up: ${(arc.blocked?.reason ?? '').replace(/[.\s]+$/, '')}. It is tried again by itself.`
    case 'paused':
      return `${arc.resting ? 'Enough for now' : 'Paused'}. Write anything to go on.`
    case 'asleep': {
      if (arc.nextReviewAt === null) return 'Nothing is due.'
      const dueAt = Date.parse(arc.nextReviewAt)
      return `Nothing is open now; the next review comes ${timeUntil(dueAt - Date.now())} (${dateWords(dueAt)}).`
    }
    default:
      return ''
  }
}

/** Does what a line says. */
export async function take(talk: Talk, line: string): Promise<'quit' | 'goes on'> {
  const { screen, client, arc } = talk
  const written = await writeProgram(talk, line)
  if (written === 'more') return 'goes on'
  if (written !== null) {
    await send(talk, written)
    return 'goes on'
  }
  const said = line.trim()
  if (said === '') return 'goes on'
  if (!screen.isInteractive) screen.print(`> ${said}`)
  const command = readChatCommand(said)
  switch (command?.type) {
    case 'quit':
      screen.print(placeKept(arc))
      return 'quit'
    case 'help':
      screen.print(HELP)
      break
    case 'unknown':
      screen.print(`There is no command /${command.name}; /help lists what there is.`)
      break
    case 'map':
      screen.print(mapText(arc, await client.mindMap(arc.arcId), screen.page(), Date.now()))
      break
    default:
      await send(talk, command?.message ?? { text: said })
  }
  return 'goes on'
}

/** The message has its id from here, so that it counts once however often it has to be sent. */
async function send(talk: Talk, message: Pick<SendMessage, 'text' | 'action'>): Promise<void> {
  const { client, screen, arc, own } = talk
  const messageId = randomUUID()
  const questionId = arc.pendingQuestion?.id
  own.add(messageId)
  screen.working('Sending')
  try {
    await client.send(arc.arcId, { messageId, ...message, ...(questionId ? { questionId } : {}) })
  } catch (error) {
    if (!isProblem(error) || isPassing(error)) throw error
    screen.print(renderMarkdown(error.message, screen.page()))
  }
}

/** The sentence that closes a chat before its arc is over. */
export const placeKept = ({ topic }: Pick<ArcView, 'topic'>): string =>
  `Your place is kept: ${wayBack(topic)}`
