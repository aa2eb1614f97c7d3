import {
  applyResponse,
  completeCycle,
  emptyHistory,
  type NodeHistory,
} from '../../src/domain/mastery/status.ts'
import { buildMap } from '../../src/domain/mind-map/building.ts'
import { isComplete, nextNode } from '../../src/domain/mind-map/frontier.ts'
import type { MindMap, MindMapNode, UnlockAt } from '../../src/domain/mind-map/mind-map.ts'
import { dueReviews } from '../../src/domain/spaced-repetition/due-reviews.ts'

const DAY_MS = 86_400_000
const QUIZ = [5, 5, 5]
const RULES = { dayMs: DAY_MS, learningSteps: [1, 6], scheduler: 'sm2' as const }

/** The days on which something ended, counted from the first lesson. */
export interface ChainDays {
  lastLesson: number
  completed: number
}

/**
 * A learner who is always there and always right goes along a chain of concepts: lessons whenever
 * one is open, reviews as soon as they are due.
 */
export function chainDays(concepts: number, unlockAt: UnlockAt): ChainDays {
  let map = chainOf(concepts)
  const histories = new Map<string, NodeHistory>()
  let now = 0
  let lastLesson = 0
  const put = (node: MindMapNode) => {
    map = { ...map, nodes: map.nodes.map((old) => (old.id === node.id ? node : old)) }
  }
  const answer = (node: MindMapNode, type: 'teach' | 'review') => {
    const history = histories.get(node.id) ?? emptyHistory()
    const inCycle = type === 'teach'
    const after = applyResponse(node, history, { quality: 5, type }, { ...RULES, at: now, inCycle })
    histories.set(node.id, after.history)
    return after.node
  }
  while (!isComplete(map)) {
    const lesson = nextNode(map, unlockAt)
    const [review] = dueReviews(map, now)
    if (review) put(answer(review, 'review'))
    else if (lesson) {
      lastLesson = now
      const quizzed = QUIZ.reduce((node) => answer(node, 'teach'), lesson)
      put(completeCycle(quizzed, QUIZ, { ...RULES, at: now }))
    } else now = Math.min(...map.nodes.flatMap(({ nextReviewAt }) => nextReviewAt ?? []))
  }
  return { lastLesson: lastLesson / DAY_MS, completed: now / DAY_MS }
}

function chainOf(concepts: number): MindMap {
  const labels = Array.from({ length: concepts }, (_, index) => `Concept ${index + 1}`)
  let count = 0
  const built = buildMap(
    {
      root: labels[0] ?? '',
      nodes: labels.map((label) => ({ label, effortMinutes: 10 })),
      edges: labels.slice(1).map((child, index) => ({ parent: labels[index] ?? '', child })),
    },
    { maxNodes: concepts, maxDepth: concepts },
    () => String(count++),
  )
  if (!built.ok) throw new Error('the chain is not a map')
  return built.map
}
