import type { Course } from '../../contracts/course-pack.ts'
import { type LoadedArc, spokenLanguage } from '../../domain/arc/state.ts'
import type { Asking, MindStepKind, StepOutputs } from '../../domain/arc/steps.ts'
import { inferMastery } from '../../domain/diagnosis/mastery-inference.ts'
import { learnerLevel } from '../../domain/diagnosis/summary.ts'
import { frontier } from '../../domain/mind-map/frontier.ts'
import { hashText } from '../../domain/random/seeded-random.ts'
import { type StepRows, stepRows } from '../../store/arc/context.ts'
import { ask, type Live, type Mind, TutorFailure } from '../../tutor/mind.ts'
import type { Step } from '../../tutor/step.ts'
import type { StepContext } from '../../tutor/steps/arc/context.ts'
import { ARC_STEPS } from '../../tutor/steps.ts'
import type { Thought } from '../spine/product.ts'

export type MindAsking = Extract<Asking, { kind: MindStepKind }>

export interface Minds {
  offline: Mind
  anthropic: Mind | null
}

/** Everything that a step of an arc may be told, made of the arc and of the rows that were read for it. */
export function contextOf(
  arc: LoadedArc,
  asking: MindAsking,
  rows: readonly unknown[][],
  courses: readonly Course[],
): StepContext {
  const { nodeId, description, ...read } = stepRows(arc, asking, rows)
  const { map, state, rules } = arc
  const course = courses.find(({ courseId }) => courseId === arc.courseId) ?? null
  const node = map.nodes.find(({ id }) => id === nodeId) ?? null
  const unit = course?.units.find(({ unitId }) => unitId === node?.unitId) ?? null
  return {
    kind: asking.kind,
    input: asking.input,
    seed: hashText(asking.key),
    arc: {
      topic: arc.topic,
      goal: arc.goal,
      language: spokenLanguage(arc),
      level: levelOf(arc),
      phase: state.phase,
      limits: { maxNodes: rules.maxNodes, maxDepth: rules.maxDepth },
    },
    frontier: frontier(map, rules.unlockAt).map(({ label, masteryStatus }) => ({
      label,
      status: masteryStatus,
    })),
    concepts: conceptsOf(arc),
    concept: node && { id: node.id, label: node.label, description, unitId: node.unitId },
    probes: state.diagnosis?.probes ?? [],
    inventory: state.diagnosis?.concepts.map((concept) => concept.label) ?? [],
    chances: [],
    goalUnitIds: arc.goalUnitIds,
    course,
    unit,
    material: unit
      ? [{ source: `${course?.title}: ${unit.title}`, text: `${unit.anchor}\n\n${unit.lesson}` }]
      : [],
    ...(read as Omit<StepRows, 'nodeId' | 'description'>),
  } as StepContext
}

/** Steps that are told how likely each concept is known. */
const CHANCES_TOLD: readonly MindStepKind[] = [
  ...(['graph', 'lesson', 'quiz', 'review', 'exercises', 'grade', 'explain', 'help'] as const),
]

/** The learner's own word about their level, else what the diagnosis has measured. */
function levelOf({ rules, state: { diagnosis, diagnosed } }: LoadedArc): string {
  if (rules.level !== 'unknown' || !diagnosed || !diagnosis) return rules.level
  return diagnosis.probes.length > 0 ? learnerLevel(diagnosis) : rules.level
}

/** The context with what the diagnosis says of each concept, which takes a while to compute and only a model is told. */
export function withChances(
  context: StepContext,
  { state: { diagnosis } }: LoadedArc,
): StepContext {
  if (!CHANCES_TOLD.includes(context.kind) || !diagnosis?.probes.length) return context
  const chances = inferMastery(diagnosis).map(({ label, inferred, measured }) => ({
    label,
    chance: inferred,
    measured,
  }))
  return { ...context, chances }
}

function conceptsOf({ map }: LoadedArc): StepContext['concepts'] {
  const label = new Map(map.nodes.map((node) => [node.id, node.label]))
  const needs = new Map<string, string[]>()
  for (const { parentNodeId, childNodeId, edgeType } of map.edges) {
    if (edgeType !== 'prerequisite') continue
    const before = needs.get(childNodeId) ?? []
    needs.set(childNodeId, [...before, label.get(parentNodeId) ?? ''])
  }
  return map.nodes.map((node) => ({
    id: node.id,
    label: node.label,
    status: node.masteryStatus,
    score: node.masteryScore,
    prerequisites: needs.get(node.id) ?? [],
  }))
}

/** Whether the offline tutor answers, on the spot: it is the arc's, or it stands in where no model is connected. */
export const isOffline = ({ tutor, courseId }: LoadedArc, { anthropic }: Minds): boolean =>
  tutor === 'offline' || (anthropic === null && courseId !== null)

/** Steps that an installed course answers with its map, its bank and its keys, whoever explains. */
const OF_THE_COURSE: readonly MindStepKind[] = ['inventory', 'probe', 'graph', 'quiz', 'review']

/**
 * Whether the course that an arc is taught from answers a step, in an arc of a model too: the first lesson on a concept
 * is the course's; the later ones, which go by the learner's errors, are the model's.
 */
export function isOfTheCourse(
  { courseId }: LoadedArc,
  { kind, input }: MindAsking,
  courses: readonly Course[],
): boolean {
  if (!courses.some((course) => course.courseId === courseId)) return false
  if (kind === 'lesson') return input.cycle === 1 && input.replaces === null
  return OF_THE_COURSE.includes(kind)
}

/** What the offline tutor says to a step: code, so at once. */
export const answerOffline = <K extends MindStepKind>(context: StepContext<K>): StepOutputs[K] =>
  ARC_STEPS[context.kind].offline(context)

/**
 * Has a model answer a step.
 * @throws {TutorFailure} `refused` where none is connected
 */
export async function askModel(
  { anthropic }: Minds,
  context: StepContext,
  live: Live,
): Promise<Thought> {
  if (anthropic)
    return ask(anthropic, ARC_STEPS[context.kind] as Step<StepContext, unknown>, context, live)
  throw new TutorFailure('refused', 'No model is configured. Set ANTHROPIC_API_KEY and restart.')
}
