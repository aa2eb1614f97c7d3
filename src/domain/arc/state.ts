import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import { type Language, languageOfTag } from '../language/languages.ts'
import type { Cycle } from '../learning-cycle/cycle.ts'
import type { ErrorPattern } from '../learning-cycle/error-pattern.ts'
import type { NodeHistory } from '../mastery/status.ts'
import type { MindMap, MindMapNode, UnlockAt } from '../mind-map/mind-map.ts'
import type { FsrsSettings } from '../spaced-repetition/fsrs.ts'
import type { SchedulerName } from '../spaced-repetition/scheduler.ts'
import type { ArcPhase, SubPhase } from './phase.ts'
import type { Question } from './question.ts'
import type { Asking } from './steps.ts'

export const ARC_VERSION = 3

/** Who speaks or acts in an arc (seed 003). */
export type Role = 'coordinator' | 'diagnostic' | 'tutor' | 'quiz' | 'feedback' | 'pathplanner'

export type QuestionKind = 'diagnostic' | 'teach' | 'quiz' | 'review' | 'choice'

/** What a question is asked for, where its kind does not tell. */
export type QuestionPurpose =
  /** The one its kind says. */
  | 'plain'
  /** A teach question that follows a missed check question: one try. */
  | 'easier'
  /** A review that checks a concept which the diagnosis has placed. */
  | 'placed'
  /** About a neighbour of the concept in hand: a side response. */
  | 'mixed'

/** The question that the learner is to answer. */
export interface OpenQuestion {
  id: string
  kind: QuestionKind
  purpose: QuestionPurpose
  nodeId: string | null
  label: string
  /** 1, or 2 after a first wrong answer. */
  attempt: 1 | 2
  hintsGiven: number
  /** Messages on it that were no answer. */
  unread: number
  /** Whether it was said that it is still open: once is enough, until a break. */
  isRecalled?: boolean
  /** The first answer, while a second try is open. */
  first: FirstAnswer | null
}

export interface FirstAnswer {
  messageId: string
  answer: string
  /** The text of the option that it was, which is closed now: the letters of the others have changed. */
  option?: string | null
}

/** Why the quiz of a concept comes before its lesson. */
export type QuizFirst =
  /** A review has slipped. */
  | 'lapse'
  /** The learner says that it is known. */
  | 'known'
  /** The check of a placed concept was passed with help. */
  | 'checked'

/** The concept in hand: a learning cycle and how far it has come. */
export interface Lesson {
  nodeId: string
  cycle: Cycle
  startedAt: number
  stage: 'explain' | 'check' | 'quiz' | 'feedback'
  /** The check question of the explanation, and an easier one for whoever misses it. */
  explained: Question | null
  easier: Question | null
  /** The quiz's questions, and how many of them were asked. */
  quiz: { questions: Question[]; asked: number } | null
  /** Why questions of the last cycle were missed. */
  errors: ErrorPattern[]
  /** Teaches again what the learner has had before: a lesson and its check question, no quiz. */
  refresher: boolean
  /** Why its first quiz comes without a lesson; null: it does not. */
  quizFirst: QuizFirst | null
  /** Whether this cycle's question on a neighbour was asked. */
  mixed: boolean
}

/** The last grade, kept so that it can be contested once: what was before it, and who judged. */
export interface LastGrade {
  responseId: string
  questionId: string
  messageId: string
  kind: QuestionKind
  purpose: QuestionPurpose
  judgedBy: 'code' | 'model'
  quality: number
  node: MindMapNode
  history: NodeHistory
  lesson: Lesson | null
  /** The question and what was answered, for code to judge it again. */
  question: Question
  answer: string
}

/** A check question that was closed as wrong: it has no grade, and can be contested all the same. */
export interface LastCheck {
  questionId: string
  messageId: string
  judgedBy: 'code' | 'model'
  question: Question
  answer: string
}

/** What holds an arc up from outside: the model, or a plan that was refused. */
export interface Blocked {
  reason: string
  since: number
  retryAt: number
  /** Whether it is waited for; else what failed is being tried again. */
  waits: boolean
  /** How often it has been tried. */
  tries: number
  /** The newest input that has had it tried again, by its place in the inbox. */
  heard: number
}

/** A turn that is under way: what the arc does for one input, until it waits again. */
export interface OpenTurn {
  /** The input that it answers; null: the arc acts by itself. */
  inputId: string | null
  /** The learner's words, where the input is a message. */
  text: string | null
  closedQuestion: boolean
  /** How many steps it has asked for. */
  steps: number
  /** The phrase in which the learner was told what holds it up. */
  heldUp?: string
}

/** A stretch of messages without half an hour of silence. */
export interface Sitting {
  /** Quiz questions closed in it. */
  quizzed: number
  /** Whether the learner is to be asked if it is enough; and whether it was, so that the arc rests. */
  offersStop: boolean
  resting: boolean
  /** Placed concepts that may still be checked before lessons. */
  checksLeft: number
  /** Concepts whose quiz was taken without a lesson in it. */
  proved: string[]
}

/** How many placed concepts are checked at the beginning of a sitting. */
export const CHECKS_PER_SITTING = 3

export const newSitting = (): Sitting => ({
  quizzed: 0,
  offersStop: false,
  resting: false,
  checksLeft: CHECKS_PER_SITTING,
  proved: [],
})

/** A mistake that a learner has made, by its tag. */
export interface SeenMistake {
  met: number
  /** Right answers since, to questions that invite it. */
  avoided: number
  /** What is remembered of the learner because of it. */
  fact: string | null
}

/**
 * Where an arc stands, as plain JSON; with the rows of its map it is enough to go on. Times are UTC ms. Nothing of it is
 * changed in place but by the decision that works on its own copy.
 */
export interface ArcState {
  v: typeof ARC_VERSION
  phase: ArcPhase
  subPhase: SubPhase | null
  turn: number
  openTurn: OpenTurn | null
  /** The steps that are waited for. */
  asking: Asking[]
  /** How many ids were made for this arc. */
  ids: number
  startedAt: number
  lastMessageAt: number | null
  sessionCount: number
  paused: boolean
  blocked: Blocked | null
  question: OpenQuestion | null
  diagnosis: Diagnosis | null
  /** Whether the diagnosis is over, by its own end or by the learner's wish. */
  diagnosed: boolean
  /** Whether the learner passed over the rest of it, to start from the beginning: then it places nothing. */
  checkSkipped: boolean
  lesson: Lesson | null
  /** Reviews of the batch in hand that are still to come, and whether a neighbour was asked about in it. */
  batch: string[]
  mixed: boolean
  sitting: Sitting
  lastGrade: LastGrade | null
  /** Set where the last answer was one to a check question, and wrong. */
  lastCheck?: LastCheck | null
  /** Concepts whose cycles were spent: their next ones have easier questions. */
  eased: string[]
  /** Concepts that slipped in a review: they begin with the quiz, unless the lesson is named. */
  lapsed: { nodeId: string; begin: 'quiz' | 'lesson' }[]
  /** The concept that was asked for although its prerequisites are not met: asked for again, it is begun. */
  askedFor: string | null
  /** How often the concept in hand was explained in between, so that no explanation comes twice in a row. */
  explained: { nodeId: string; times: number } | null
  /** The role that speaks, and who spoke before the learner asked something in between. */
  role: Role
  speaker: Role | null
  /** Weights of FSRS that were fitted to the learner's own reviews. */
  weights?: number[]
  /** The language that the learner was last seen to write; it counts where they have set none. */
  language?: Language
  /** Another one, in which the last message was written. */
  otherLanguage?: Language
  /** Mistakes that the learner has made, by tag. */
  mistakes?: Record<string, SeenMistake>
}

export const newState = (startedAt: number): ArcState => ({
  v: ARC_VERSION,
  phase: 'PENDING',
  subPhase: null,
  turn: 0,
  openTurn: null,
  asking: [],
  ids: 0,
  startedAt,
  lastMessageAt: null,
  sessionCount: 0,
  paused: false,
  blocked: null,
  question: null,
  diagnosis: null,
  diagnosed: false,
  checkSkipped: false,
  lesson: null,
  batch: [],
  mixed: false,
  sitting: newSitting(),
  lastGrade: null,
  eased: [],
  lapsed: [],
  askedFor: null,
  explained: null,
  role: 'coordinator',
  speaker: null,
})

/** The settings of an arc that the rules read. */
export interface ArcRules {
  maxNodes: number
  maxDepth: number
  unlockAt: UnlockAt
  scheduler: SchedulerName
  learningSteps: number[]
  masteryThreshold: number
  maxCycles: number
  quizQuestions: number
  skipDiagnosis: boolean
  diagnosisDepth: 'standard' | 'thorough'
  maxInterval: number
  /** How FSRS is set, where it is not as by default. */
  fsrs?: FsrsSettings
  onMastered: 'complete' | 'stay'
  level: string
  /** The learner's own choice, as a language tag. */
  language?: string
}

/** Everything that a decision about an arc reads. */
/** What the learner's agenda may know of an arc: how it stood before the decision. */
export interface KnownToAgenda {
  /** Whether a nudge is out that the learner has not answered. */
  isNudged: boolean
  /** The earliest review, UTC ms. */
  reviewAt: number | null
  lastMessageAt: number | null
  paused: boolean
}

export interface LoadedArc {
  arcId: string
  mindMapId: string
  learnerId: string
  topic: string
  goal: string | null
  courseId: string | null
  goalUnitIds: string[]
  tutor: 'anthropic' | 'offline'
  rules: ArcRules
  /** The length of one day in milliseconds. */
  dayMs: number
  state: ArcState
  map: MindMap
  histories: Record<string, NodeHistory>
  /** The open question in full; null while none is open. */
  question: Question | null
  /** The practice session on one of its concepts that is open. */
  practiceSessionId: string | null
  /** Null where the learner has no agenda. */
  agenda: KnownToAgenda | null
}

/** How FSRS is set for an arc: with the learner's own weights where some were fitted. */
export function fsrsOf({ rules, state }: Pick<LoadedArc, 'rules' | 'state'>) {
  const settings = { ...rules.fsrs, ...(state.weights && { weights: state.weights }) }
  return Object.keys(settings).length > 0 ? { fsrs: settings } : {}
}

/** The language that an arc speaks: as set, else as its learner writes, else English. A tag such as "de-AT". */
export const spokenLanguage = ({ rules, state }: Pick<LoadedArc, 'rules' | 'state'>): string =>
  rules.language ?? state.language ?? 'en'

/** The language of the tutor's own words. */
export const phraseLanguage = (arc: Pick<LoadedArc, 'rules' | 'state'>): Language =>
  languageOfTag(spokenLanguage(arc))
