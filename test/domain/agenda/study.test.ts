import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Course } from '../../../src/contracts/course-pack.ts'
import { loadCourses } from '../../../src/courses/load.ts'
import {
  answered,
  newStudySitting,
  nextTask,
  type Study,
  type StudyAnswer,
  studyOf,
} from '../../../src/domain/agenda/study.ts'
import type { ArcRules } from '../../../src/domain/arc/state.ts'
import type { MindMapNode } from '../../../src/domain/mind-map/mind-map.ts'
import { seededRandom } from '../../../src/domain/random/seeded-random.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'

const DAY_MS = 86_400_000
const MOST = 400
const SECONDS_BETWEEN = 40

let course: Course

beforeAll(async () => {
  const courses = await loadCourses(path.join(import.meta.dirname, '../../../courses'))
  const found = courses.find(({ courseId }) => courseId === 'algebra-basics')
  if (!found) throw new Error('the course is not installed')
  course = found
})

/** What the dates of concepts are made of, and how they stand; how often one was shown, and its place, change none of it. */
const standing = (nodes: readonly MindMapNode[]) =>
  nodes
    .map(({ metadata: { lessons: _, skippable: __, ...metadata }, sequence, ...node }) => ({
      ...node,
      metadata,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))

interface Lived {
  answers: number
  days: number
  /** Times at which the study would have asked about another concept, or in another way. */
  otherwise: number
  asked: number
}

/**
 * A learner who answers as `isRight` says, till the arc has nothing to ask any more or that many days are over; after
 * every answer the study that was given the same answer has to stand as the arc does.
 */
function live(
  rules: Partial<ArcRules>,
  isRight: (random: () => number, attempt: number) => boolean,
  seed: number,
  days = 200,
): Lived {
  const random = seededRandom(seed)
  const arc = new SimulatedArc(course, { rules })
  const until = arc.now + days * DAY_MS
  arc.turn()
  let study: Study | null = null
  const lived: Lived = { answers: 0, days: 0, otherwise: 0, asked: 0 }
  let sessions = arc.state.sessionCount
  for (let n = 0; n < MOST && arc.now < until; n += 1) {
    if (arc.state.phase === 'COMPLETED') break
    const { question } = arc.state
    if (!question) {
      arc.sleep()
      continue
    }
    if (question.kind === 'choice') {
      arc.say('go_on')
      continue
    }
    if (study === null && arc.arc.map.nodes.length > 0) study = studyOf(arc.arc)
    const { kind, purpose, nodeId, attempt } = question
    if (study && attempt === 1 && purpose === 'plain' && (kind === 'quiz' || kind === 'review')) {
      const task = nextTask(study, arc.now)
      lived.asked += 1
      if (task.do !== kind || !('nodeId' in task) || task.nodeId !== nodeId) lived.otherwise += 1
    }
    const before = arc.responses.length
    arc.now += SECONDS_BETWEEN * 1_000
    arc.say(arc.answerText(isRight(random, attempt)))
    lived.answers += 1
    if (study && sessions !== arc.state.sessionCount) {
      sessions = arc.state.sessionCount
      study = newStudySitting(study)
    }
    const response = arc.responses[before]
    if (study && response) {
      const to = purpose === 'mixed' ? 'side' : purpose === 'placed' ? 'check' : (kind as 'quiz')
      const answer: StudyAnswer = {
        to,
        nodeId: nodeId ?? '',
        quality: response.quality,
        at: arc.now,
      }
      study = answered(study, answer)
    }
    if (study) {
      expect(standing(study.map.nodes)).toEqual(standing(arc.arc.map.nodes))
      expect(study.eased).toEqual(arc.state.eased)
    }
  }
  lived.days = Math.round((arc.now - Date.UTC(2026, 0, 5, 9)) / DAY_MS)
  return lived
}

describe('a study that is given the answers of an arc stands as the arc does, to the second', () => {
  const rules = [
    ['sm2', { scheduler: 'sm2' }],
    ['fsrs', { scheduler: 'fsrs' }],
    ['fsrs with weights and an aim', { scheduler: 'fsrs', fsrs: { retention: 0.8 } }],
    ['kept fresh, other steps', { onMastered: 'stay', learningSteps: [2, 5, 9] }],
    ['without a level check', { skipDiagnosis: true, masteryThreshold: 0.6, maxInterval: 10 }],
  ] as const
  const learners = [
    ['who knows everything', () => () => true],
    ['who misses one in three', () => (random: () => number) => random() > 1 / 3],
    [
      'who is right at the second try',
      () => (random: () => number, attempt: number) => attempt === 2 || random() > 0.5,
    ],
    ['who misses most', () => (random: () => number) => random() > 0.6],
  ] as const
  for (const [under, given] of rules) {
    it.each(learners)(`${under}: a learner %s`, (_, isRight) => {
      const lived = live({ ...given } as Partial<ArcRules>, isRight(), 1, 60)
      expect(lived.answers).toBeGreaterThan(20)
    })
  }

  it('and would ask the same next', () => {
    const lived = live({ skipDiagnosis: true }, (random) => random() > 1 / 3, 3, 60)
    expect(lived.asked).toBeGreaterThan(100)
    expect(lived.otherwise / lived.asked).toBeLessThan(0.02)
  })
})
