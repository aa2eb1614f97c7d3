import type { MindStepKind, StepInputs } from '../../../src/domain/arc/steps.ts'
import type { Live, Mind } from '../../../src/tutor/mind.ts'
import type { AskedQuestion, StepContext } from '../../../src/tutor/steps/arc/context.ts'
import { ARC_STEPS } from '../../../src/tutor/steps.ts'

export const sampleQuestion: AskedQuestion = {
  id: 'q-7',
  nodeId: 'n-2',
  kind: 'quiz',
  quality: 1,
  concept: 'Halving',
  text: 'What is half of 12?',
  format: 'short_answer',
  options: null,
  key: { type: 'number', value: '6' },
  expected: '6',
  criteria: 'The number.',
  difficulty: 'easy',
  hints: [],
  solution: null,
  mistakes: [],
  source: null,
}

/** An input of each kind, as a workflow would give it. */
export const SAMPLE_INPUTS: { [K in MindStepKind]: StepInputs[K] } = {
  inventory: {},
  probe: { label: 'Halving' },
  summary: { probes: [{ label: 'Halving', quality: 1 }] },
  graph: { violations: [], goal: null },
  lesson: { nodeId: 'n-2', cycle: 1, showing: 1, missed: [], errors: [], replaces: null },
  quiz: { nodeId: 'n-2', count: 3, missed: [], easier: false },
  review: { nodeId: 'n-2', purpose: 'review' },
  exercises: { nodeIds: ['n-2'], turn: 4 },
  grade: { questionId: 'q-7', messageId: 'm-1', again: false },
  explain: { questionId: 'q-7', messageId: 'm-1', codeVerdict: 'wrong', tried: null },
  feedback: { nodeId: 'n-2', cycle: 1, questionIds: ['q-7'] },
  replan: { reason: 'not mastered after 5 cycles: Halving', goal: null, nodeId: 'n-2' },
  path: { purpose: 'asked' },
  route: { messageId: 'm-1', questionId: 'q-7' },
  help: {
    messageId: 'm-1',
    questionId: 'q-7',
    concept: null,
    wish: 'question',
    times: 0,
    replaces: null,
  },
}

export const KINDS = Object.keys(SAMPLE_INPUTS) as MindStepKind[]

/** A context in the middle of an arc, with what `changes` says in place of its own. */
export function sampleContext<K extends MindStepKind>(
  kind: K,
  changes: Partial<StepContext<K>> = {},
): StepContext<K> {
  return {
    kind,
    input: SAMPLE_INPUTS[kind],
    seed: 1,
    arc: {
      topic: 'Weaving',
      goal: null,
      language: 'en',
      level: 'unknown',
      phase: 'TEACHING',
      limits: { maxNodes: 30, maxDepth: 5 },
    },
    frontier: [{ label: 'Halving', status: 'learning' }],
    concepts: [
      { id: 'n-1', label: 'Weaving', status: 'mastered', score: 0.9, prerequisites: [] },
      { id: 'n-2', label: 'Halving', status: 'learning', score: 0.2, prerequisites: ['Weaving'] },
    ],
    concept: { id: 'n-2', label: 'Halving', description: 'Into two like parts.', unitId: null },
    responses: [{ question: 'Half of 8?', answer: '5', quality: 1 }],
    facts: ['Likes pictures.'],
    material: [{ source: 'weaving.md', text: 'The weft crosses the warp.' }],
    probes: [{ label: 'Halving', quality: 1 }],
    inventory: ['Halving', 'Doubling'],
    chances: [{ label: 'Halving', chance: 0.2, measured: 1 }],
    course: null,
    unit: null,
    goalUnitIds: [],
    asked: [{ id: 'q-7', source: null, text: 'What is half of 12?', quality: 1 }],
    questions: [sampleQuestion],
    message: { id: 'm-1', text: 'It is half right' },
    ...changes,
  } as StepContext<K>
}

export interface Heard extends Live {
  controller: AbortController
  pieces: string[]
  tokens: number
}

/** Listens to a step: what was shown, and how often the model gave a sign of life. */
export function listener(): Heard {
  const controller = new AbortController()
  const heard: Heard = {
    controller,
    signal: controller.signal,
    pieces: [],
    tokens: 0,
    onText: (piece) => heard.pieces.push(piece),
    onToken: () => {
      heard.tokens += 1
    },
  }
  return heard
}

/** Runs the step of that context. */
export const runStep = <K extends MindStepKind>(mind: Mind, context: StepContext<K>, live: Live) =>
  mind.run(ARC_STEPS[context.kind], context, live)
