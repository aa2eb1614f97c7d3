import { isPassed } from '../mastery/quality.ts'
import type { MindMapNode } from '../mind-map/mind-map.ts'

/** An answer as it was graded. */
export interface Graded {
  nodeId: string
  quality: number
}

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

type Concept = Pick<MindMapNode, 'id' | 'label' | 'masteryStatus' | 'metadata'>

/** What was learned of a topic, told from the learner's own answers. */
export interface Summary {
  concepts: { nodeId: string; label: string; standing: Standing; seconds: number; answers: Tally }[]
  /** What took the most, the hardest first. */
  hardest: { nodeId: string; label: string; lessons: number; answers: Tally }[]
  /** Where the last answers are clearly better than the first, the most improved first. */
  improved: { nodeId: string; label: string; first: Tally; last: Tally }[]
}

const MOST = 3

/** Looks back on a topic. Answers and what was said come oldest first. */
export function summaryOf(
  nodes: readonly Concept[],
  answers: readonly Graded[],
  said: readonly Said[],
): Summary {
  const seconds = secondsByConcept(said)
  const byNode = Map.groupBy(answers, ({ nodeId }) => nodeId)
  const answersOf = ({ id }: Concept) => byNode.get(id) ?? []
  return {
    concepts: nodes.map((node) => ({
      ...named(node),
      standing: standingOf(node),
      seconds: seconds.get(node.id) ?? 0,
      answers: tally(answersOf(node)),
    })),
    hardest: hardestOf(nodes, answersOf),
    improved: improvedOf(nodes, answersOf),
  }
}

const named = ({ id, label }: Concept) => ({ nodeId: id, label })

const tally = (answers: readonly Graded[]): Tally => ({
  right: answers.filter(({ quality }) => isPassed(quality)).length,
  of: answers.length,
})

const wrongOf = ({ right, of }: Tally): number => of - right

function standingOf({ masteryStatus, metadata }: Concept): Standing {
  if (masteryStatus === 'mastered') return 'mastered'
  if (metadata.skipped === true) return 'skipped'
  return masteryStatus === 'reviewing' ? 'learned' : 'open'
}

/** The concepts that had to be explained more than once, the most often explained first. */
export function mostExplained<C extends Pick<MindMapNode, 'metadata'>>(nodes: readonly C[]): C[] {
  return nodes
    .filter(({ metadata }) => (metadata.lessons ?? 0) > 1)
    .sort((a, b) => (b.metadata.lessons ?? 0) - (a.metadata.lessons ?? 0))
    .slice(0, MOST)
}

/** One wrong answer is no sign of a hard concept. */
const HARD_FROM = 2

/** What was explained most often; where nothing was explained twice, what was answered wrong most often. */
function hardestOf(
  nodes: readonly Concept[],
  answersOf: (node: Concept) => readonly Graded[],
): Summary['hardest'] {
  const explained = mostExplained(nodes)
  const told = (explained.length > 0 ? explained : nodes).map((node) => ({
    ...named(node),
    lessons: node.metadata.lessons ?? 0,
    answers: tally(answersOf(node)),
  }))
  if (explained.length > 0) return told
  return told
    .filter(({ answers }) => wrongOf(answers) >= HARD_FROM)
    .sort((a, b) => wrongOf(b.answers) - wrongOf(a.answers))
    .slice(0, MOST)
}

/** So many answers at each end are compared, where there are as many. */
const COMPARED = 3
/** Fewer at each end say nothing. */
const LEAST_COMPARED = 2

const shareOf = ({ right, of }: Tally): number => right / of

function improvedOf(
  nodes: readonly Concept[],
  answersOf: (node: Concept) => readonly Graded[],
): Summary['improved'] {
  return nodes
    .flatMap((node) => {
      const answers = answersOf(node)
      const count = Math.min(COMPARED, Math.floor(answers.length / 2))
      if (count < LEAST_COMPARED) return []
      const first = tally(answers.slice(0, count))
      const last = tally(answers.slice(-count))
      const isGood = wrongOf(last) <= 1 && last.right > first.right
      return isGood ? [{ ...named(node), first, last }] : []
    })
    .sort((a, b) => gain(b) - gain(a))
    .slice(0, MOST)
}

const gain = ({ first, last }: Summary['improved'][number]) => shareOf(last) - shareOf(first)

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
