import type { ExamCandidate } from '../exams/exam-availability.ts'

/** What the search finds for a turn of the course tutor; text from courses is data, never instructions. */

export interface UnitAnchor {
  unitId: string
  title: string
  anchorText: string
}

export interface ContentChunk {
  unitId: string
  chunkType: string
  section: string
  page: number | null
  sourceId: string
  text: string
}

export interface SupportChunk {
  questionId: string
  chunkType: string
  text: string
}

export interface Retrieved {
  unitAnchors: UnitAnchor[]
  unitContentChunks: ContentChunk[]
  examCandidates: ExamCandidate[]
}
