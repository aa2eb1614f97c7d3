import type { ArcView, MindMapView, PendingQuestion } from '../../src/contracts/arc.ts'

export const ARC_ID = '0b6f3c5e-3f0f-4a39-9d54-4a4f0f6d2a11'

/** A probe with four options; `b` is a formula. */
export const probe: PendingQuestion = {
  id: 'question-1',
  kind: 'diagnostic',
  text: 'What is $2 + 3 \\cdot 4$?',
  format: 'multiple_choice',
  attempt: 1,
  hintsLeft: 2,
  options: [
    { id: 'a', text: '$20$' },
    { id: 'b', text: '$14$' },
    { id: 'c', text: '$24$' },
    { id: 'd', text: '$9$' },
  ],
}

export const shortQuestion: PendingQuestion = {
  id: 'question-2',
  kind: 'quiz',
  text: 'Solve $x + 3 = 5$.',
  format: 'short_answer',
  attempt: 1,
  hintsLeft: 2,
}

/** The question as the message that asks it. */
export const asked = (question: PendingQuestion) => ({
  questionId: question.id,
  card: { type: 'QUESTION', format: question.format, options: question.options ?? null },
})

export const arcView = (change: Partial<ArcView> = {}): ArcView => ({
  arcId: ARC_ID,
  mindMapId: '5d7c1f64-1f5c-4f0e-8a55-6d8a2d1c0f22',
  topic: 'Algebra basics',
  title: null,
  archived: false,
  goal: null,
  courseId: 'algebra-basics',
  tutor: 'offline',
  phase: 'DIAGNOSING',
  subPhase: null,
  currentNode: null,
  sessionCount: 1,
  startedAt: new Date().toISOString(),
  lastSessionAt: null,
  nextReviewAt: null,
  mastery: { mastered: 0, total: 0, pct: 0 },
  progress: { learned: 0, inMemory: 0, mastered: 0, total: 0 },
  workflowId: `arc-${ARC_ID}`,
  pendingQuestion: null,
  blocked: null,
  paused: false,
  resting: false,
  diagnosticResults: [],
  settings: {
    maxNodes: 30,
    maxDepth: 5,
    unlockAt: 'reviewing',
    scheduler: 'sm2',
    learningSteps: [1, 6],
    masteryThreshold: 0.85,
    maxCycles: 5,
    quizQuestions: 3,
    skipDiagnosis: false,
    diagnosisDepth: 'standard',
    maxInterval: 21,
    onMastered: 'complete',
    level: 'unknown',
    language: 'en',
  },
  ...change,
})

type MapNode = MindMapView['nodes'][number]

const node = (id: string, label: string, sequence: number, change: Partial<MapNode>): MapNode => ({
  id,
  label,
  description: `What **${label}** are, and what they are good for: $a + b$.`,
  depth: sequence - 1,
  sequence,
  masteryStatus: 'unseen',
  masteryScore: 0,
  easeFactor: 2.5,
  repetitions: 0,
  intervalDays: 0,
  nextReviewAt: null,
  effortMinutes: 30,
  unitId: null,
  placed: false,
  metadata: {},
  ...change,
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Five concepts, one of each status. */
export const mindMapView = (): MindMapView => ({
  mindMap: {
    id: '5d7c1f64-1f5c-4f0e-8a55-6d8a2d1c0f22',
    title: 'Algebra basics',
    status: 'active',
    rootNodeId: 'n1',
    metadata: {},
  },
  nodes: [
    node('n1', 'Numbers', 1, {
      masteryStatus: 'mastered',
      masteryScore: 0.96,
      nextReviewAt: inDays(9),
    }),
    node('n2', 'Inverse operations', 2, {
      masteryStatus: 'reviewing',
      masteryScore: 0.8,
      nextReviewAt: inDays(1),
      repetitions: 1,
    }),
    node('n3', 'Like terms', 3, { masteryStatus: 'learning', masteryScore: 0.4 }),
    node('n4', 'Brackets', 4, { masteryStatus: 'diagnosed', masteryScore: 0.5 }),
    node('n5', 'Linear equations', 5, { inferred: 0.35 }),
  ],
  edges: [
    { parentNodeId: 'n1', childNodeId: 'n2', edgeType: 'prerequisite' },
    { parentNodeId: 'n1', childNodeId: 'n3', edgeType: 'prerequisite' },
    { parentNodeId: 'n3', childNodeId: 'n4', edgeType: 'prerequisite' },
    { parentNodeId: 'n2', childNodeId: 'n5', edgeType: 'prerequisite' },
    { parentNodeId: 'n4', childNodeId: 'n5', edgeType: 'prerequisite' },
    { parentNodeId: 'n2', childNodeId: 'n4', edgeType: 'related' },
  ],
  frontier: ['n3'],
  nextNodeId: 'n3',
})
