import type { Draft } from '../../src/client/arc-event.ts'
import type { ArcMessage, ArcView, PendingQuestion } from '../../src/contracts/arc.ts'
import type { Outgoing } from '../device/outgoing.ts'

export interface Option {
  id: string
  text: string
}

/**
 * What the timeline shows: stored messages, without what stands in the question panel. A message that replaces another
 * stands in its place.
 */
export function shownMessages(
  messages: readonly ArcMessage[],
  open: PendingQuestion | null,
): ArcMessage[] {
  const known = new Set(messages.map(({ id }) => id))
  const later = new Map(messages.map((message) => [message.replaces, message]))
  const isOpen = (message: ArcMessage) =>
    open !== null && message.role === 'tutor' && message.questionId === open.id
  return messages
    .filter(({ replaces }) => replaces === undefined || !known.has(replaces))
    .map((message) => {
      let newest = message
      for (let next = later.get(newest.id); next; next = later.get(newest.id)) newest = next
      return newest
    })
    .filter((message) => !isOpen(message))
}

/** What a message that was written again said before, the latest of it first, by the id of the newest. */
export function earlierVersions(messages: readonly ArcMessage[]): Map<string, string[]> {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const versions = new Map<string, string[]>()
  for (const { id, replaces } of messages) {
    const before = replaces === undefined ? undefined : byId.get(replaces)
    if (before) versions.set(id, [before.text, ...(versions.get(before.id) ?? [])])
  }
  return versions
}

/** The tutor's last lesson or answer to a question of the learner's own, which can be written again. */
export const rewritableMessage = (shown: readonly ArcMessage[]): string | null =>
  shown.findLast(({ card }) => card?.type === 'WRITTEN')?.id ?? null

/** Outgoing messages that the server has not told back yet. */
export function unsettled(
  outgoing: readonly Outgoing[],
  messages: readonly ArcMessage[],
): Outgoing[] {
  const known = new Set(messages.map((message) => message.id))
  return outgoing.filter(({ messageId }) => !known.has(messageId))
}

/** The practice session that a message hands over, or null. */
export const practiceOf = ({ card }: ArcMessage): string | null =>
  card?.type === 'PRACTICE' && typeof card.sessionId === 'string' ? card.sessionId : null

/** The concept that a message says is learned, or null. */
export const learnedIn = ({ card }: ArcMessage): string | null =>
  card?.type === 'LEARNED' && typeof card.nodeId === 'string' ? card.nodeId : null

/** Whether a message asks a question for the second time: its text stands above. */
export const isSecondTry = ({ card }: ArcMessage): boolean =>
  card?.type === 'QUESTION' && card.attempt === 2

/** The options of a question that was asked in a message; empty where it had none. */
export function optionsOf(message: ArcMessage): Option[] {
  const options = message.card?.type === 'QUESTION' ? message.card.options : null
  return Array.isArray(options) ? (options as Option[]) : []
}

/** The last thing the learner said to each question, by question id. */
export function answersByQuestion(messages: readonly ArcMessage[]): Map<string, string> {
  const answers = new Map<string, string>()
  for (const { role, questionId, text } of messages) {
    if (role === 'learner' && questionId !== undefined) answers.set(questionId, text)
  }
  return answers
}

export const isTerminal = (arc: Pick<ArcView, 'phase'>): boolean =>
  arc.phase === 'COMPLETED' || arc.phase === 'ABANDONED'

/** Whether a message is with the tutor or just about to be, and not held up on this device. */
export const isUnderWay = ({ state, trouble }: Outgoing, isOnline: boolean): boolean =>
  state === 'sent' || (state === 'waiting' && isOnline && trouble === undefined)

/** Whether the tutor is at work, so that the learner only has to wait. */
export function isWorking(
  arc: ArcView,
  messages: readonly ArcMessage[],
  outgoing: readonly Outgoing[],
  draft: Draft | null,
  isOnline = true,
): boolean {
  if (isTerminal(arc) || arc.blocked) return false
  if (draft || outgoing.some((message) => isUnderWay(message, isOnline))) return true
  if (outgoing.some(({ state }) => state === 'waiting')) return false
  if (messages.at(-1)?.role === 'learner') return true
  if (arc.paused || arc.resting) return false
  return arc.pendingQuestion === null && arc.phase !== 'REVIEWING'
}

/** The message with the verdict on the learner's last answer, as long as that can be contested: nothing was said since. */
export function contestableVerdict(messages: readonly ArcMessage[]): string | null {
  const last = messages.findLastIndex(({ role }) => role === 'learner')
  return messages.slice(last + 1).find(({ card }) => card?.type === 'CONTESTABLE')?.id ?? null
}
