import type { FailedCase } from '../answers/program.ts'

/** What the tutor says in words of its own: the names, and what each phrase is filled with. The words are not here. */

type Concept = { label: string }
/** UTC ms; `at` null where no date is known. */
type Until = { at: number | null; now: number }
type Result = { right: number; count: number }

type OfDiagnosis = 'diagnosis-start' | 'diagnosis-skipped' | 'noted-right' | 'noted-wrong'
type OfVerdict = 'right' | 'right-after-help' | 'close' | 'still-close' | 'wrong' | 'abstained'
type OfQuestion = 'open-question' | 'question-skipped' | 'question-closed' | 'ask-again' | 'no-hint'
type OfArc = 'abandoned' | 'paused' | 'resumed' | 'replan-early' | 'again-failed' | 'not-processed'
type OfOutage = 'blocked-slow' | 'blocked-unreadable' | 'blocked-internal' | 'help-failed'
type OfContest = 'contest-none' | 'contest-kept' | 'contest-kept-by-model' | 'contest-unread'
type OfRest = 'practice-unavailable' | 'quiz-pause-offer' | 'program-unavailable'

/** A phrase that is said as it stands. */
export type BarePhrase =
  | OfDiagnosis
  | OfVerdict
  | OfQuestion
  | OfArc
  | OfOutage
  | OfContest
  | OfRest

/** What each of the other phrases is filled with. */
export interface PhraseParams {
  'welcome-offline': { course: string | null }
  'welcome-model': { topic: string }
  'diagnosis-done': { level: string }
  'plan-made': { total: number; known: number; first: string }
  'goal-not-found': { goal: string }
  'lesson-title': Concept & { cycle: number }
  'back-to': Concept
  answer: { expected: string }
  'quiz-start': { count: number }
  'cycle-passed': Concept & Result & Until
  'cycle-again': Concept & Result
  'cycle-remediate': Concept & { weakest: string }
  'cycle-eased': Concept
  'review-due': Concept & { count: number }
  'review-next': Concept
  'review-lapsed': Concept
  'review-kept': Concept & Until
  mastered: Concept
  'review-postponed': Concept & Until
  'concept-skipped': Concept
  sleeping: Until
  completed: { topic: string; mastered: number; total: number }
  'put-again': { format: 'multiple_choice' | 'short_answer' | 'program' }
  'nothing-open': Until
  'nothing-due': Until
  'off-topic': { topic: string }
  'contest-changed': { quality: number }
  'replan-done': { added: number }
  'blocked-refused': { reason: string }
  'blocked-plan': { reason: string }
  'going-stale': { days: number }
  'practice-open': Concept & { count: number }
  'practice-still-open': Concept
  'practice-none': Concept
  'practice-done': Concept & { solved: number; count: number }
  'practice-empty': Concept
  'program-failed': FailedCase
  'program-unreadable': { reason: string; line: number | null }
}

export type PhraseName = BarePhrase | keyof PhraseParams

/** A phrase with all that it is filled with. */
export type Phrase =
  | { phrase: BarePhrase; params?: undefined }
  | { [N in keyof PhraseParams]: { phrase: N; params: PhraseParams[N] } }[keyof PhraseParams]
