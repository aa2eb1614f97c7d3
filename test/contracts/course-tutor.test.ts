import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  ClientEvent,
  DrillGradeRequest,
  DrillGrade as LlmDrillGrade,
  LlmTutorResponse,
  McqSubmitRequest,
  SupportViewedRequest,
  TurnRequest,
  TutorCard,
  TutorMessage,
} from '../../src/contracts/course-tutor.ts'
import { readDrillGrade, readTutorResponse } from '../../src/contracts/course-tutor-wire.ts'

const seedAnswer = {
  mapped_units: [{ unit_id: 'ALG-01', confidence: 0.92 }],
  action: 'DRILL_CARD',
  target_unit_id: 'ALG-01',
  tutor_text: 'What’s the first step to isolate x?',
  drill_card: { prompt: 'Solve for x', question_latex: '2x+3=11', expected_answer: 'x=4' },
  turn_analysis: {
    student_intent: 'solve',
    understanding_signal: 'uncertain',
    suggested_prereq_units: ['ALG-00'],
  },
}
const seedResponse = {
  action: 'DRILL_CARD',
  targetUnitId: 'ALG-01',
  tutorText: 'What’s the first step to isolate x?',
  drillCard: { prompt: 'Solve for x', questionLatex: '2x+3=11', expectedAnswer: 'x=4' },
  analysis: {
    mappedUnits: [{ unitId: 'ALG-01', confidence: 0.92 }],
    studentIntent: 'solve',
    understandingSignal: 'uncertain',
    suggestedPrereqUnits: ['ALG-00'],
  },
}

describe('readTutorResponse', () => {
  test.each([
    ['an object', seedAnswer],
    ['text', JSON.stringify(seedAnswer)],
    ['null for what is left out', { ...seedAnswer, concept_card: null, exam_suggestion: null }],
  ])('reads %s', (_title, answer) => {
    expect(readTutorResponse(answer)).toEqual({ ok: true, value: seedResponse })
  })

  test('reads concept card and exam suggestion, in either spelling of the tier', () => {
    const worked_example = {
      problem_latex: 'x+1=3',
      final_answer_latex: 'x=2',
      steps_latex: ['x=3-1'],
    }
    const answer = {
      ...seedAnswer,
      concept_card: { key_ideas: ['Undo.'], worked_example },
      exam_suggestion: { question_id: 'EX1', difficulty_tier: 'silver' },
    }
    const read = readTutorResponse(answer)
    expect(read).toMatchObject({
      value: {
        conceptCard: {
          keyIdeas: ['Undo.'],
          workedExamples: [
            { problemLatex: 'x+1=3', finalAnswerLatex: 'x=2', stepsLatex: ['x=3-1'] },
          ],
        },
        examSuggestion: { questionId: 'EX1', difficultyTier: 'silver' },
      },
    })
    const exam_suggestion = { question_id: 'EX1', difficultyTier: 'silver' }
    expect(readTutorResponse({ ...answer, exam_suggestion })).toEqual(read)
    const short = { ...answer, concept_card: { key_ideas: ['Undo.'] } }
    expect(readTutorResponse(short)).toMatchObject({
      value: { conceptCard: { keyIdeas: ['Undo.'], workedExamples: [] } },
    })
  })

  const example = { problem_latex: 'x', final_answer_latex: 'x' }
  test.each([
    ['prose', 'Sure! Here is the JSON', 'not JSON'],
    ['nothing', undefined, 'not JSON'],
    ['an unknown action', { ...seedAnswer, action: 'LECTURE' }, 'action'],
    ['confusion tags', { ...seedAnswer, confusion_tags: ['sign_error'] }, 'confusion_tags'],
    ['a missing analysis', { ...seedAnswer, turn_analysis: undefined }, 'turn_analysis'],
    [
      'a drill without key',
      { ...seedAnswer, drill_card: { prompt: 'a', question_latex: 'b' } },
      'drill_card.expected_answer',
    ],
    [
      'two worked examples',
      { ...seedAnswer, concept_card: { key_ideas: ['a'], worked_example: [example, example] } },
      'concept_card.worked_example',
    ],
  ])('refuses %s and says why', (_title, answer, why) => {
    const read = readTutorResponse(answer)
    expect(read.ok).toBe(false)
    expect(read.ok ? '' : read.problems.join('\n')).toContain(why)
  })
})

describe('readDrillGrade', () => {
  const grade = { isCorrect: false, feedbackText: 'Look again.', commonMistakeTag: 'sign_error' }

  test.each([
    [
      'snake case',
      { is_correct: false, feedback_text: 'Look again.', common_mistake_tag: 'sign_error' },
    ],
    ["the seed's names", grade],
    ['text', JSON.stringify(grade)],
  ])('reads %s', (_title, answer) => {
    expect(readDrillGrade(answer)).toEqual({ ok: true, value: grade })
  })

  test('keeps a null tag and refuses half a grade', () => {
    const untagged = { ...grade, commonMistakeTag: null }
    expect(readDrillGrade(untagged)).toEqual({ ok: true, value: untagged })
    expect(readDrillGrade({ isCorrect: true })).toMatchObject({ ok: false })
    expect(readDrillGrade('true')).toMatchObject({ ok: false })
  })
})

test('the wire schemas can be given to the model as JSON schemas', () => {
  const required = (schema: z.ZodType) => z.toJSONSchema(schema).required
  expect(required(LlmTutorResponse)).toEqual([
    'mapped_units',
    'action',
    'target_unit_id',
    'tutor_text',
    'turn_analysis',
  ])
  expect(required(LlmDrillGrade)).toEqual(['is_correct', 'feedback_text', 'common_mistake_tag'])
})

describe('requests', () => {
  test.each([
    [
      'the seed’s turn',
      { courseId: 'C', messageText: 'I need help with graphs', clientEvent: { type: 'NONE' } },
      true,
    ],
    ['a button alone', { clientEvent: { type: 'REQUEST_DRILL', unitId: 'ALG-01' } }, true],
    ['confirmed LaTeX', { messageLatex: 'x^2' }, true],
    [
      'an empty message',
      { courseId: 'C', messageText: '  ', clientEvent: { type: 'NONE' } },
      false,
    ],
    ['nothing', { courseId: 'C' }, false],
    ['8,001 characters', { messageText: 'x'.repeat(8_001) }, false],
    ['an unknown event', { clientEvent: { type: 'PARTY' } }, false],
  ])('turn: %s', (_title, body, valid) => {
    expect(TurnRequest.safeParse(body).success).toBe(valid)
  })

  test.each([
    [{ type: 'NONE' }, true],
    [{ type: 'DRILL_STUCK', unitId: 'ALG-01' }, true],
    [{ type: 'DRILL_CONTINUE', unitId: 'ALG-01', lastResult: 'correct' }, true],
    [{ type: 'DRILL_CONTINUE', unitId: 'ALG-01' }, false],
    [{ type: 'EXAM_CONTINUE', unitId: 'ALG-01', questionId: 'EX1', result: 'locked' }, true],
    [{ type: 'EXAM_CONTINUE', unitId: 'ALG-01', questionId: 'EX1', result: 'failed' }, false],
  ])('client event %j: %s', (event, valid) => {
    expect(ClientEvent.safeParse(event).success).toBe(valid)
  })

  test.each(['question_latex', 'questionLatex'])('drill/grade takes %s', (name) => {
    const drill = { prompt: 'Solve for x', [name]: '2x+3=11', token: 't' }
    const body = { courseId: 'C', unitId: 'ALG-01', drill, studentAnswer: ' x=4 ' }
    expect(DrillGradeRequest.parse(body)).toEqual({
      ...body,
      drill: { prompt: 'Solve for x', questionLatex: '2x+3=11', token: 't' },
      studentAnswer: 'x=4',
    })
  })

  test.each([
    { prompt: 'Solve for x', token: 't' },
    { prompt: 'Solve for x', question_latex: '2x+3=11' },
  ])('drill/grade refuses %j', (drill) => {
    const body = { courseId: 'C', unitId: 'ALG-01', drill, studentAnswer: 'x=4' }
    expect(DrillGradeRequest.safeParse(body).success).toBe(false)
  })

  test('the drill request can be published as JSON schema', () => {
    const schema = z.toJSONSchema(DrillGradeRequest, { io: 'input' })
    expect(Object.keys(schema.properties ?? {})).toContain('drill')
  })

  test("mcq-submit drops the client's own verdict", () => {
    const chosen = { courseId: 'C', questionId: 'EX1', selectedOptionId: 'b' }
    const body = { ...chosen, isCorrect: true, difficultyTier: 'gold', unitId: 'X' }
    expect(McqSubmitRequest.parse(body)).toEqual(chosen)
    expect(McqSubmitRequest.safeParse({ courseId: 'C', questionId: 'EX1' }).success).toBe(false)
  })

  test('support is memo or video', () => {
    const body = { courseId: 'C', unitId: 'ALG-01', questionId: 'EX1', supportType: 'memo' }
    expect(SupportViewedRequest.safeParse(body).success).toBe(true)
    expect(SupportViewedRequest.safeParse({ ...body, supportType: 'answer' }).success).toBe(false)
  })
})

describe('cards', () => {
  const drill = {
    type: 'DRILL',
    unitId: 'ALG-01',
    prompt: 'Solve for x',
    questionLatex: '2x+3=11',
    token: 't',
  }
  const exam = {
    type: 'EXAM',
    unitId: 'ALG-01',
    questionId: 'EX1',
    tier: 'bronze',
    questionLatex: 'x+1=3',
    options: [{ id: 'a', text: '2' }],
    status: 'available',
  }

  test('a message may carry one', () => {
    const message = {
      id: 'm1',
      threadId: 'T1',
      role: 'assistant',
      text: 'Let’s do one quick practice first.',
      latex: null,
      card: drill,
      createdAt: '2026-01-05T09:00:00.000Z',
    }
    expect(TutorMessage.parse(message)).toEqual(message)
  })

  test.each([
    ['a drill with its key', { ...drill, expectedAnswer: '4' }],
    ['an exam with its key', { ...exam, correct: 'a' }],
    [
      'an option that gives itself away',
      { ...exam, options: [{ id: 'a', text: '2', correct: true }] },
    ],
  ])('%s is no card', (_title, card) => {
    expect(TutorCard.safeParse(card).success).toBe(false)
  })

  test('an exam card is one without', () => {
    expect(TutorCard.safeParse(exam).success).toBe(true)
  })
})
