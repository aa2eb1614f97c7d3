import { describe, expect, it, test } from 'vitest'
import { fallbackAction } from '../../../src/domain/course/policy/fallback-action.ts'
import { validateAgainstPolicy } from '../../../src/domain/course/policy/policy-validation.ts'
import { unitProgressOf } from '../../../src/domain/course/snapshot/student-snapshot.ts'
import { courseWords } from '../../../src/domain/course/words.ts'
import { proves } from '../../spec/scenario.ts'
import { T0 } from './random-course.ts'
import { cold, drill, exam, policyFor, reach, snapshotAfter } from './sample-course.ts'

const sure = (unitId: string) => [{ unitId, confidence: 0.92 }]

/** The titles are those of seed 004, "Exhaustive Input → Response Triggers". */
describe('Input A — /turn (student message)', () => {
  describe(
    'A1: Mapped unit confidence high, prereqs satisfied',
    proves('004 Input A: /turn: A1: Mapped unit confidence high, prereqs satisfied'),
    () => {
      it('focuses the mapped unit and allows question and drill, no exam before readiness', () => {
        const snapshot = snapshotAfter(...reach('ALG-00', 'bronze'))
        const { policy } = policyFor(snapshot, sure('ALG-01'), { EX1: { status: 'available' } })
        expect(policy).toEqual({
          turnId: 'turn-1',
          focusUnitId: 'ALG-01',
          primaryTargetUnitId: 'ALG-01',
          prereqBlockingUnitId: null,
          scopedUnitIds: ['ALG-01', 'ALG-00'],
          allowedActions: ['SOCRATIC_QUESTION', 'DRILL_CARD'],
          stuck: false,
          examReady: false,
          desiredExamTier: 'bronze',
          examAvailability: 'none',
          constraints: { maxConceptWords: 170, maxWorkedExamples: 1, drillMaxSteps: 2 },
        })
      })

      test.each([
        [0.55, 'ALG-01'],
        [0.549, 'ALG-00'],
      ])('confidence %d targets %s', (confidence, target) => {
        const snapshot = snapshotAfter(...reach('ALG-00', 'bronze'))
        const { policy } = policyFor(snapshot, [{ unitId: 'ALG-01', confidence }])
        expect(policy.primaryTargetUnitId).toBe(target)
      })
    },
  )

  describe(
    'A2: Mapped unit high, prereqs missing',
    proves('004 Input A: /turn: A2: Mapped unit high, prereqs missing'),
    () => {
      it('shifts the focus to the missing prerequisite', () => {
        const { policy } = policyFor(cold, sure('ALG-01'))
        expect(policy).toMatchObject({
          primaryTargetUnitId: 'ALG-01',
          prereqBlockingUnitId: 'ALG-00',
          focusUnitId: 'ALG-00',
          scopedUnitIds: ['ALG-00', 'ALG-01'],
          allowedActions: ['SOCRATIC_QUESTION', 'DRILL_CARD'],
        })
      })

      it('goes to the deepest unmet prerequisite', () => {
        const { policy } = policyFor(cold, sure('ALG-02'))
        expect(policy).toMatchObject({ primaryTargetUnitId: 'ALG-02', focusUnitId: 'ALG-00' })
      })

      it('judges exam readiness on the prerequisite in focus', () => {
        const snapshot = snapshotAfter(drill('ALG-00', true), drill('ALG-00', true))
        const { policy } = policyFor(snapshot, sure('ALG-01'), { EX1: { status: 'available' } })
        expect(policy).toMatchObject({ focusUnitId: 'ALG-00', examReady: true })
        expect(policy.allowedActions).toContain('EXAM_BLOCK')
      })
    },
  )

  describe(
    'A3: Mapped unit ambiguous/low confidence',
    proves('004 Input A: /turn: A3: Mapped unit ambiguous/low confidence'),
    () => {
      const { policy, examAvailability } = policyFor(cold, [
        { unitId: 'ALG-02', confidence: 0.4 },
        { unitId: 'ALG-01', confidence: 0.38 },
      ])
      const guard = { policy, examAvailability, examCandidates: [] }
      const question = {
        action: 'SOCRATIC_QUESTION' as const,
        targetUnitId: 'ALG-02',
        tutorText: 'Which of the two do you mean?',
      }

      it('stays with the last focus and lets the model ask about either unit', () => {
        expect(policy).toMatchObject({ focusUnitId: 'ALG-00', primaryTargetUnitId: 'ALG-00' })
        expect(validateAgainstPolicy(question, guard)).toEqual([])
      })

      it('refuses a card on the clarifying question', () => {
        const drillCard = { prompt: 'Solve', questionLatex: 'x+1=2', expectedAnswer: '1' }
        expect(validateAgainstPolicy({ ...question, drillCard }, guard)).toEqual([
          { rule: 'card_on_socratic_question', detail: 'drill card' },
        ])
      })

      it('falls back to a question without a card', () => {
        const material = {
          title: 'Inverse',
          anchorText: 'Undo.',
          socraticQuestions: [],
          drills: [],
        }
        const move = fallbackAction({
          policy,
          material,
          words: courseWords('en'),
          turnNumber: 0,
        })
        expect(move).toEqual({
          action: 'SOCRATIC_QUESTION',
          targetUnitId: 'ALG-00',
          tutorText:
            'Let us stay with Inverse for a moment. What is the first step you would try, and why?',
        })
      })
    },
  )

  describe(
    'A4: Evidence shows stuck (attempts≥2 and streak=0)',
    proves('004 Input A: /turn: A4: Evidence shows stuck (attempts≥2 and streak=0)'),
    () => {
      test.each([
        ['no drill', [], false],
        ['one wrong', [false], false],
        ['two wrong', [false, false], true],
        ['right, then wrong', [true, false], true],
        ['two wrong, then right', [false, false, true], false],
      ])('%s', (_title, answers, stuck) => {
        const snapshot = snapshotAfter(...answers.map((isCorrect) => drill('ALG-00', isCorrect)))
        const { policy } = policyFor(snapshot, [])
        expect(policy.stuck).toBe(stuck)
        expect(policy.allowedActions.includes('CONCEPT_CARD')).toBe(stuck)
      })
    },
  )

  describe(
    'A5: ExamReady true and examAvailability available (tier-aware)',
    proves('004 Input A: /turn: A5: ExamReady true and examAvailability available (tier-aware)'),
    () => {
      const streak = [drill('ALG-00', true), drill('ALG-00', true)]

      test.each([
        ['bronze', snapshotAfter(...streak)],
        ['silver', snapshotAfter(...reach('ALG-00', 'bronze'))],
        ['gold', snapshotAfter(...reach('ALG-00', 'silver'))],
        ['gold', snapshotAfter(...reach('ALG-00', 'gold'))],
      ])('an exam block at %s', (tier, snapshot) => {
        const { policy } = policyFor(snapshot, [], { EX1: { status: 'available' } })
        expect(policy).toMatchObject({
          examReady: true,
          desiredExamTier: tier,
          examAvailability: 'available',
        })
        expect(policy.allowedActions).toContain('EXAM_BLOCK')
      })

      const until = '2026-01-06T09:00:00.000Z'
      test.each([
        ['locked', { EX1: { status: 'locked' as const, lockedUntil: until } }, until],
        ['none', { EX1: { status: 'passed' as const } }, null],
        ['none', {}, null],
      ])('no exam block while availability is %s', (availability, statuses, nextEligibleAt) => {
        const { policy, examAvailability } = policyFor(snapshotAfter(...streak), [], statuses)
        expect(policy).toMatchObject({ examReady: true, examAvailability: availability })
        expect(policy.allowedActions).not.toContain('EXAM_BLOCK')
        expect(examAvailability).toEqual({ availability, candidateIds: [], nextEligibleAt })
      })
    },
  )
})

describe('Input B — /drill/grade (generated drill)', () => {
  test('B1: Correct', proves('004 Input B: /drill/grade: B1: Correct'), () => {
    const snapshot = snapshotAfter(
      drill('ALG-00', false, 'sign_error'),
      drill('ALG-00', true, 'inverse_operations'),
    )
    const progress = unitProgressOf(snapshot, 'ALG-00')
    expect(progress?.drill).toEqual({ attempts: 2, correct: 1, streakCorrect: 1 })
    expect(progress?.confusionTags).toEqual({ sign_error: 1 })
  })

  test('B2: Incorrect', proves('004 Input B: /drill/grade: B2: Incorrect'), () => {
    const snapshot = snapshotAfter(
      drill('ALG-00', true),
      drill('ALG-00', false, 'sign_error'),
      drill('ALG-00', false, 'sign_error'),
      drill('ALG-00', false, null),
    )
    const progress = unitProgressOf(snapshot, 'ALG-00')
    expect(progress?.drill).toEqual({ attempts: 4, correct: 1, streakCorrect: 0 })
    expect(progress?.confusionTags).toEqual({ sign_error: 2 })
    expect(policyFor(snapshot, []).policy.allowedActions).toContain('CONCEPT_CARD')
  })
})

describe('Input C — Exam events (existing API)', () => {
  test('C1: MCQ submit correct', proves('004 Input C: exam events: C1: MCQ submit correct'), () => {
    const streak = [drill('ALG-00', true), drill('ALG-00', true)]
    const wrong = exam('ALG-00', 'bronze', false, 'EX1')
    expect(snapshotAfter(...streak, wrong).revisitQueue).toHaveProperty('EX1')
    const passed = snapshotAfter(...streak, wrong, exam('ALG-00', 'bronze', true, 'EX1'))
    expect(unitProgressOf(passed, 'ALG-00')).toMatchObject({
      masteryTier: 'bronze',
      exam: { passedByTier: { bronze: 1, silver: 0, gold: 0 } },
    })
    expect(passed.examTouched).toEqual({ EX1: true })
    expect(passed.revisitQueue).toEqual({})
  })

  test.each([
    ['MCQ submit incorrect', exam('ALG-01', 'silver', false, 'EX1'), true],
    ['support viewed, locked', support('locked'), true],
    ['support viewed, passed before', support('passed'), false],
    ['support viewed, no lock', support('available'), false],
  ])(
    'C2: MCQ submit incorrect OR support viewed: %s',
    proves('004 Input C: exam events: C2: MCQ submit incorrect OR support viewed'),
    (_title, event, queued) => {
      const snapshot = snapshotAfter(event)
      expect(snapshot.examTouched).toEqual({ EX1: true })
      expect(snapshot.revisitQueue).toEqual(
        queued ? { EX1: { unitId: 'ALG-01', tier: 'silver' } } : {},
      )
      expect(unitProgressOf(snapshot, 'ALG-01')?.masteryTier).toBe('none')
    },
  )
})

function support(status: 'available' | 'locked' | 'passed') {
  return {
    type: 'support_viewed' as const,
    questionId: 'EX1',
    unitId: 'ALG-01',
    tier: 'silver' as const,
    status,
    at: T0,
  }
}
