import type { ExamAvailability, ExamCandidate } from '../exams/exam-availability.ts'
import type { TutorPolicy } from './tutor-policy.ts'
import type { ConceptContent, ExamSuggestion, TutorMove } from './tutor-response.ts'

export type PolicyRule =
  | 'action_not_allowed'
  | 'target_out_of_scope'
  | 'card_on_socratic_question'
  | 'missing_card'
  | 'concept_without_stuck'
  | 'too_many_key_ideas'
  | 'too_many_worked_examples'
  | 'too_many_words'
  | 'wrong_exam_tier'
  | 'exam_not_candidate'
  | 'exam_not_available'

export interface PolicyViolation {
  readonly rule: PolicyRule
  readonly detail: string
}

/** Key ideas on one concept card. Seed 004 PF-3.6.5. */
export const MAX_KEY_IDEAS = 3

export interface TurnGuard {
  readonly policy: TutorPolicy
  readonly examCandidates: readonly ExamCandidate[]
  readonly examAvailability: ExamAvailability
}

/**
 * Every rule of the turn's policy that the move breaks; empty when it may be shown. The word limit
 * holds for the tutor's text and for the concept card, each by itself. A card that belongs to
 * another card action is not shown and breaks nothing. Seed 004 PF-3.6.5 and PF-3.7.
 */
export function validateAgainstPolicy(move: TutorMove, guard: TurnGuard): PolicyViolation[] {
  const { policy } = guard
  const { action, targetUnitId, tutorText } = move
  const violations: PolicyViolation[] = []
  if (!policy.allowedActions.includes(action)) {
    violations.push({ rule: 'action_not_allowed', detail: action })
  }
  if (!policy.scopedUnitIds.includes(targetUnitId)) {
    violations.push({ rule: 'target_out_of_scope', detail: targetUnitId })
  }
  violations.push(...tooManyWords('text', proseWords(tutorText), policy))
  switch (action) {
    case 'SOCRATIC_QUESTION':
      return [...violations, ...cardsOnQuestion(move)]
    case 'CONCEPT_CARD':
      return [...violations, ...conceptViolations(move.conceptCard, policy)]
    case 'DRILL_CARD':
      return move.drillCard?.prompt.trim() && move.drillCard.questionLatex.trim()
        ? violations
        : [...violations, { rule: 'missing_card', detail: 'drill card' }]
    case 'EXAM_BLOCK':
      return [...violations, ...examViolations(move.examSuggestion, guard)]
  }
}

function cardsOnQuestion(move: TutorMove): PolicyViolation[] {
  const cards = [
    move.conceptCard && 'concept card',
    move.drillCard && 'drill card',
    move.examSuggestion && 'exam suggestion',
  ]
  return cards
    .filter((card) => card !== undefined)
    .map((detail) => ({ rule: 'card_on_socratic_question', detail }))
}

function conceptViolations(
  card: ConceptContent | undefined,
  policy: TutorPolicy,
): PolicyViolation[] {
  const violations: PolicyViolation[] = []
  if (!policy.stuck) violations.push({ rule: 'concept_without_stuck', detail: policy.focusUnitId })
  if (card === undefined || card.keyIdeas.length === 0) {
    return [...violations, { rule: 'missing_card', detail: 'concept card' }]
  }
  const { keyIdeas, workedExamples } = card
  if (keyIdeas.length > MAX_KEY_IDEAS) {
    violations.push({ rule: 'too_many_key_ideas', detail: `${keyIdeas.length} key ideas` })
  }
  if (workedExamples.length > policy.constraints.maxWorkedExamples) {
    const detail = `${workedExamples.length} worked examples`
    violations.push({ rule: 'too_many_worked_examples', detail })
  }
  const latex = workedExamples.flatMap(({ problemLatex, finalAnswerLatex, stepsLatex = [] }) => [
    problemLatex,
    ...stepsLatex,
    finalAnswerLatex,
  ])
  const words = proseWords(keyIdeas.join(' ')) + latexWords(latex.join(' '))
  return [...violations, ...tooManyWords('concept card', words, policy)]
}

function examViolations(
  suggestion: ExamSuggestion | undefined,
  { policy, examCandidates, examAvailability }: TurnGuard,
): PolicyViolation[] {
  if (suggestion === undefined) return [{ rule: 'missing_card', detail: 'exam suggestion' }]
  const { questionId, difficultyTier } = suggestion
  const violations: PolicyViolation[] = []
  const candidate = examCandidates.find((exam) => exam.questionId === questionId)
  if (candidate === undefined) {
    violations.push({ rule: 'exam_not_candidate', detail: questionId })
  }
  const tiers = [difficultyTier, candidate?.difficultyTier ?? difficultyTier]
  const wrongTier = tiers.find((tier) => tier !== policy.desiredExamTier)
  if (wrongTier !== undefined) violations.push({ rule: 'wrong_exam_tier', detail: wrongTier })
  if (!examAvailability.candidateIds.includes(questionId)) {
    violations.push({ rule: 'exam_not_available', detail: questionId })
  }
  return violations
}

function tooManyWords(where: string, words: number, policy: TutorPolicy): PolicyViolation[] {
  return words > policy.constraints.maxConceptWords
    ? [{ rule: 'too_many_words', detail: `${words} words in the ${where}` }]
    : []
}

function proseWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

/** Words inside LaTeX: letters in a row that are neither a command nor a single variable. */
function latexWords(latex: string): number {
  return latex.match(/(?<![\\\p{L}])\p{L}{2,}/gu)?.length ?? 0
}
