import type { QuestionDigest, StepDigests, StepKind } from '../domain/arc/model-step.ts'
import type { ErrorPattern } from '../domain/learning-cycle/error-pattern.ts'
import type { StepOutputs, TutorQuestion } from '../tutor/tutor.ts'

type Digest = { [K in StepKind]: (output: StepOutputs[K]) => StepDigests[K] }

const questions = (asked: TutorQuestion[]): QuestionDigest[] =>
  asked.map(({ concept, format }) => ({ concept, format }))

const pattern = (
  found: {
    pattern_type: ErrorPattern['patternType']
    description: string
    suggested_remediation: string
  },
  affectedQuestions: string[],
): ErrorPattern => ({
  patternType: found.pattern_type,
  description: found.description,
  affectedQuestions,
  suggestedRemediation: found.suggested_remediation,
})

const DIGESTS: Digest = {
  inventory: ({ concepts }) => ({
    concepts: concepts.map(({ label, difficulty, prerequisites }) => ({
      label,
      difficulty,
      prerequisites,
    })),
  }),
  probe: (output) => ({ questions: questions(output.questions) }),
  summary: (output) => ({ level: output.learner_level }),
  graph: ({ root, nodes, edges, goalLabels }) => ({
    root,
    nodes: nodes.map(({ description: _, ...node }) => node),
    edges,
    goalLabels,
  }),
  lesson: (output) => ({ questions: questions(output.questions) }),
  quiz: (output) => ({ questions: questions(output.questions) }),
  review: (output) => ({ questions: questions(output.questions) }),
  grade: ({ quality, error_pattern }) => ({
    quality,
    error: error_pattern ? pattern(error_pattern, []) : null,
  }),
  feedback: (output) => ({
    errors: output.error_patterns.map((found) => pattern(found, found.affected_questions)),
  }),
  replan: ({ nodes, edges }) => ({
    nodes: nodes.map(({ description: _, ...node }) => node),
    edges,
  }),
  path: () => ({}),
  route: ({ intent, concept, reason }) => ({ intent, concept: concept ?? null, reason }),
  help: () => ({}),
}

/** What a workflow needs to know of a step's output: no texts, but labels and verdicts. */
export function digestOf<K extends StepKind>(kind: K, output: StepOutputs[K]): StepDigests[K] {
  return DIGESTS[kind](output)
}
