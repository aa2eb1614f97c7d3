import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TutorPolicy } from '../../../src/contracts/course-tutor.ts'
import { computeExamAvailabilityForTier } from '../../../src/domain/course/exams/exam-availability.ts'
import { computePolicy } from '../../../src/domain/course/policy/tutor-policy.ts'
import { masteryTierByUnit } from '../../../src/domain/course/snapshot/student-snapshot.ts'
import { isBlocked } from '../../../src/domain/course/units/learning-path-graph.ts'
import {
  anyCandidateIds,
  anyCourse,
  anyExamStatuses,
  deepFreeze,
  mappedUnitsOf,
  snapshotOf,
} from './random-course.ts'

const anyTurn = anyCourse
  .chain((graph) =>
    fc.record({
      turnId: fc.constant('turn-1'),
      graph: fc.constant(graph),
      snapshot: snapshotOf(graph),
      mappedUnits: mappedUnitsOf(graph),
      examCandidateIds: anyCandidateIds,
      examStatusById: anyExamStatuses,
    }),
  )
  .map(deepFreeze)
const runs = { seed: 42, numRuns: 500 }

test('the focus is never blocked and is always a unit of the course', () => {
  fc.assert(
    fc.property(anyTurn, (turn) => {
      const { policy } = computePolicy(turn)
      expect(isBlocked(turn.graph, policy.focusUnitId, masteryTierByUnit(turn.snapshot))).toBe(
        false,
      )
      expect(turn.graph.units.map(({ unitId }) => unitId)).toContain(policy.focusUnitId)
    }),
    runs,
  )
})

test('the focus is the target exactly when nothing blocks the target', () => {
  fc.assert(
    fc.property(anyTurn, (turn) => {
      const { primaryTargetUnitId, focusUnitId, prereqBlockingUnitId } = computePolicy(turn).policy
      const blocked = isBlocked(turn.graph, primaryTargetUnitId, masteryTierByUnit(turn.snapshot))
      expect(prereqBlockingUnitId !== null).toBe(blocked)
      expect(focusUnitId).toBe(prereqBlockingUnitId ?? primaryTargetUnitId)
    }),
    runs,
  )
})

test('the scope has at most six units without repeats and holds focus and target', () => {
  fc.assert(
    fc.property(anyTurn, (turn) => {
      const { scopedUnitIds, focusUnitId, primaryTargetUnitId } = computePolicy(turn).policy
      expect(scopedUnitIds.length).toBeLessThanOrEqual(6)
      expect(new Set(scopedUnitIds).size).toBe(scopedUnitIds.length)
      expect(scopedUnitIds).toContain(focusUnitId)
      expect(scopedUnitIds).toContain(primaryTargetUnitId)
      expect(scopedUnitIds).not.toContain('GONE')
    }),
    runs,
  )
})

test('the same inputs give the same policy and stay as they were', () => {
  fc.assert(
    fc.property(anyTurn, (turn) => {
      const copy = structuredClone(turn)
      expect(computePolicy(turn)).toEqual(computePolicy(copy))
      expect(turn).toEqual(copy)
    }),
    runs,
  )
})

test('an exam block is allowed exactly when the focus is ready and a question is available', () => {
  const allowed = { yes: 0, no: 0 }
  fc.assert(
    fc.property(anyTurn, (turn) => {
      const { policy, examAvailability } = computePolicy(turn)
      const streak = turn.snapshot.unitProgress[policy.focusUnitId]?.drill.streakCorrect ?? 0
      const open = turn.examCandidateIds.some(
        (id) => turn.examStatusById[id]?.status === 'available',
      )
      const block = policy.allowedActions.includes('EXAM_BLOCK')
      expect(block).toBe(streak >= 2 && open)
      expect(examAvailability.candidateIds.length > 0).toBe(block)
      allowed[block ? 'yes' : 'no'] += 1
    }),
    runs,
  )
  expect(allowed.yes).toBeGreaterThan(20)
})

test('a policy is what its schema says', () => {
  fc.assert(
    fc.property(anyTurn, (turn) => {
      const { policy } = computePolicy(turn)
      expect(TutorPolicy.parse(policy)).toEqual(policy)
    }),
    { ...runs, numRuns: 100 },
  )
})

test('a course that lost the focused unit starts again at its entry', () => {
  const graph = { entryUnitId: 'U0', units: [{ unitId: 'U0', title: 'Entry' }], prereqEdges: [] }
  fc.assert(
    fc.property(snapshotOf(graph), (snapshot) => {
      const gone = { ...snapshot, focusUnitId: 'GONE' }
      const { policy } = computePolicy({
        turnId: 'turn-1',
        snapshot: gone,
        graph,
        mappedUnits: [{ unitId: 'GONE', confidence: 1 }],
        examCandidateIds: [],
        examStatusById: {},
      })
      expect(policy.focusUnitId).toBe('U0')
    }),
    { seed: 42, numRuns: 20 },
  )
})

test('a question to revisit comes after the other available ones', () => {
  const availability = computeExamAvailabilityForTier({
    candidateQuestionIds: ['A', 'B', 'C', 'D'],
    examStatusById: {
      A: { status: 'available' },
      B: { status: 'locked', lockedUntil: '2026-01-06T00:00:00Z' },
      C: { status: 'available' },
    },
    revisitQueue: { A: {} },
  })
  expect(availability).toEqual({
    availability: 'available',
    candidateIds: ['C', 'A'],
    nextEligibleAt: null,
  })
})

test('the next question opens at the earliest instant, not at the first by spelling', () => {
  const availability = computeExamAvailabilityForTier({
    candidateQuestionIds: ['A', 'B', 'C'],
    examStatusById: {
      A: { status: 'locked', lockedUntil: '2026-01-06T00:30:00Z' },
      B: { status: 'locked', lockedUntil: '2026-01-06T01:00:00+02:00' },
      C: { status: 'locked', lockedUntil: 'soon' },
    },
    revisitQueue: {},
  })
  expect(availability.nextEligibleAt).toBe('2026-01-06T01:00:00+02:00')
})

test('a lock without an end is still a lock', () => {
  const availability = computeExamAvailabilityForTier({
    candidateQuestionIds: ['A'],
    examStatusById: { A: { status: 'locked' } },
    revisitQueue: {},
  })
  expect(availability).toEqual({ availability: 'locked', candidateIds: [], nextEligibleAt: null })
})
