import { FSRS, type Grade, Rating, State } from 'ts-fsrs'

/** What FSRS remembers of one concept, kept in the node's `metadata.fsrs`. */
export interface FsrsMemory {
  /** Days after which recall has fallen to 90 %. */
  stability: number
  /** 1..10. */
  difficulty: number
  repetitions: number
  lapses: number
  scheduledDays: number
  state: 'new' | 'learning' | 'review' | 'relearning'
}

/** How FSRS is set for one learner; what is left out is its default. */
export interface FsrsSettings {
  /** The 21 weights of FSRS-6, such as were fitted to the learner's own reviews. */
  weights?: readonly number[]
  /** The share of reviews that are to be remembered, 0.7..0.99; 0.9 by default. */
  retention?: number
}

const REQUEST_RETENTION = 0.9
const REAL_DAY_MS = 86_400_000
const STATES = {
  new: State.New,
  learning: State.Learning,
  review: State.Review,
  relearning: State.Relearning,
}

/**
 * One review under FSRS-6 (ts-fsrs, no fuzz, steps of whole days).
 * @param memory what the last review left, null before the first
 * @param quality 0–2 Again, 3 Hard, 4 Good, 5 Easy
 * @param elapsedDays days since the last review; parts of a day do not count
 * @param settings the learner's weights and aim, where they are not the default ones
 */
export function fsrsStep(
  memory: FsrsMemory | null,
  quality: number,
  elapsedDays: number,
  { weights, retention = REQUEST_RETENTION }: FsrsSettings = {},
): FsrsMemory {
  const scheduler = new FSRS({
    request_retention: retention,
    ...(weights && { w: [...weights] }),
    enable_fuzz: false,
    enable_short_term: false,
  })
  const before = memory ?? NEVER_REVIEWED
  const lastReview = new Date(0)
  const now = new Date(Math.max(0, Math.floor(elapsedDays)) * REAL_DAY_MS)
  const card = {
    stability: before.stability,
    difficulty: before.difficulty,
    reps: before.repetitions,
    lapses: before.lapses,
    scheduled_days: before.scheduledDays,
    state: STATES[before.state],
    elapsed_days: 0,
    learning_steps: 0,
    due: lastReview,
    last_review: memory ? lastReview : null,
  }
  const after = scheduler.next(card, now, gradeOf(quality)).card
  return {
    stability: after.stability,
    difficulty: after.difficulty,
    repetitions: after.reps,
    lapses: after.lapses,
    scheduledDays: after.scheduled_days,
    state: stateName(after.state),
  }
}

const WEIGHTS = 21

/** Whether these are weights of FSRS-6. */
export function isWeights(value: unknown): value is number[] {
  return Array.isArray(value) && value.length === WEIGHTS && value.every(Number.isFinite)
}

/** Reads `metadata.fsrs`; null when it holds no memory of FSRS. */
export function readFsrsMemory(value: unknown): FsrsMemory | null {
  if (typeof value !== 'object' || value === null) return null
  const memory = value as Record<string, unknown>
  const numbers = ['stability', 'difficulty', 'repetitions', 'lapses', 'scheduledDays']
  const complete =
    numbers.every((key) => Number.isFinite(memory[key])) &&
    typeof memory.state === 'string' &&
    Object.hasOwn(STATES, memory.state)
  return complete ? (value as FsrsMemory) : null
}

const NEVER_REVIEWED: FsrsMemory = {
  stability: 0,
  difficulty: 0,
  repetitions: 0,
  lapses: 0,
  scheduledDays: 0,
  state: 'new',
}

/** The rating of FSRS that a quality amounts to: 0–2 Again (1), 3 Hard (2), 4 Good (3), 5 Easy (4). */
export function gradeOf(quality: number): Grade {
  if (quality >= 5) return Rating.Easy
  if (quality === 4) return Rating.Good
  return quality === 3 ? Rating.Hard : Rating.Again
}

function stateName(state: State): FsrsMemory['state'] {
  if (state === State.New) return 'new'
  if (state === State.Learning) return 'learning'
  return state === State.Review ? 'review' : 'relearning'
}
