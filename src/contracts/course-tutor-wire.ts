/** The one place where the course tutor's snake_case answers of the model become the domain's camelCase. */
import type { z } from 'zod'
import type { Reading } from '../domain/course/brief.ts'
import type { DrillGrade as GradedDrill } from '../domain/course/drills/drill-grade.ts'
import type {
  ConceptContent,
  DrillContent,
  ExamSuggestion,
  TutorResponse,
  WorkedExample,
} from '../domain/course/policy/tutor-response.ts'
import { DrillGrade, LlmTutorResponse } from './course-tutor.ts'

/**
 * Reads the model's answer to a turn, text or parsed JSON, by LlmTutorResponse. A null stands for a
 * field left out, and `difficulty_tier` for the one name the seed writes in camelCase.
 */
export function readTutorResponse(answer: unknown): Reading<TutorResponse> {
  const read = parse(LlmTutorResponse, answer, (json) => JSON.parse(json, normalizeField))
  return read.ok ? { ok: true, value: toTutorResponse(read.value) } : read
}

/** Reads the grade of a drill, text or parsed JSON; seed 004's own camelCase names are accepted. */
export function readDrillGrade(answer: unknown): Reading<GradedDrill> {
  const read = parse(DrillGrade, answer, (json) => {
    const fields: unknown = JSON.parse(json)
    return typeof fields === 'object' && fields !== null ? snakeCaseKeys(fields) : fields
  })
  if (!read.ok) return read
  const { is_correct, feedback_text, common_mistake_tag } = read.value
  const value = {
    isCorrect: is_correct,
    feedbackText: feedback_text,
    commonMistakeTag: common_mistake_tag,
  }
  return { ok: true, value }
}

/** The same answer in the domain's names. */
function toTutorResponse(llm: LlmTutorResponse): TutorResponse {
  return {
    action: llm.action,
    targetUnitId: llm.target_unit_id,
    tutorText: llm.tutor_text,
    analysis: {
      mappedUnits: llm.mapped_units.map(({ unit_id, confidence }) => ({
        unitId: unit_id,
        confidence,
      })),
      studentIntent: llm.turn_analysis.student_intent,
      understandingSignal: llm.turn_analysis.understanding_signal,
      suggestedPrereqUnits: llm.turn_analysis.suggested_prereq_units,
    },
    ...(llm.concept_card && { conceptCard: toConcept(llm.concept_card) }),
    ...(llm.drill_card && { drillCard: toDrill(llm.drill_card) }),
    ...(llm.exam_suggestion && { examSuggestion: toExam(llm.exam_suggestion) }),
  }
}

type Present<K extends keyof LlmTutorResponse> = NonNullable<LlmTutorResponse[K]>

function toConcept({ key_ideas, worked_example }: Present<'concept_card'>): ConceptContent {
  const examples: WorkedExample[] = []
  if (worked_example !== undefined) {
    const { problem_latex, final_answer_latex, steps_latex } = worked_example
    examples.push({
      problemLatex: problem_latex,
      finalAnswerLatex: final_answer_latex,
      ...(steps_latex && { stepsLatex: steps_latex }),
    })
  }
  return { keyIdeas: key_ideas, workedExamples: examples }
}

function toDrill(drill: Present<'drill_card'>): DrillContent {
  return {
    prompt: drill.prompt,
    questionLatex: drill.question_latex,
    expectedAnswer: drill.expected_answer,
  }
}

function toExam(exam: Present<'exam_suggestion'>): ExamSuggestion {
  return { questionId: exam.question_id, difficultyTier: exam.difficultyTier }
}

function parse<T>(
  schema: z.ZodType<T>,
  answer: unknown,
  decode: (json: string) => unknown,
): Reading<T> {
  let decoded: unknown
  try {
    decoded = decode(typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? ''))
  } catch {
    return { ok: false, problems: ['not JSON'] }
  }
  const result = schema.safeParse(decoded)
  if (result.success) return { ok: true, value: result.data }
  const problems = result.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'answer' : path.join('.')}: ${message}`,
  )
  return { ok: false, problems }
}

function normalizeField(_key: string, value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== 'object' || !('difficulty_tier' in value)) return value
  const { difficulty_tier, ...fields } = value
  return { difficultyTier: difficulty_tier, ...fields }
}

function snakeCaseKeys(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
}
