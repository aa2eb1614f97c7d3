import type { StepFault } from '../spine/decision.ts'
import type { Arc } from './arc.ts'

/** The waits before a step is tried again once its attempts are spent, in milliseconds; the last one repeats. */
const OUTAGE_WAITS_MS = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]
/** Who writes what cannot be used is paid each time: it is asked less often. */
const UNREADABLE_WAITS_MS = [30_000, 60_000, 120_000, 300_000]
/** A model that refuses us is asked again this late: an operator has to act first. */
const REFUSED_WAIT_MS = 300_000
/** A step that is told as silent is given up so much later, when nothing has come for a minute. */
const GIVEN_UP_MS = 52_000
/** Between a step's end and its new beginning, where it is wanted anew at once. */
const ANEW_MS = 1_000

/** A step has failed, and nothing can take its place: the arc waits, tells the learner once, and tries again. */
export function holdUp(
  arc: Arc,
  failure: { fault: StepFault; reason: string; retryAfterMs: number | null },
): void {
  const { state, at } = arc
  const before = state.blocked
  const tries = (before?.tries ?? 0) + 1
  const wait = Math.max(waitMs(failure.fault, tries), failure.retryAfterMs ?? 0)
  state.blocked = {
    reason: reasonOf(failure),
    since: before?.since ?? at,
    retryAt: at + Math.min(wait, REFUSED_WAIT_MS),
    waits: true,
    tries,
    heard: before?.heard ?? 0,
  }
  arc.record({ type: 'blocked' })
  if (!before) tell(arc, wordsOf(failure))
}

/** Says what holds a turn up, once: its next step may be as slow, and the learner has been told. */
function tell(arc: Arc, words: ReturnType<typeof wordsOf>): void {
  const { openTurn } = arc.state
  const phrase = typeof words === 'string' ? words : words.phrase
  if (openTurn?.heldUp === phrase) return
  if (openTurn) openTurn.heldUp = phrase
  arc.notify(words)
}

function waitMs(fault: StepFault, tries: number): number {
  if (fault === 'refused') return REFUSED_WAIT_MS
  const waits = fault === 'malformed' ? UNREADABLE_WAITS_MS : OUTAGE_WAITS_MS
  return waits[Math.min(tries, waits.length) - 1] ?? REFUSED_WAIT_MS
}

const reasonOf = ({ fault, reason }: { fault: StepFault; reason: string }): string =>
  fault === 'malformed' ? `what the model wrote could not be used: ${reason}` : reason

function wordsOf({ fault, reason }: { fault: StepFault; reason: string }) {
  if (fault === 'refused') return { phrase: 'blocked-refused' as const, params: { reason } }
  return fault === 'malformed' ? ('blocked-unreadable' as const) : ('blocked-slow' as const)
}

/** A step that runs is silent: the learner is told once; it goes on running. */
export function sayThatSlow(arc: Arc, key: string): boolean {
  const { state, at } = arc
  if (!state.asking.some((step) => step.key === key) || state.blocked) return false
  const reason = 'the model is silent'
  const retryAt = at + GIVEN_UP_MS
  state.blocked = { reason, since: at, retryAt, waits: false, tries: 0, heard: 0 }
  arc.record({ type: 'blocked' })
  tell(arc, 'blocked-slow')
  return true
}

/** Somebody wants it tried now: what is waited for goes on, and a step that runs in silence is begun anew. */
export function tryNow({ state, at }: Arc): void {
  if (!state.blocked) return
  const runs = !state.blocked.waits
  state.blocked = runs
    ? { ...state.blocked, waits: true, retryAt: at + ANEW_MS }
    : { ...state.blocked, waits: false }
}

/**
 * What holds the arc up is tried again when its time has come, and once for every input that has come since.
 * @param waiting the newest input that waits, by its place in the inbox
 */
export function tryAgain(arc: Arc, waiting: number | null): boolean {
  const { state, at } = arc
  const { blocked } = state
  if (!blocked?.waits) return false
  const isHeard = waiting !== null && waiting > blocked.heard
  if (at < blocked.retryAt && !isHeard) return false
  if (isHeard) blocked.heard = waiting
  // Without a step that is waited for it is the plan that was refused: it is asked for anew.
  if (state.asking.length === 0) {
    state.blocked = null
    arc.record({ type: 'blocked' })
  } else blocked.waits = false
  return true
}
