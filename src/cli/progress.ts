import type { ArcMessage, ArcPhase, ArcView } from '../contracts/arc.ts'
import type { Page } from './render-markdown.ts'
import { cutTo, oneLine } from './terminal-text.ts'

/** What the learner can do now: answer, wait for the tutor, wait for a date, or nothing more. */
export type Stage = 'asking' | 'working' | 'asleep' | 'paused' | 'blocked' | 'done'

/** A due review opens by itself within this time; after it, something holds it back. */
const OPENS_WITHIN_MS = 30_000
/** A turn without a word of the tutor is no longer waited for. */
const REPLY_WITHIN_MS = 90_000

/** Where the arc stands, as seen from the prompt; `last` is its newest message, `now` UTC milliseconds. */
export function stageOf(arc: ArcView, last: ArcMessage | undefined, now: number): Stage {
  if (arc.phase === 'COMPLETED' || arc.phase === 'ABANDONED') return 'done'
  if (arc.blocked) return 'blocked'
  const isUnanswered =
    last?.role === 'learner' && now - Date.parse(last.createdAt) < REPLY_WITHIN_MS
  if (isUnanswered) return 'working'
  if (arc.paused || arc.resting) return 'paused'
  if (arc.pendingQuestion) return 'asking'
  if (arc.phase !== 'REVIEWING') return 'working'
  const dueIn = arc.nextReviewAt === null ? null : Date.parse(arc.nextReviewAt) - now
  return dueIn !== null && dueIn <= 0 && dueIn > -OPENS_WITHIN_MS ? 'working' : 'asleep'
}

const PHASES: Record<ArcPhase, string> = {
  PENDING: 'Starting',
  DIAGNOSING: 'Level check',
  PLANNING: 'Plan',
  TEACHING: 'Lesson',
  QUIZZING: 'Quiz',
  REVIEWING: 'Review',
  COMPLETED: 'Done',
  ABANDONED: 'Closed',
}

/** The phase in a word or two. */
export const phaseWords = (phase: ArcPhase): string => PHASES[phase]

const WORK: Record<ArcPhase, string> = {
  PENDING: 'Getting ready',
  DIAGNOSING: 'Choosing the next question',
  PLANNING: 'Planning the way',
  TEACHING: 'Preparing the lesson',
  QUIZZING: 'Preparing the next question',
  REVIEWING: 'Preparing the review',
  COMPLETED: 'Finishing',
  ABANDONED: 'Closing',
}

/** What the tutor is busy with. */
export function workWords(arc: ArcView, last: ArcMessage | undefined): string {
  return last?.role === 'learner' ? 'Thinking about your message' : WORK[arc.phase]
}

const BAR = 16

/** Phase, concept and mastery in one line of at most the page's width. */
export function progressLine(arc: ArcView, { width, style }: Page): string {
  const { mastered, total } = arc.mastery
  const phase = phaseWords(arc.phase)
  const where = arc.currentNode ? `${phase} · ${oneLine(arc.currentNode.label)}` : phase
  if (total === 0) return style.faint(cutTo(where, width))
  const filled = Math.round((mastered / total) * BAR)
  const counted = `${mastered} of ${total} mastered`
  const left = cutTo(where, Math.max(12, width - BAR - counted.length - 4))
  const bar = style.good('█'.repeat(filled)) + style.faint('░'.repeat(BAR - filled))
  return cutTo(`${style.faint(left)}  ${bar}  ${style.faint(counted)}`, width)
}

const UNITS: [ms: number, name: string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
]

/** A time from now in its largest unit: "in 3 days". */
export function timeUntil(ms: number): string {
  const [unit, name] = UNITS.find(([size]) => ms >= size * 1.5) ?? [1_000, 'second']
  const count = Math.max(1, Math.round(ms / unit))
  return `in ${count} ${name}${count === 1 ? '' : 's'}`
}

/** A date with its hour, in the time zone of this machine. */
export function dateWords(at: number): string {
  return new Intl.DateTimeFormat('en', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
}
