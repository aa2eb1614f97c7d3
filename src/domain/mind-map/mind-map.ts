/** The life of a map (seed 001): only an active map takes lessons, reviews and re-plans. */
export type MapStatus = 'creation' | 'active' | 'completed' | 'abandoned'

/** How far the learner is with one concept (seed 000 D1). */
export type MasteryStatus = 'unseen' | 'diagnosed' | 'learning' | 'reviewing' | 'mastered'

/** The status from which a prerequisite lets its dependants onto the frontier. */
export type UnlockAt = 'mastered' | 'reviewing'

export interface NodeMetadata {
  /** Supplementary: off the path to the goal. */
  optional?: boolean
  /** Set aside by the learner; counts as met for its dependants. */
  skipped?: boolean
  /** The place in the order of a course that keeps to one; breaks ties of depth before effort. */
  position?: number
  /** Mastered so well that a re-plan lets it be passed over. */
  skippable?: boolean
  /** The diagnosis says that it is known; until its check says otherwise it counts as met for its dependants. */
  placed?: boolean
  /** Reviews in a row that were answered with help. */
  helped?: number
  /** Lapses that such reviews have led to. */
  helpedLapses?: number
  /** How often it has been explained. */
  lessons?: number
  [key: string]: unknown
}

/**
 * One concept. Times are UTC milliseconds, intervals are days, the score lies in 0..1;
 * `depth` is the length of the longest prerequisite path from the root.
 */
export interface MindMapNode {
  id: string
  label: string
  unitId: string | null
  depth: number
  sequence: number | null
  effortMinutes: number
  masteryStatus: MasteryStatus
  masteryScore: number
  easeFactor: number
  repetitions: number
  intervalDays: number
  nextReviewAt: number | null
  lastReviewedAt: number | null
  masteredAt: number | null
  metadata: NodeMetadata
}

/** Whether the learner has set the concept aside: it is neither taught nor asked, and holds nothing back. */
export function isSkipped({ metadata }: Pick<MindMapNode, 'metadata'>): boolean {
  return metadata.skipped === true
}

/** `prerequisite`: the parent is to be known before the child. `related` orders nothing. */
export interface MindMapEdge {
  parentNodeId: string
  childNodeId: string
  edgeType: 'prerequisite' | 'related'
}

export interface MindMap {
  id: string
  status: MapStatus
  rootNodeId: string | null
  nodes: MindMapNode[]
  edges: MindMapEdge[]
}
