import type { BankQuestion, Course, Unit } from '../../src/contracts/course-pack.ts'
import { sampleUnit } from '../courses/sample-course.ts'

/** The concepts of the small course by unit: one root, two that need it, one that needs both. */
export const SMALL_COURSE_LABELS = {
  'SUM-00': 'Adding numbers',
  'SUM-01': 'Adding brackets',
  'SUM-02': 'Taking away',
  'SUM-03': 'Sums of sums',
} as const

/**
 * A course of four units, so that an arc over it is short: `sums`, a diamond of two levels below its root. Every
 * question has a text of its own, so that a test can tell which unit asks.
 */
export function smallCourse(): Course {
  const units = [
    unit('SUM-00', 1000, []),
    unit('SUM-01', 2000, ['SUM-00']),
    unit('SUM-02', 3000, ['SUM-00']),
    unit('SUM-03', 4000, ['SUM-01', 'SUM-02']),
  ]
  return {
    courseId: 'sums',
    title: 'Sums',
    description: 'Adding, for tests.',
    language: 'en',
    entryUnitId: 'SUM-00',
    aliases: ['arithmetic'],
    units,
    prereqEdges: units.flatMap(({ prerequisites, unitId }) =>
      prerequisites.map((from): [string, string] => [from, unitId]),
    ),
  }
}

function unit(unitId: keyof typeof SMALL_COURSE_LABELS, base: number, needs: string[]): Unit {
  const difficulties = ['easy', 'easy', 'medium', 'medium', 'medium', 'medium', 'hard', 'hard']
  return {
    ...sampleUnit(unitId, SMALL_COURSE_LABELS[unitId], needs),
    questions: difficulties.map((difficulty, index) =>
      question(unitId, base, index + 1, difficulty as BankQuestion['difficulty']),
    ),
  }
}

/** Every third question is a choice. */
function question(
  unitId: string,
  base: number,
  number: number,
  difficulty: BankQuestion['difficulty'],
): BankQuestion {
  const shared = {
    id: `${unitId}-Q${number}`,
    difficulty,
    text: `What is $${base} + ${number}$?`,
    accepted: [],
    hints: ['Put them together.', 'Count on.'],
    solution: `Count on from $${base}$.`,
  }
  if (number % 3 !== 0) {
    return {
      ...shared,
      format: 'short_answer',
      answer: { type: 'number', value: String(base + number) },
      mistakes: [{ answer: String(base - number), tag: 'subtracts' }],
    }
  }
  return {
    ...shared,
    format: 'multiple_choice',
    options: [
      { id: 'a', text: `$${base - number}$` },
      { id: 'b', text: `$${base + number}$` },
      { id: 'c', text: `$${base * 2 + number}$` },
    ],
    answer: { type: 'choice', correct: 'b' },
    mistakes: [{ answer: 'a', tag: 'subtracts' }],
  }
}
