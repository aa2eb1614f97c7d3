import type { MapStatus, MindMap, MindMapNode } from '../mind-map/mind-map.ts'
import type { ArcFlow, QuestionKind, Role } from './flow.ts'
import type { ArcPhase, SubPhase } from './phase.ts'
import type { Phrase } from './phrase.ts'

/** What the learner is told: a phrase of the tutor's own, or a part of what a model step wrote. */
export type Say =
  | Phrase
  | { step: string; part: string }
  | { questionId: string; part: 'text' | 'expected' | 'solution' | 'hint'; n?: number }

/** Something to work with that comes with a message: a practice session, by the id its endpoints know. */
export interface Card {
  type: 'PRACTICE'
  sessionId: string
}

/** One effect of a step on the store. All effects of a commit happen in one transaction, or none. */
export type Effect =
  | {
      type: 'say'
      from: 'tutor' | 'system'
      say: Say[]
      nodeId: string | null
      phase: ArcPhase
      /** The message that this one takes the place of. */
      replaces: string | null
      card: Card | null
    }
  | {
      type: 'ask'
      id: string
      kind: QuestionKind
      nodeId: string | null
      label: string
      step: string
      index: number
      phase: ArcPhase
    }
  | { type: 'close'; questionId: string; quality: number | null }
  | { type: 'phase'; phase: ArcPhase; subPhase: SubPhase | null }
  | {
      type: 'plan'
      map: MindMap
      step: string
      goal: string | null
      inferred: Record<string, number>
    }
  | { type: 'extend'; map: MindMap; step: string | null; goal: string | null }
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
  /** A problem of a practice session, as a teach response of the concept. */
  | {
      type: 'practice-response'
      sessionId: string
      index: number
      nodeId: string
      quality: number
      notes: string
    }
  /** The arc has taken up how a practice session went. */
  | { type: 'practised'; sessionId: string }
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
      step: string | null
    }
  | { type: 'remember'; step: string }
  | { type: 'review-open'; nodeIds: string[] }

/**
 * One write of an arc. `generation` is the number it will have: the stored one must be its predecessor.
 * A repeat of the same `key` and generation is answered as done; anything older is refused.
 */
export interface ArcCommit {
  arcId: string
  mindMapId: string
  learnerId: string
  topic: string
  generation: number
  key: string
  at: number
  flow: ArcFlow
  nextReviewAt: number | null
  /** The learner's message that this turn has taken up. */
  messageId: string | null
  /** Whether the turn ends with this write: whoever waits for its message may read the answer. */
  endsTurn: boolean
  effects: Effect[]
}
