import type { Diagnosis, InventoryConcept, Probe } from '../../src/domain/diagnosis/diagnosis.ts'
import {
  expectedInformation,
  GUESS,
  type KnowledgeStates,
  knowledgeStates,
  SLIP,
} from '../../src/domain/diagnosis/knowledge-states.ts'
import { inferMastery } from '../../src/domain/diagnosis/mastery-inference.ts'
import { nextProbe } from '../../src/domain/diagnosis/probes.ts'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { LEARNERS, learnersOf, NODES, type Rating, randomInventory } from './random-learners.ts'

/** Asks one learner, and says of every concept whether the learner knows it. */
type Strategy = (examinee: Examinee) => { known: boolean[]; questions: number }

/** One learner before the diagnosis: the answer, as a grade, that every concept would get. */
interface Examinee {
  concepts: InventoryConcept[]
  prior: KnowledgeStates
  grades: Map<string, number>
}

/** Without prerequisites a sample depends on the number of concepts only. */
const statesOfRanks = knowledgeStates(
  Array.from({ length: NODES }, (_, index) => ({
    label: String(index),
    difficulty: 'beginner',
    prerequisites: [],
  })),
)

export const STRATEGIES = {
  'no question': (examinee) => read(examinee, []),
  'plain bisection, below the frontier known': (examinee) => {
    const probes = bisect(examinee)
    const right = probes.filter(({ quality }) => quality >= 3).map(({ label }) => label)
    const ranks = examinee.concepts.map(({ label }) => label)
    const frontier = Math.max(-1, ...right.map((label) => ranks.indexOf(label)))
    return { known: ranks.map((_, index) => index <= frontier), questions: probes.length }
  },
  'bisection read by Bayes': (examinee) => read(examinee, bisect(examinee)),
  'standard: bisection, then information': (examinee) =>
    read(examinee, diagnose(examinee, 'standard')),
  'standard, prerequisites unknown': (examinee) => {
    const concepts = examinee.concepts.map((concept) => ({ ...concept, prerequisites: [] }))
    const blind = { ...examinee, concepts, prior: statesOfRanks }
    return read(blind, diagnose(blind, 'standard'))
  },
  'information from the start, 7': (examinee) => read(examinee, mostInformative(examinee, 7)),
  'thorough: bisection, then information': (examinee) =>
    read(examinee, diagnose(examinee, 'thorough')),
  'information from the start, 10': (examinee) => read(examinee, mostInformative(examinee, 10)),
} satisfies Record<string, Strategy>

export type StrategyName = keyof typeof STRATEGIES

/** Share of concepts classified right, with its standard error over maps, and questions asked. */
export interface Score {
  share: number
  standardError: number
  questions: number
}

export interface Simulation {
  maps: number
  /** Learners of each of the three kinds on every map. */
  learnersOfAKind: number
  rating: Rating
  seed: number
  strategies: readonly StrategyName[]
}

/** Every learner meets every strategy with the same answers; same arguments, same scores. */
export function simulate(simulation: Simulation): Map<StrategyName, Score> {
  const random = seededRandom(simulation.seed)
  const shares = new Map(simulation.strategies.map((name) => [name, [] as number[]]))
  const questions = new Map(simulation.strategies.map((name) => [name, [] as number[]]))
  for (let map = 0; map < simulation.maps; map++) {
    const results = examineMap(simulation, random)
    for (const [name, { share, asked }] of results) {
      shares.get(name)?.push(share)
      questions.get(name)?.push(asked)
    }
  }
  return new Map(
    simulation.strategies.map((name) => {
      const perMap = shares.get(name) ?? []
      const share = mean(perMap)
      const variance = mean(perMap.map((value) => (value - share) ** 2))
      const standardError = Math.sqrt(variance / (perMap.length - 1))
      return [name, { share, standardError, questions: mean(questions.get(name) ?? []) }]
    }),
  )
}

function examineMap({ learnersOfAKind, rating, strategies }: Simulation, random: () => number) {
  const concepts = randomInventory(random, rating)
  const prior = knowledgeStates(concepts)
  const learner = learnersOf(concepts, random)
  const learners = LEARNERS.flatMap((kind) =>
    Array.from({ length: learnersOfAKind }, () => {
      const truth = learner(kind)
      const right = truth.map((known) => random() < (known ? 1 - SLIP : GUESS))
      const grades = new Map(concepts.map(({ label }, i) => [label, right[i] ? 5 : 1]))
      return { truth, examinee: { concepts, prior, grades } }
    }),
  )
  return strategies.map((name) => {
    const outcomes = learners.map(({ truth, examinee }) => {
      const { known, questions } = STRATEGIES[name](examinee)
      return { share: mean(truth.map((is, i) => (is === known[i] ? 1 : 0))), asked: questions }
    })
    const share = mean(outcomes.map((outcome) => outcome.share))
    return [name, { share, asked: mean(outcomes.map(({ asked }) => asked)) }] as const
  })
}

function read({ concepts, prior }: Examinee, probes: Probe[]): ReturnType<Strategy> {
  const estimates = inferMastery({ concepts, probes, depth: 'standard' }, prior)
  return { known: estimates.map(({ inferred }) => inferred >= 0.5), questions: probes.length }
}

function ask({ grades }: Examinee, label: string): Probe {
  return { label, quality: grades.get(label) ?? 0 }
}

function bisect(examinee: Examinee): Probe[] {
  return diagnose(examinee, 'standard', 'bisection')
}

function diagnose(examinee: Examinee, depth: Diagnosis['depth'], phase?: 'bisection'): Probe[] {
  const { concepts, prior } = examinee
  const probes: Probe[] = []
  for (;;) {
    const next = nextProbe({ concepts, probes, depth }, prior)
    if (!next || (phase && next.phase !== phase)) return probes
    probes.push(ask(examinee, next.label))
  }
}

function mostInformative(examinee: Examinee, count: number): Probe[] {
  const { concepts, prior } = examinee
  const probes: Probe[] = []
  while (probes.length < count) {
    const [best] = inferMastery({ concepts, probes, depth: 'thorough' }, prior)
      .filter(({ measured }) => measured === null)
      .sort((a, b) => expectedInformation(b.inferred) - expectedInformation(a.inferred))
    if (!best) break
    probes.push(ask(examinee, best.label))
  }
  return probes
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
