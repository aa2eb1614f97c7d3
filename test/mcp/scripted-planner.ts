import type { StepOutputs } from '../../src/domain/arc/steps.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import type { StepContext } from '../../src/tutor/steps/arc/context.ts'

type Answer = unknown | ((context: StepContext) => unknown)

/** A planner that answers with what it was given, in order, and remembers what it was asked. */
export interface ScriptedPlanner extends Mind {
  answers: Answer[]
  asked: StepContext[]
}

/** Every answer is an output of the step, an error to throw, or a function of the step's context. */
export function scriptedPlanner(): ScriptedPlanner {
  const planner: ScriptedPlanner = {
    name: 'anthropic',
    answers: [],
    asked: [],
    async run(_, context, live) {
      planner.asked.push(context as StepContext)
      const next = planner.answers.shift()
      const answer = typeof next === 'function' ? await next(context, live) : next
      if (answer instanceof Error) throw answer
      return {
        output: answer as never,
        model: 'scripted',
        inputTokens: 1,
        outputTokens: 1,
      }
    },
  }
  return planner
}

export interface GraphSketch {
  root?: string
  /** "label" or "label:effort". */
  nodes: string[]
  /** "parent>child". */
  edges: string[]
  goalLabels?: string[]
  optional?: string[]
}

/** A graph as the planner returns it; the first node is the root unless told otherwise. */
export function graph(sketch: GraphSketch): StepOutputs['graph'] {
  const nodes = sketch.nodes.map((one) => {
    const [label = '', effort = '10'] = one.split(':')
    return {
      label,
      description: `About ${label}`,
      effortMinutes: Number(effort),
      unitId: null,
      ...(sketch.optional?.includes(label) ? { optional: true } : {}),
    }
  })
  return {
    root: sketch.root ?? nodes[0]?.label ?? '',
    nodes,
    edges: sketch.edges.map((edge) => {
      const [parent = '', child = ''] = edge.split('>')
      return { parent, child }
    }),
    goalLabels: sketch.goalLabels ?? [],
  }
}

/** A chain: each concept needs the one before. */
export function chain(labels: string[]): GraphSketch {
  return {
    nodes: labels,
    edges: labels.slice(1).map((label, index) => `${labels[index]}>${label}`),
  }
}

/** A root with `count - 1` concepts directly below it. */
export function star(count: number, root = 'Topic'): GraphSketch {
  const leaves = Array.from({ length: count - 1 }, (_, index) => `Concept ${index + 1}`)
  return { nodes: [root, ...leaves], edges: leaves.map((leaf) => `${root}>${leaf}`) }
}
