import { expect, it } from 'vitest'
import { nextTopics } from '../../src/courses/next-topics.ts'
import { smallCourse } from '../support/small-course.ts'

const sums = smallCourse()
const other = { ...sums, courseId: 'other', title: 'Other things' }
const none = { courseId: 'sums', begunCourseIds: new Set<string>(), known: new Set<string>() }

it('goes on in the course with the first unit whose prerequisites are known', () => {
  const unitIds = new Set(['SUM-00', 'SUM-02'])
  const [next, ...others] = nextTopics([sums, other], { ...none, unitIds, known: unitIds })
  expect(next).toMatchObject({ kind: 'unit', topic: 'Adding brackets', courseId: 'sums' })
  expect(others).toMatchObject([{ kind: 'course', topic: 'Other things', courseId: 'other' }])
})

it('offers no unit that builds on what is not known, and no course that was begun', () => {
  const unitIds = new Set(['SUM-00'])
  const behind = { ...none, unitIds, begunCourseIds: new Set(['other', 'sums']) }
  expect(nextTopics([sums, other], behind)).toEqual([])
})

it('offers the courses to who learned something that is in none', () => {
  const behind = { ...none, courseId: null, unitIds: new Set<string>() }
  expect(nextTopics([sums, other], behind).map(({ topic }) => topic)).toEqual([
    'Sums',
    'Other things',
  ])
})
