import { describe, expect, test } from 'vitest'
import type { FallbackMaterial } from '../../../src/domain/course/policy/fallback-action.ts'
import { fallbackAction } from '../../../src/domain/course/policy/fallback-action.ts'
import type { TurnGuard } from '../../../src/domain/course/policy/policy-validation.ts'
import { validateAgainstPolicy } from '../../../src/domain/course/policy/policy-validation.ts'
import type { TutorMove } from '../../../src/domain/course/policy/tutor-response.ts'
import { courseWords } from '../../../src/domain/course/words.ts'
import { deepFreeze } from './random-course.ts'
import { drill, policyFor, reach, snapshotAfter } from './sample-course.ts'

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ')

const stuck: TurnGuard = {
  ...policyFor(snapshotAfter(drill('ALG-00', false), drill('ALG-00', false)), []),
  examCandidates: [],
}
const bronze = { unitIds: ['ALG-00'], difficultyTier: 'bronze' as const, tags: [] }
const silver = { ...bronze, difficultyTier: 'silver' as const }
const ready: TurnGuard = {
  ...policyFor(snapshotAfter(...reach('ALG-00', 'bronze')), [], {
    OPEN: { status: 'available' },
    LOCKED: { status: 'locked' },
    BRONZE: { status: 'available' },
  }),
  examCandidates: [
    { questionId: 'OPEN', ...silver },
    { questionId: 'LOCKED', ...silver },
    { questionId: 'BRONZE', ...bronze },
  ],
}

const question: TutorMove = deepFreeze({
  action: 'SOCRATIC_QUESTION',
  targetUnitId: 'ALG-00',
  tutorText: 'What undoes an addition?',
})
const example = { problemLatex: 'x+1=3', finalAnswerLatex: 'x=2' }
const conceptCard = { keyIdeas: ['Undo what was done.'], workedExamples: [example] }
const concept: TutorMove = deepFreeze({ ...question, action: 'CONCEPT_CARD', conceptCard })
const drillCard = { prompt: 'Solve for x', questionLatex: 'x+1=3', expectedAnswer: '2' }
const drillMove: TutorMove = deepFreeze({ ...question, action: 'DRILL_CARD', drillCard })
const examSuggestion = { questionId: 'OPEN', difficultyTier: 'silver' as const }
const examMove: TutorMove = deepFreeze({ ...question, action: 'EXAM_BLOCK', examSuggestion })

describe('validateAgainstPolicy', () => {
  test.each([
    ['a question', question, stuck],
    ['a question of 170 words', { ...question, tutorText: words(170) }, stuck],
    ['a concept card when stuck', concept, stuck],
    ['three key ideas of 170 words', withCard({ keyIdeas: [words(100), words(69), 'a'] }), stuck],
    [
      'LaTeX, which is not words',
      withCard({ workedExamples: [steps('x+1 = 3 \\frac{a}{b} ', 99)] }),
      stuck,
    ],
    ['a drill', drillMove, stuck],
    ['an available exam question of the tier', examMove, ready],
  ])('accepts %s', (_title, move, guard) => {
    expect(validateAgainstPolicy(move, guard)).toEqual([])
  })

  test.each([
    ['action_not_allowed', examMove, { ...stuck, examCandidates: ready.examCandidates }],
    ['action_not_allowed', concept, ready],
    ['concept_without_stuck', concept, ready],
    ['target_out_of_scope', { ...question, targetUnitId: 'ALG-02' }, stuck],
    ['card_on_socratic_question', { ...question, conceptCard }, stuck],
    ['card_on_socratic_question', { ...question, drillCard }, stuck],
    ['card_on_socratic_question', { ...question, examSuggestion }, ready],
    ['missing_card', { ...question, action: 'CONCEPT_CARD' }, stuck],
    ['missing_card', withCard({ keyIdeas: [] }), stuck],
    ['missing_card', { ...question, action: 'DRILL_CARD' }, stuck],
    ['missing_card', { ...drillMove, drillCard: { ...drillCard, questionLatex: ' ' } }, stuck],
    ['missing_card', { ...question, action: 'DRILL_CARD', conceptCard }, stuck],
    ['missing_card', { ...question, action: 'EXAM_BLOCK' }, ready],
    ['too_many_key_ideas', withCard({ keyIdeas: ['a', 'b', 'c', 'd'] }), stuck],
    ['too_many_worked_examples', withCard({ workedExamples: [example, example] }), stuck],
    ['too_many_words', withCard({ keyIdeas: [words(100), words(71)] }), stuck],
    ['too_many_words', withCard({ workedExamples: [steps('\\text{two words} ', 99)] }), stuck],
    ['too_many_words', { ...question, tutorText: words(171) }, stuck],
    ['wrong_exam_tier', suggesting('OPEN', 'bronze'), ready],
    ['wrong_exam_tier', suggesting('BRONZE', 'silver'), ready],
    ['exam_not_candidate', suggesting('ELSEWHERE', 'silver'), ready],
    ['exam_not_available', suggesting('LOCKED', 'silver'), ready],
  ] as [string, TutorMove, TurnGuard][])('names %s', (rule, move, guard) => {
    expect(validateAgainstPolicy(move, guard).map((violation) => violation.rule)).toContain(rule)
  })

  test('lists every rule that is broken', () => {
    const move: TutorMove = { ...suggesting('LOCKED', 'gold'), targetUnitId: 'ALG-02' }
    expect(validateAgainstPolicy(move, ready)).toEqual([
      { rule: 'target_out_of_scope', detail: 'ALG-02' },
      { rule: 'wrong_exam_tier', detail: 'gold' },
      { rule: 'exam_not_available', detail: 'LOCKED' },
    ])
  })
})

describe('fallbackAction', () => {
  const material: FallbackMaterial = deepFreeze({
    title: 'Inverse $& Operations',
    anchorText: 'Every operation has one that undoes it.',
    socraticQuestions: ['What undoes an addition?', 'What undoes a product?'],
    drills: [drillCard],
  })
  const bare = { ...material, socraticQuestions: [], drills: [] }
  const drillOnly = { ...stuck.policy, allowedActions: ['DRILL_CARD' as const] }
  const words = courseWords('en')

  test.each([
    ['SOCRATIC_QUESTION', stuck.policy, material],
    ['SOCRATIC_QUESTION', ready.policy, bare],
    ['DRILL_CARD', drillOnly, material],
    ['DRILL_CARD', drillOnly, bare],
  ])('%s, within the policy', (action, policy, from) => {
    const move = fallbackAction({ policy, material: from, words, turnNumber: 3 })
    expect(move.action).toBe(action)
    expect(move.targetUnitId).toBe(policy.focusUnitId)
    expect(validateAgainstPolicy(move, { ...stuck, policy })).toEqual([])
    expect(fallbackAction({ policy, material: from, words, turnNumber: 3 })).toEqual(move)
  })

  test('walks through the questions of the course', () => {
    const texts = [0, 1, 2].map(
      (turnNumber) =>
        fallbackAction({ policy: stuck.policy, material, words, turnNumber }).tutorText,
    )
    const [first, second] = material.socraticQuestions
    expect(texts).toEqual([first, second, first])
  })

  test('makes a drill of the anchor where the course has none', () => {
    const move = fallbackAction({ policy: drillOnly, material: bare, words, turnNumber: 0 })
    expect(move.tutorText).toBe('Here is one short exercise on Inverse $& Operations.')
    expect(move.drillCard?.expectedAnswer).toBe(material.anchorText)
  })
})

function withCard(fields: Partial<NonNullable<TutorMove['conceptCard']>>): TutorMove {
  return { ...concept, conceptCard: { ...conceptCard, ...fields } }
}

function steps(step: string, count: number) {
  return { ...example, stepsLatex: Array.from({ length: count }, () => step) }
}

function suggesting(questionId: string, difficultyTier: 'bronze' | 'silver' | 'gold'): TutorMove {
  return { ...examMove, examSuggestion: { questionId, difficultyTier } }
}
