import { isPassed } from '../mastery/quality.ts'
import { isSkipped, type MindMapNode } from '../mind-map/mind-map.ts'
import { closingOf, type GradedAnswer, type Hard, type Improved } from './closing.ts'

/** When something was said, in UTC ms, and on which concept, where that is known. */
export interface Said {
  isLearner: boolean
  nodeId: string | null
  at: number
}

/** How a concept stands when its topic is looked back upon: `open` is what was neither learned nor set aside. */
export type Standing = 'mastered' | 'learned' | 'skipped' | 'open'

/** So many answers that were right, of so many. */
export interface Tally {
  right: number
  of: number
}

/** What was learned of a topic, told from the learner's own answers. */
export interface Summary {
  concepts: { nodeId: string; label: string; standing: Standing; seconds: number; answers: Tally }[]
  hardest: Hard[]
  improved: Improved[]
}

/** Looks back on a topic. Answers and what was said come oldest first. */
export function summaryOf(
  nodes: readonly MindMapNode[],
  answers: readonly GradedAnswer[],
  said: readonly Said[],
): Summary {
  const seconds = secondsByConcept(said)
  const byNode = Map.groupBy(answers, ({ nodeId }) => nodeId)
  const { hardest, improved } = closingOf(nodes, answers)
  return {
    concepts: nodes.map((node) => ({
      ...named(node),
      standing: standingOf(node),
      seconds: seconds.get(node.id) ?? 0,
      answers: tally(byNode.get(node.id) ?? []),
    })),
    ...{ hardest, improved },
  }
}

const named = ({ id, label }: MindMapNode) => ({ nodeId: id, label })

const tally = (answers: readonly GradedAnswer[]): Tally => ({
  right: answers.filter(({ quality }) => isPassed(quality)).length,
  of: answers.length,
})

function standingOf(node: MindMapNode): Standing {
  if (node.masteryStatus === 'mastered') return 'mastered'
  if (isSkipped(node)) return 'skipped'
  return node.masteryStatus === 'reviewing' ? 'learned' : 'open'
}

/** A longer silence was a break, and counts as no more than this. */
const LONGEST_MS = 600_000

/**
 * The seconds a learner took for each concept: from what was said before to every message of theirs. A message that names
 * no concept is on the one that was spoken of last.
 */
export function secondsByConcept(said: readonly Said[]): Map<string, number> {
  const ms = new Map<string, number>()
  let before: number | null = null
  let inHand: string | null = null
  for (const { isLearner, nodeId, at } of said) {
    inHand = nodeId ?? inHand
    if (isLearner && before !== null && inHand !== null) {
      ms.set(inHand, (ms.get(inHand) ?? 0) + Math.min(LONGEST_MS, Math.max(0, at - before)))
    }
    before = at
  }
  return new Map([...ms].map(([id, took]) => [id, Math.round(took / 1000)]))
}
