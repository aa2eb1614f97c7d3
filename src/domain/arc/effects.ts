import type { MapStatus, MindMap, MindMapNode } from '../mind-map/mind-map.ts'
import type { ArcPhase, SubPhase } from './phase.ts'
import type { Phrase } from './phrase.ts'
import type { Question } from './question.ts'
import type { SideResponse } from './side-responses.ts'
import type { QuestionKind, Role } from './state.ts'

/** What the learner is told: a phrase of the tutor's own, or text that a step or a question brought. */
export type Say = Phrase | { text: string }

/** What can be written again, by the step that wrote it. */
export type WrittenKind = 'lesson' | 'help'

/**
 * What comes with a message: a practice session, by the id that its endpoints know; a concept learned for the first time;
 * a verdict that can be contested as long as nothing else is said; a lesson or an answer that can be written again, the last
 * of which `regenerate` takes.
 */
export type Card =
  | { type: 'PRACTICE'; sessionId: string }
  | { type: 'LEARNED'; nodeId: string }
  | { type: 'CONTESTABLE' }
  | { type: 'WRITTEN'; kind: WrittenKind }

/** One effect of a decision on the store. All effects of a decision happen in one transaction, or none. */
export type Effect =
  /** A message belongs to a turn. */
  | { type: 'took'; messageId: string; turn: number }
  /** The turn of an input is done. */
  | { type: 'answered'; inputId: string }
  | {
      type: 'say'
      /** The message's id. */
      id: string
      turn: number
      from: 'tutor' | 'system'
      say: Say[]
      nodeId: string | null
      phase: ArcPhase
      /** The message that this one takes the place of. */
      replaces: string | null
      card: Card | null
      /** The step that wrote it, if one did. */
      stepKey: string | null
    }
  | {
      type: 'ask'
      id: string
      /** The id of the message that puts it. */
      messageId: string
      turn: number
      kind: QuestionKind
      nodeId: string | null
      label: string
      question: Question
      phase: ArcPhase
      attempt: 1 | 2
      hintsGiven: number
    }
  /** A hint of the open question was given; `given` counts them. */
  | { type: 'hint'; questionId: string; given: number }
  | { type: 'close'; questionId: string; quality: number | null }
  /** `blocked`: what holds the arc up as it goes there, for whoever watches. */
  | { type: 'phase'; phase: ArcPhase; subPhase: SubPhase | null }
  | { type: 'blocked' }
  | {
      type: 'plan'
      map: MindMap
      descriptions: { nodeId: string; description: string }[]
      goal: string | null
      inferred: Record<string, number>
    }
  | {
      type: 'extend'
      map: MindMap
      descriptions: { nodeId: string; description: string }[]
      goal: string | null
    }
  /** A planner's graph was refused, whole. */
  | { type: 'plan-refused'; stepKey: string; violations: string[] }
  /** A probe that found its concept in the map becomes a diagnostic response. */
  | { type: 'probe-response'; id: string; nodeId: string; label: string; quality: number }
  | { type: 'node'; node: MindMapNode }
  | { type: 'map-status'; status: MapStatus }
  | {
      type: 'respond'
      id: string
      nodeId: string
      questionId: string
      messageId: string | null
      quality: number
      responseType: 'teach' | 'review'
      attempt: number
      notes: string | null
    }
  /** The arc gives the learner a practice session to go to; `session` is what it is made of. */
  | { type: 'practice-opened'; sessionId: string; session: unknown }
  /** A practice session ends because its arc does. */
  | { type: 'practice-ended'; sessionId: string }
  /** A problem of a practice session, as a teach response of the concept. */
  | {
      type: 'practice-response'
      sessionId: string
      index: number
      nodeId: string
      quality: number
      notes: string
    }
  /** An answer that was given in the course tutor. */
  | { type: 'side-response'; inputId: string; nodeId: string; response: SideResponse }
  /** The arc has taken up how a practice session went. */
  | { type: 'practised'; sessionId: string; turn: number }
  | { type: 'regrade'; responseId: string; quality: number; notes: string }
  | { type: 'hand-over'; from: Role; to: Role; reason: string; messageId: string | null }
  | {
      type: 'cycle'
      nodeId: string
      topic: string
      number: number
      score: number
      achieved: boolean
      startedAt: number
    }
  | {
      type: 'diagnosis'
      probes: { label: string; quality: number; inferred: number }[]
      inventory: string[]
      summary: { level: string; gaps: string[]; recommendations: string[] } | null
    }
  | { type: 'remember'; facts: string[]; source: 'feedback' | 'mistake' }
  /** What was remembered because of a mistake holds no longer. */
  | { type: 'forget'; fact: string }
  | { type: 'review-open'; nodeIds: string[] }
  | { type: 'abandoned'; reason: string }
