import { isHelped, isPassed } from '../mastery/quality.ts'
import type { ResponseType } from '../mastery/status.ts'
import { isSkipped, type MindMapNode } from '../mind-map/mind-map.ts'
import { bySequence } from '../mind-map/node-order.ts'

/** A graded answer of the learner on a concept. */
export interface GradedAnswer {
  nodeId: string
  /** A whole number from 0 to 5. */
  quality: number
  type: ResponseType
}

/** A unit of the course that the arc is taught from. */
export interface CourseUnit {
  unitId: string
  title: string
  prerequisites: readonly string[]
}

interface Named {
  nodeId: string
  label: string
}

/** A concept that took work: of its answers, how many were missed, and how many were right only with help. */
export interface Hard extends Named {
  answers: number
  missed: number
  helped: number
}

/** A concept whose last answers are all right and whose first ones were not: of `of` answers each, how many were right. */
export interface Improved extends Named {
  of: number
  first: number
  last: number
}

/** Where it could go on: a concept set aside, an extra of the map, or a unit of the course beyond the map. */
export interface Onward {
  kind: 'aside' | 'extra' | 'course'
  /** Null of a unit that is not in the map. */
  nodeId: string | null
  label: string
}

/** What a learner has made of a topic, by their own answers. */
export interface Closing {
  total: number
  mastered: number
  /** Concepts that the learner set aside and has not mastered. */
  aside: number
  /** Supplementary concepts that were not mastered. */
  extra: number
  /** Graded answers after the diagnosis. */
  answers: number
  /** At most three each, the first the most telling. */
  hardest: Hard[]
  improved: Improved[]
  next: Onward[]
}

const MOST = 3
/** So many answers that did not come by themselves make a concept hard. */
const TELLING = 2

/**
 * Sums up a topic that is completed, from the learner's own answers.
 * @param answers of all concepts, oldest first
 * @param units of the course, in its order; none without a course
 */
export function closingOf(
  nodes: readonly MindMapNode[],
  answers: readonly GradedAnswer[],
  units: readonly CourseUnit[] = [],
): Closing {
  const concepts = [...nodes].sort(bySequence)
  const byNode = Map.groupBy(answers, ({ nodeId }) => nodeId)
  const answered = concepts.map((node) => ({ node, all: byNode.get(node.id) ?? [] }))
  const left = concepts.filter((node) => !isMastered(node))
  return {
    total: concepts.length,
    mastered: concepts.length - left.length,
    aside: left.filter(isSkipped).length,
    extra: left.filter((node) => !isSkipped(node)).length,
    answers: answers.filter(isGraded).length,
    hardest: hardest(answered),
    improved: improved(answered),
    next: next(concepts, left, units),
  }
}

const isMastered = ({ masteryStatus }: MindMapNode) => masteryStatus === 'mastered'
const isGraded = ({ type }: GradedAnswer) => type !== 'diagnostic'
const isRight = ({ quality }: GradedAnswer) => isPassed(quality)
const named = ({ id, label }: MindMapNode): Named => ({ nodeId: id, label })

interface Answered {
  node: MindMapNode
  all: readonly GradedAnswer[]
}

function hardest(concepts: readonly Answered[]): Hard[] {
  return concepts
    .map(({ node, all }) => {
      const graded = all.filter(isGraded)
      const right = graded.filter(isRight)
      const missed = graded.length - right.length
      const helped = right.filter(({ quality }) => isHelped(quality)).length
      return { ...named(node), answers: graded.length, missed, helped }
    })
    .filter(({ missed, helped }) => missed > 0 && missed + helped >= TELLING)
    .sort((a, b) => b.missed - a.missed || b.helped - a.helped)
    .slice(0, MOST)
}

/** The first answers and the last, at most three each and none of them twice. */
function improved(concepts: readonly Answered[]): Improved[] {
  return concepts
    .filter(({ node }) => isMastered(node))
    .map(({ node, all }) => {
      const of = Math.min(MOST, Math.floor(all.length / 2))
      const first = all.slice(0, of).filter(isRight).length
      const last = all.slice(all.length - of).filter(isRight).length
      return { ...named(node), of, first, last }
    })
    .filter(({ of, first, last }) => last === of && first < last)
    .sort((a, b) => b.last - b.first - (a.last - a.first))
    .slice(0, MOST)
}

function next(
  concepts: readonly MindMapNode[],
  left: readonly MindMapNode[],
  units: readonly CourseUnit[],
): Onward[] {
  const aside = left.filter(isSkipped).map((node) => ({ kind: 'aside' as const, ...named(node) }))
  const extra = left
    .filter((node) => !isSkipped(node))
    .map((node) => ({ kind: 'extra' as const, ...named(node) }))
  const here = new Set(concepts.flatMap(({ unitId }) => unitId ?? []))
  const known = new Set(concepts.filter(isMastered).flatMap(({ unitId }) => unitId ?? []))
  const beyond = units
    .filter(({ unitId, prerequisites }) => {
      const isNext = prerequisites.length > 0 && prerequisites.every((id) => known.has(id))
      return isNext && !here.has(unitId)
    })
    .map(({ title }) => ({ kind: 'course' as const, nodeId: null, label: title }))
  return [...aside, ...extra, ...beyond].slice(0, MOST)
}
