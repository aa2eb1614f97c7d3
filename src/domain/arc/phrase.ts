import type { Remedy } from '../answers/foreseen-mistake.ts'
import type { FailedCase } from '../answers/program.ts'
import type { Closing } from './closing.ts'

/** What the tutor says in words of its own: the names, and what each phrase is filled with. The words are not here. */

import type { Question } from './question.ts'

type QuestionFormat = Question['format']
type Concept = { label: string }
/** The concepts that a practice session is on. */
type Practised = { labels: string[] }
/** UTC ms; `at` null where no date is known. */
type Until = { at: number | null; now: number }
type Result = { right: number; count: number }

type OfDiagnosis =
  | 'diagnosis-start'
  | 'diagnosis-skipped'
  | 'diagnosis-again'
  | 'diagnose-nothing'
  | 'noted'
  | 'no-hint-in-check'
  | 'no-lesson-in-check'
type OfVerdict =
  | 'right'
  | 'right-after-help'
  | 'close'
  | 'still-close'
  | 'wrong'
  | 'wrong-once'
  | 'try-again'
  | 'abstained'
  | 'easier-first'
type OfQuestion =
  | 'open-question'
  | 'question-skipped'
  | 'question-closed'
  | 'option-closed'
  | 'ask-again'
type OfArc =
  | 'abandoned'
  | 'paused'
  | 'resumed'
  | 'replan-early'
  | 'again-failed'
  | 'not-processed'
  | 'course-in-english'
type OfOutage = 'blocked-slow' | 'blocked-unreadable' | 'blocked-internal' | 'help-failed'
type OfContest =
  | 'contest-none'
  | 'contest-kept'
  | 'contest-check'
  | 'contest-right'
  | 'contest-kept-by-model'
  | 'contest-unread'
  | 'contest-first'
type OfTalk =
  | 'talk-thanks'
  | 'talk-greeting'
  | 'talk-fine'
  | 'talk-upset'
  | 'talk-tired'
  | 'talk-other'
  | 'talk-distress'
  | 'talk-hard'
  | 'talk-stakes'
  | 'talk-tools'
type OfRest =
  | 'practice-unavailable'
  | 'go-on'
  | 'know-nothing'
  | 'know-in-check'
  | 'program-unavailable'

/** A phrase that is said as it stands. */
export type BarePhrase =
  | OfDiagnosis
  | OfVerdict
  | OfQuestion
  | OfArc
  | OfOutage
  | OfContest
  | OfTalk
  | OfRest

/** How a question is answered; a level check has neither hints nor solutions. */
interface ToAnswer {
  format: QuestionFormat
  isCheck: boolean
}

/** What a concept is good for: what can be learned once it is. `label` null: none is in hand. */
interface Outlook {
  topic: string
  label: string | null
  leadsTo: string[]
}

/** What each of the other phrases is filled with. */
export interface PhraseParams {
  /** `ofCheck`: questions of the level check, at most; `minutes`: what the concepts that are left take in all. */
  'talk-time': {
    topic: string
    ofCheck: number | null
    inHand: { label: string; questions: number } | null
    minutes: number
  }
  'talk-use': Outlook
  'talk-exam': Outlook
  'talk-schedule': Until
  'welcome-offline': { course: string | null }
  'welcome-model': { topic: string }
  'diagnosis-done': { level: string }
  'plan-made': { total: number; known: number; first: string }
  'goal-not-found': { goal: string }
  'lesson-title': Concept & { showing: number }
  'back-to': Concept
  answer: { expected: string }
  /** A mistake that was foreseen, and what is so. */
  foreseen: Remedy
  remedy: Remedy
  'quiz-start': Concept & { count: number }
  'cycle-passed': Concept & Result & Until
  'cycle-again': Concept & Result
  'cycle-remediate': Concept & { weakest: string }
  'cycle-eased': Concept
  'review-due': Concept & { count: number }
  'review-next': Concept
  'review-lapsed': Concept
  'review-helped': Concept
  'offer-aside': Concept
  'check-placed': Concept
  'check-passed': Concept & Until
  'check-quiz': Concept
  'check-failed': Concept
  'check-skipped': Concept
  'teach-now': Concept
  'teach-missing': Concept & { missing: string[] }
  'know-quiz': Concept
  'know-tried': Concept
  'know-in-quiz': Concept
  'know-later': Concept & Until
  enough: Until
  'review-kept': Concept & Until
  mastered: Concept
  'review-postponed': Concept & Until
  /** What is over cannot be asked for; its end says how it goes on. */
  'concept-skipped': Concept & { isLast: boolean }
  sleeping: Until
  completed: { topic: string; closing: Closing }
  'put-again': ToAnswer
  'put-again-offer': ToAnswer
  'nothing-open': Until
  'nothing-due': Until
  'off-topic': { topic: string }
  'contest-changed': { quality: number }
  'contest-read': { readAs: string }
  'replan-done': { added: number }
  'blocked-refused': { reason: string }
  'blocked-plan': { reason: string }
  'going-stale': { days: number }
  'practice-open': Practised & { count: number }
  'practice-still-open': Practised
  'practice-none': Practised
  'practice-done': Practised & { solved: number; count: number }
  'practice-empty': Practised
  'program-failed': FailedCase
  'program-unreadable': { reason: string; line: number | null }
}

export type PhraseName = BarePhrase | keyof PhraseParams

/** A phrase with all that it is filled with. */
export type Phrase =
  | { phrase: BarePhrase; params?: undefined }
  | { [N in keyof PhraseParams]: { phrase: N; params: PhraseParams[N] } }[keyof PhraseParams]
