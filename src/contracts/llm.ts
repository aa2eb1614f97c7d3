/**
 * What the model returns: structured outputs, snake_case on the wire, each validated before anything is stored or shown.
 * The names are part of the product's contract; the sizes in `OUTPUT_TOKENS` cap every call.
 */
import { z } from 'zod'

export const OUTPUT_TOKENS = {
  planning: 8_000,
  teaching: 2_000,
  reply: 500,
  classification: 200,
} as const

const words = z.string().min(1)

export const ConceptInventory = z.object({
  concepts: z
    .array(
      z.object({
        label: words,
        description: z.string(),
        difficulty: z.enum(['beginner', 'intermediate', 'expert']),
      }),
    )
    .min(1)
    .max(60),
})

export const QuizQuestion = z.object({
  concept_name: words,
  question_text: words,
  format: z.enum(['multiple_choice', 'short_answer']),
  options: z.array(words).min(2).max(6).optional(),
  expected_answer: words,
  scoring_criteria: z.string(),
  difficulty: z.enum(['easy', 'medium', 'hard']),
  hints: z.array(z.string()).optional(),
  solution: z.string().optional(),
  mistakes: z.array(z.object({ answer: z.string(), why: z.string() })).optional(),
  source_context: z.string().optional(),
})
export const ProbeQuestion = QuizQuestion
/** The quiz role asks for all questions of a cycle in one call. */
export const QuizQuestions = z.object({ questions: z.array(QuizQuestion).min(1).max(5) })

export const ErrorPattern = z.object({
  pattern_type: z.enum(['conceptual', 'procedural', 'careless']),
  description: words,
  suggested_remediation: z.string(),
})

export const Grade = z.object({
  is_answer: z.boolean(),
  quality: z.int().min(0).max(5),
  is_correct: z.boolean(),
  feedback_text: words,
  error_pattern: ErrorPattern.optional(),
})

/** Why an answer has the verdict that code gave it; it grades nothing. */
export const VerdictExplanation = z.object({ feedback_text: words })

const ConceptNode = z.object({
  label: words,
  description: z.string(),
  effort_minutes: z.number(),
  optional: z.boolean().optional(),
})
const ConceptEdge = z.object({ parent: words, child: words })

export const ConceptGraph = z.object({
  root: words,
  nodes: z.array(ConceptNode).min(1),
  edges: z.array(ConceptEdge),
  goal_labels: z.array(words).optional(),
})

export const ReplanAdvice = z.object({
  new_nodes: z.array(ConceptNode),
  new_edges: z.array(ConceptEdge),
  explanation: z.string(),
})

export const Lesson = z.object({
  explanation: words,
  example: z.string().optional(),
  check_question: QuizQuestion,
  easier_question: QuizQuestion.optional(),
})

export const Feedback = z.object({
  error_patterns: z.array(ErrorPattern.extend({ affected_questions: z.array(z.string()) })),
  feedback_text: words,
  improvement_areas: z.array(z.string()),
  facts_to_remember: z.array(z.string().max(200)).max(3).optional(),
})

export const DiagnosticSummary = z.object({
  learner_level: z.enum(['beginner', 'intermediate', 'advanced']),
  prerequisite_gaps: z.array(z.string()),
  recommendations: z.array(z.string()),
})

export const LearningPath = z.object({
  learning_path: z.array(z.string()),
  next_topic: z.string(),
  path_reasoning: words,
})

export const RouteDecision = z.object({
  intent: z.enum(['answer', 'diagnose', 'learn', 'plan', 'help', 'off_topic']),
  concept: z.string().optional(),
  reason: z.string(),
})

export const Extraction = z.object({
  is_answer: z.boolean(),
  category: z.enum([
    'answer',
    'teach_back_explanation',
    'conceptual_question',
    'stuck',
    'skip',
    'off_topic',
  ]),
  extracted_value: z.string().nullable(),
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
})

export const ScaffoldVerdict = z.object({
  category: z.enum([
    'correct',
    'close',
    'wrong_operation',
    'scaffold_progress',
    'conceptual_question',
    'stuck',
    'skip',
    'off_topic',
  ]),
  is_main_problem_attempt: z.boolean(),
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
})

export const Digest = z.object({ headline: words, body_markdown: words })

export type ConceptInventory = z.infer<typeof ConceptInventory>
export type QuizQuestion = z.infer<typeof QuizQuestion>
export type QuizQuestions = z.infer<typeof QuizQuestions>
export type ErrorPattern = z.infer<typeof ErrorPattern>
export type Grade = z.infer<typeof Grade>
export type VerdictExplanation = z.infer<typeof VerdictExplanation>
export type ConceptGraph = z.infer<typeof ConceptGraph>
export type ReplanAdvice = z.infer<typeof ReplanAdvice>
export type Lesson = z.infer<typeof Lesson>
export type Feedback = z.infer<typeof Feedback>
export type DiagnosticSummary = z.infer<typeof DiagnosticSummary>
export type LearningPath = z.infer<typeof LearningPath>
export type RouteDecision = z.infer<typeof RouteDecision>
export type Extraction = z.infer<typeof Extraction>
export type ScaffoldVerdict = z.infer<typeof ScaffoldVerdict>
export type Digest = z.infer<typeof Digest>
