import { describe, expect, test } from 'vitest'
import { courseByName, courseFor, courseNamed, TopicNotCovered } from '../../src/courses/choose.ts'
import { loadCourses } from '../../src/courses/load.ts'

const courses = await loadCourses('courses')

describe('the course of a topic', () => {
  test('is none where a model teaches', () => {
    const choice = { courseId: null, goal: 'pass', goalUnitIds: [] }
    expect(courseFor('Linear equations', 'pass', courses, false)).toEqual(choice)
  })

  test('offline, is the one that covers it, whole', () => {
    const choice = { courseId: 'algebra-basics', goal: null, goalUnitIds: [] }
    expect(courseFor('algebra basics', null, courses, true)).toEqual(choice)
  })

  test('offline, units that the topic names are the goal, and the topic is its words', () => {
    const choice = courseFor('linear equations', null, courses, true)
    expect(choice).toMatchObject({ courseId: 'algebra-basics', goal: 'linear equations' })
    expect(choice.goalUnitIds).not.toEqual([])
    expect(courseFor('linear equations', 'the exam', courses, true)).toEqual({
      ...choice,
      goal: 'the exam',
    })
  })

  test('offline, a goal names units of the course its topic names', () => {
    const { goalUnitIds } = courseFor('algebra basics', 'linear equations', courses, true)
    expect(goalUnitIds).toEqual(courseFor('linear equations', null, courses, true).goalUnitIds)
  })

  test('offline, no course covers it: the refusal names those there are', () => {
    const refused = () => courseFor('Byzantine icons', null, courses, true)
    expect(refused).toThrow(TopicNotCovered)
    for (const { title } of courses) expect(refused).toThrow(title)
  })
})

test('a course by name: with the units its goal names, or null', () => {
  expect(courseNamed('algebra-basics', null, courses)).toMatchObject({ goalUnitIds: [] })
  expect(courseNamed('algebra-basics', 'linear equations', courses)?.goalUnitIds).not.toEqual([])
  expect(courseNamed('no-such-course', null, courses)).toBeNull()
})

describe('the course that a topic names', () => {
  const units = (topic: string, goal: string | null = null) => {
    const choice = courseByName(topic, goal, courses)
    return choice && [choice.courseId, choice.goal, ...choice.goalUnitIds]
  }
  const titleOf = (unitId: string) =>
    courses.flatMap((course) => course.units).find((unit) => unit.unitId === unitId)?.title ?? ''

  test('is named by its id or its title, whatever its capitals and signs', () => {
    for (const name of ['algebra-basics', 'Algebra Basics', ' algebra basics! ']) {
      expect(units(name)).toEqual(['algebra-basics', null])
    }
    for (const { courseId, title } of courses) expect(units(title)?.[0]).toBe(courseId)
  })

  test('is named by the titles of its units, and they are the goal', () => {
    for (const { courseId, units: all } of courses) {
      for (const { unitId, title } of all.slice(1)) {
        expect(units(title.toUpperCase())).toEqual([courseId, title.toUpperCase(), unitId])
      }
    }
    const two = `${titleOf('ALG-06')} and ${titleOf('ALG-03')}`
    expect(units(two)).toEqual(['algebra-basics', two, 'ALG-03', 'ALG-06'])
    expect(units(two, 'the exam')?.[1]).toBe('the exam')
  })

  test.each([
    'algebra',
    'lineare Gleichungen',
    'linear equatoins',
    'python',
    'Byzantine icons',
    '!',
  ])('is not named by what is only like it: %s', (topic) => {
    expect(units(topic)).toBeNull()
  })
})
