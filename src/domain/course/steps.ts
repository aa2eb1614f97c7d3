import type { View, WantedStep } from '../spine/decision.ts'
import { nextCallBack } from './exams/locks.ts'
import type { LoadedCourse, Work } from './state.ts'

/** How long what is in hand may wait for a step, in milliseconds; then code does what it can. */
const PATIENCE_MS = 25_000

/** Who answers the step of a stage, where code does not on the spot, and how long and how often it is tried. */
function askedOf({ type, stage }: Work): Pick<WantedStep, 'queue' | 'startToCloseMs' | 'attempts'> {
  switch (stage.step) {
    case 'turn':
    case 'drill-grade':
      return { queue: 'meno-llm', startToCloseMs: PATIENCE_MS, attempts: 1 }
    default:
      // The authority takes a call with the same key twice without harm; only an answer to an exam needs its word.
      return { queue: 'meno', startToCloseMs: 6_000, attempts: type === 'exam' ? 2 : 1 }
  }
}

/** Until when what is in hand waits, in epoch milliseconds. */
export const deadlineOf = ({ at }: Work): number => at + PATIENCE_MS

/** The key of the step that is wanted; a request that is made again is asked about anew. */
export function stepKey({ id, state: { work, done } }: LoadedCourse): string {
  if (!work) return ''
  const subject = work.type === 'call_back' ? id : work.request.id
  return `${subject}/${done}/${work.stage.step}`
}

/** What is wanted of others, and when the course is to be looked at without an input. */
export function wanted(loaded: LoadedCourse): { think: WantedStep[]; wakeAt: number | null } {
  const { work, locks, snapshot } = loaded.state
  if (!work) return { think: [], wakeAt: nextCallBack(locks) }
  const label = `${work.stage.step}: ${snapshot.focusUnitId}`
  return {
    think: [{ key: stepKey(loaded), label, ...askedOf(work) }],
    wakeAt: deadlineOf(work),
  }
}

/** The course in the Temporal UI: the share of units in gold, and the details as a page to read. */
export function viewOf({ courseId, course, state }: LoadedCourse): View {
  const { snapshot, locks, work } = state
  const tiers = Object.values(snapshot.unitProgress).map(({ masteryTier }) => masteryTier)
  const count = (tier: string) => tiers.filter((one) => one === tier).length
  const total = course.units.length
  const gold = count('gold')
  const callBackAt = nextCallBack(locks)
  const nextCall = callBackAt === null ? 'none' : new Date(callBackAt).toISOString()
  return {
    phase: work?.type ?? 'idle',
    attributes: { MasteryPct: total === 0 ? 0 : Math.round((gold / total) * 100) / 100 },
    details: [
      `**Course ${courseId}**, focus ${snapshot.focusUnitId}`,
      '',
      `- Units in bronze ${count('bronze')}, silver ${count('silver')}, gold ${gold}, of ${total}`,
      `- Questions to revisit: ${Object.keys(snapshot.revisitQueue).length}; next call-back: ${nextCall}`,
      `- Requests and call-backs done: ${state.done}; in hand: ${work?.stage.step ?? 'nothing'}`,
    ].join('\n'),
    query: null,
  }
}
