import { expect, test } from 'vitest'
import type { Course } from '../../src/contracts/course-pack.ts'
import { matchTopic } from '../../src/courses/match.ts'
import { sampleCourse, sampleUnit } from './sample-course.ts'

const algebra: Course = {
  ...sampleCourse(),
  courseId: 'algebra-basics',
  title: 'Algebra basics',
  aliases: ['algebra', 'elementary algebra'],
  units: [
    unit('ALG-01', 'Linear equations', ['one step equations'], ['linear_equations']),
    unit(
      'ALG-03',
      'Equations with brackets',
      ['linear equations with brackets'],
      ['linear_equations'],
    ),
    unit('ALG-08', 'Square roots and surds', ['simplifying radicals'], ['surds']),
    unit('ALG-11', 'Simultaneous equations', ['systems of linear equations'], ['linear_systems']),
    unit('ALG-13', 'Solving quadratics by factoring', [], ['quadratic_equations']),
    unit('ALG-14', 'The quadratic formula', [], ['quadratic_equations']),
  ],
}

const python: Course = {
  ...sampleCourse(),
  courseId: 'python-fundamentals',
  title: 'Python fundamentals',
  aliases: ['python', 'python programming'],
  units: [
    unit('PY-03', 'Loops', ['for loop', 'while loop', 'iteration'], ['loops']),
    unit('PY-04', 'Lists', ['list indexing'], ['lists']),
  ],
}

function unit(unitId: string, title: string, aliases: string[], tags: string[]) {
  return { ...sampleUnit(unitId, title, []), aliases, tags }
}

test.each([
  ['algebra', 'algebra-basics', []],
  ['Algebra Basics', 'algebra-basics', []],
  ['algebra-basics', 'algebra-basics', []],
  ['  the basics of ALGEBRA! ', 'algebra-basics', []],
  ['I want to learn algebra', 'algebra-basics', []],
  ['algbera', 'algebra-basics', []],
  ['Python', 'python-fundamentals', []],
  ['programming in python', 'python-fundamentals', []],
  ['linear equations', 'algebra-basics', ['ALG-01', 'ALG-03']],
  ['Linear Equation', 'algebra-basics', ['ALG-01', 'ALG-03']],
  ['linaer equatoins', 'algebra-basics', ['ALG-01', 'ALG-03']],
  ['how to solve linear equations', 'algebra-basics', ['ALG-01', 'ALG-03']],
  ['algebra: linear equations', 'algebra-basics', ['ALG-01', 'ALG-03']],
  ['surds', 'algebra-basics', ['ALG-08']],
  ['square root', 'algebra-basics', ['ALG-08']],
  ['simplify radicals', 'algebra-basics', ['ALG-08']],
  ['systems of linear equations', 'algebra-basics', ['ALG-11']],
  ['quadratic equations', 'algebra-basics', ['ALG-13', 'ALG-14']],
  ['solve quadratics by factoring', 'algebra-basics', ['ALG-13']],
  ['quadratic formula', 'algebra-basics', ['ALG-14']],
  ['ALG-14', 'algebra-basics', ['ALG-14']],
  ['while loops', 'python-fundamentals', ['PY-03']],
  ['python lists', 'python-fundamentals', ['PY-04']],
])('%j means %s %j', (topic, courseId, unitIds) => {
  const match = matchTopic(topic, [algebra, python])
  expect(match && { courseId: match.course.courseId, unitIds: match.unitIds }).toEqual({
    courseId,
    unitIds,
  })
})

test.each([
  'Roman history',
  'history of equations',
  'cooking',
  'organic chemistry',
  'the',
  '',
  '!!!',
  'asdf qwer',
  'guitar',
  'lost',
])('%j means nothing here', (topic) => {
  expect(matchTopic(topic, [algebra, python])).toBeNull()
})

test('without courses nothing matches', () => {
  expect(matchTopic('algebra', [])).toBeNull()
})

test('of two courses that match alike the first is taken', () => {
  const twin = { ...algebra, courseId: 'algebra-again' }
  expect(matchTopic('algebra', [algebra, twin])?.course).toBe(algebra)
  expect(matchTopic('algebra', [twin, algebra])?.course).toBe(twin)
})
