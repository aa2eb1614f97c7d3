import type { Api } from 'grammy'
import { InlineKeyboard } from 'grammy'
import { arcButton } from '../channels/telegram.ts'
import { asSignal } from '../channels/telegram-api.ts'
import { beginArc } from '../commands/arc/arcs.ts'
import { sendMessage } from '../commands/arc/messages.ts'
import type { Actor, Dependencies } from '../commands/context.ts'
import { Problem } from '../commands/problem.ts'
import { type ArcPhase, CreateArc, SendMessage } from '../contracts/arc.ts'
import { isUuid } from '../contracts/text.ts'
import { isTerminal } from '../domain/arc/phase.ts'
import { derivedId } from '../domain/spine/ids.ts'
import { escaped, plainLine } from '../markup/telegram-html.ts'
import {
  type ArcRow,
  findArc,
  isAnswering,
  listArcs,
  readPendingQuestion,
} from '../store/arc/arcs.ts'
import { arcOfNotice, type Chat } from '../store/telegram/chats.ts'
import {
  findMessage,
  isShown,
  lastShownQuestion,
  rememberMessages,
} from '../store/telegram/messages.ts'
import { askedQuestion, isChosen, isJustSaid } from '../store/telegram/questions.ts'
import { currentArc, isOnItsWay, takeUp, takeUpNew } from '../store/telegram/relays.ts'
import { labelOf, type QuestionAction, type Shown, showQuestion } from './question-view.ts'
import { sendPieces } from './send.ts'
import { type Words, wordsIn } from './words.ts'

const MOST_TOPICS = 20
const LONGEST_BUTTON = 60

/** What a button that begins a course carries back. */
const courseButton = (courseId: string): string => `new:${courseId}`
const fitsButton = (data: string): boolean => Buffer.byteLength(data) <= 64

/** An update of a linked chat, and what answers it. */
export interface Turn {
  dependencies: Dependencies
  api: Api
  chat: Chat
  /** Tells updates apart for good: a repeated one has the same. */
  updateKey: string
  signal: AbortSignal
}

/** A text as it came. */
export interface Said {
  messageId: number
  text: string
  /** The message that it replies to. */
  repliesTo: number | null
}

const actorOf = ({ chat }: Turn): Actor => ({ learner: chat.learner, roles: ['learner'] })
const wordsOf = ({ chat }: Turn): Words => wordsIn(chat.language)

/** Says something of the bot's own, with buttons below it. */
export async function say(
  turn: Turn,
  text: string,
  buttons: InlineKeyboard | null = null,
): Promise<void> {
  await sendPieces(turn.api, turn.chat.chatId, { pieces: [text], buttons }, turn.signal)
}

/** The learner says something: it goes to the arc of the message that it replies to, else to the one in hand. */
export async function takeText(turn: Turn, said: Said): Promise<void> {
  const { dependencies, chat } = turn
  const { db } = dependencies
  const routed = (await routeOf(turn, said)) ?? (await onlyArc(turn))
  if (!routed) return
  const { arcId, questionId } = routed
  await takeUp(db, chat, arcId)
  // What was routed once is routed so for good: a repeat of the update finds it.
  await rememberMessages(db, chat, [
    {
      messageId: said.messageId,
      arcId,
      arcMessageId: turn.updateKey,
      questionId,
      fromLearner: true,
    },
  ])
  const isTaken = await toArc(turn, arcId, {
    text: said.text,
    ...(questionId ? { questionId } : {}),
  })
  if (isTaken) await showUnseen(turn, arcId)
}

interface Route {
  arcId: string
  questionId: string | null
}

async function routeOf(turn: Turn, { messageId, repliesTo }: Said): Promise<Route | null> {
  const { dependencies, chat } = turn
  const { db } = dependencies
  const known = await findMessage(db, chat, messageId)
  if (known) return known
  if (repliesTo !== null) {
    const replied = await findMessage(db, chat, repliesTo)
    if (replied) {
      const { arcId, questionId } = replied
      return { arcId, questionId: questionId ?? (await questionInHand(turn, arcId)) }
    }
    const noticed = await arcOfNotice(db, chat, repliesTo)
    if (noticed) return { arcId: noticed, questionId: await questionInHand(turn, noticed) }
  }
  const current = await currentArc(db, chat)
  if (!current) return null
  return { arcId: current.arcId, questionId: await questionInHand(turn, current.arcId) }
}

/**
 * The question that an answer is meant for: the one that the chat showed last, as long as the arc asks something or is
 * still at work on an answer.
 */
async function questionInHand({ dependencies, chat }: Turn, arcId: string): Promise<string | null> {
  const { db } = dependencies
  const arc = await findArc(db, arcId)
  if (!arc?.pending_question && !(await isAnswering(db, arcId))) return null
  return lastShownQuestion(db, chat, arcId)
}

/** The chat has not spoken with any arc yet: the only open one is shown, or the choice. */
async function onlyArc(turn: Turn): Promise<null> {
  const open = await openArcs(turn)
  if (open.length === 1 && open[0]) await chooseArc(turn, open[0].id)
  else await tellTopics(turn)
  return null
}

/** Sends a message to an arc; what it refuses is told. Returns whether it was taken. */
async function toArc(turn: Turn, arcId: string, message: Partial<SendMessage>): Promise<boolean> {
  const { dependencies, api, chat, updateKey, signal } = turn
  const sent = SendMessage.safeParse({ ...message, messageId: updateKey })
  if (!sent.success) {
    await say(turn, wordsOf(turn).onlyText)
    return false
  }
  try {
    await sendMessage(dependencies, actorOf(turn), arcId, sent.data, 0, 'telegram')
    await api.sendChatAction(chat.chatId, 'typing', {}, asSignal(signal)).catch(() => {})
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await say(turn, await refusalOf(turn, arcId, error))
    return false
  }
}

async function refusalOf(turn: Turn, arcId: string, problem: Problem): Promise<string> {
  const words = wordsOf(turn)
  if (problem.status === 404) return words.gone
  const arc = await findArc(turn.dependencies.db, arcId)
  return arc && isTerminal(arc.phase as ArcPhase)
    ? words.closed(titleOf(arc))
    : escaped(problem.message)
}

/** A question that was asked elsewhere, and that the chat was not told of, is shown: the answer may be about it. */
async function showUnseen(turn: Turn, arcId: string): Promise<void> {
  const { dependencies, chat } = turn
  const { db } = dependencies
  const arc = await findArc(db, arcId)
  const question = await readPendingQuestion(db, arc?.pending_question ?? null)
  if (!question || (await isShown(db, chat, question.id))) return
  // Its own event may still be on its way here.
  if (await isOnItsWay(db, chat, arcId)) return
  await tellShown(turn, arcId, showQuestion(question, wordsOf(turn)), question.id)
}

async function tellShown(
  { dependencies, api, chat, signal }: Turn,
  arcId: string,
  shown: Shown,
  questionId: string | null,
): Promise<void> {
  const sent = await sendPieces(api, chat.chatId, shown, signal)
  await rememberMessages(
    dependencies.db,
    chat,
    sent.map((messageId) => ({
      messageId,
      arcId,
      arcMessageId: null,
      questionId,
      fromLearner: false,
    })),
  )
}

/**
 * An option was tapped.
 * @returns what the tap is answered with
 */
export async function takeTap(turn: Turn, questionId: string, index: number): Promise<string> {
  const { dependencies, chat, updateKey } = turn
  const { db } = dependencies
  const words = wordsOf(turn)
  const question = isUuid(questionId) ? await askedQuestion(db, chat.learner.id, questionId) : null
  const option = question?.options[index]
  if (!question || !option) return words.gone
  if (await isChosen(db, { id: questionId, ...question }, updateKey)) return words.answered
  await takeUp(db, chat, question.arcId)
  await toArc(turn, question.arcId, { text: option.id, questionId })
  return labelOf(option)
}

/**
 * What else can be done about a question was tapped: a hint, or that the learner passes over it. Two taps within a moment
 * count once; about a question that is not open any more nothing is done.
 * @returns what the tap is answered with, and whether the question has done with its buttons
 */
export async function takeAction(
  turn: Turn,
  questionId: string,
  action: QuestionAction,
): Promise<{ text: string; isDone: boolean }> {
  const { dependencies, chat } = turn
  const { db } = dependencies
  const words = wordsOf(turn)
  const question = isUuid(questionId) ? await askedQuestion(db, chat.learner.id, questionId) : null
  if (!question) return { text: words.gone, isDone: true }
  if (!question.isOpen) return { text: words.notOpen, isDone: true }
  const said = words.action[action]
  if (action === 'hint' && (await isJustSaid(db, { id: questionId, ...question }, said)))
    return { text: said, isDone: false }
  await takeUp(db, chat, question.arcId)
  const times = action === 'hint' ? `-${question.hintsGiven}` : ''
  const once = { ...turn, updateKey: `telegram-${action}-${questionId}${times}` }
  await toArc(once, question.arcId, { text: said, action, questionId })
  return { text: said, isDone: action !== 'hint' }
}

/** The learner goes on with an arc here: what is open in it is shown. */
export async function chooseArc(turn: Turn, arcId: string): Promise<void> {
  const { dependencies, chat } = turn
  const { db } = dependencies
  const words = wordsOf(turn)
  const arc = isUuid(arcId) ? await findArc(db, arcId) : null
  if (arc?.learner_id !== chat.learner.id) return say(turn, words.gone)
  if (isTerminal(arc.phase as ArcPhase)) return say(turn, words.closed(titleOf(arc)))
  await takeUp(db, chat, arc.id)
  const question = await readPendingQuestion(db, arc.pending_question)
  const title = words.back(titleOf(arc))
  if (!question) return tellShown(turn, arc.id, plainly(`${title}\n\n${words.nothingOpen}`), null)
  const { pieces, buttons } = showQuestion(question, words)
  await tellShown(turn, arc.id, { pieces: [title, ...pieces], buttons }, question.id)
}

const plainly = (text: string): Shown => ({ pieces: [text], buttons: null })

/** The open topics, each on a button. */
export async function tellTopics(turn: Turn): Promise<void> {
  const words = wordsOf(turn)
  const open = await openArcs(turn)
  if (open.length === 0) return say(turn, words.noneOpen)
  const buttons = new InlineKeyboard()
  for (const arc of open) {
    const label = `${plainLine(arc.title ?? arc.topic)} · ${words.phase[arc.phase as ArcPhase]}`
    buttons.text(shortened(label), arcButton(arc.id)).row()
  }
  await say(turn, words.choose, buttons)
}

async function openArcs({ dependencies, chat }: Turn): Promise<ArcRow[]> {
  const all = await listArcs(dependencies.db, { learnerId: chat.learner.id, limit: 100 })
  return all
    .filter(({ phase, archived }) => !archived && !isTerminal(phase as ArcPhase))
    .slice(0, MOST_TOPICS)
}

/** Begins an arc on a topic, or says how; `courseId` where a course was chosen by its button. */
export async function beginTopic(turn: Turn, topic: string, courseId?: string): Promise<void> {
  const { dependencies, chat, updateKey } = turn
  const words = wordsOf(turn)
  if (topic === '') return say(turn, words.newHow, courseButtons(turn))
  const request = CreateArc.safeParse({ topic, ...(courseId ? { courseId } : {}) })
  if (!request.success) return say(turn, words.newHow, courseButtons(turn))
  try {
    const id = derivedId('telegram', updateKey)
    const arc = await beginArc(dependencies, actorOf(turn), request.data, id)
    await takeUpNew(dependencies.db, chat, arc.id)
    await tellShown(turn, arc.id, plainly(words.begun(titleOf(arc))), null)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await say(turn, words.notCovered, courseButtons(turn))
  }
}

/** Begins a course by its id. */
export async function beginCourse(turn: Turn, courseId: string): Promise<void> {
  const course = turn.dependencies.courses.find((one) => one.courseId === courseId)
  if (!course) return say(turn, wordsOf(turn).gone)
  await beginTopic(turn, course.title, courseId)
}

function courseButtons({ dependencies }: Turn): InlineKeyboard {
  const buttons = new InlineKeyboard()
  for (const { courseId, title } of dependencies.courses.slice(0, MOST_TOPICS)) {
    const data = courseButton(courseId)
    if (fitsButton(data)) buttons.text(shortened(plainLine(title)), data).row()
  }
  return buttons
}

const titleOf = ({ title, topic }: ArcRow): string => escaped(title ?? topic)

const shortened = (text: string): string =>
  [...text].length <= LONGEST_BUTTON ? text : `${[...text].slice(0, LONGEST_BUTTON - 1).join('')}…`
