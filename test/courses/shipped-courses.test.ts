import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkCourse } from '../../src/courses/check.ts'
import { courseGraph, courseInventory } from '../../src/courses/course-graph.ts'
import { loadCourses } from '../../src/courses/load.ts'
import { matchTopic } from '../../src/courses/match.ts'
import { validateInventory } from '../../src/domain/diagnosis/inventory.ts'
import { buildMap } from '../../src/domain/mind-map/building.ts'

const courses = await loadCourses(resolve(import.meta.dirname, '../../courses'))
const limits = { maxNodes: 30, maxDepth: 5 }

describe.each(courses.map((course) => [course.courseId, course] as const))('%s', (_, course) => {
  test('has no fault', { timeout: 180_000 }, async () => {
    expect(await checkCourse(course)).toEqual([])
  })

  test('becomes a map, whole and cut to each of its units', () => {
    let next = 0
    const ids = () => `id-${next++}`
    const whole = buildMap(courseGraph(course), limits, ids)
    expect(whole.ok && whole.map.nodes.length).toBe(course.units.length)
    for (const { unitId, title } of course.units) {
      const cut = buildMap(courseGraph(course, [unitId]), limits, ids, { goal: title })
      expect(cut.ok && cut.map.nodes.map((node) => node.unitId)).toContain(unitId)
    }
  })

  test('gives an inventory for the diagnosis', () => {
    const inventory = courseInventory(course)
    expect(validateInventory(inventory, course.units.length)).toEqual([])
  })

  test('is found by its title, and each unit by its own', () => {
    expect(matchTopic(course.title, courses)).toEqual({ course, unitIds: [] })
    for (const { unitId, title } of course.units) {
      expect(matchTopic(title, courses)?.unitIds).toContain(unitId)
    }
  })
})

test.each([
  ['algebra', []],
  ['linear equations', ['ALG-01', 'ALG-03', 'ALG-04']],
  ['negative numbers', ['ENTRY-00']],
  ['exponents', ['ALG-07']],
  ['simplifying radicals', ['ALG-08']],
  // As pupils ask in German.
  ['lineare Gleichungen', ['ALG-01']],
  ['quadratische gleichung', ['ALG-13']],
  ['Wurzeln', ['ALG-08']],
  ['binomische Formeln', ['ALG-10']],
])('%s means units %j of algebra-basics', (topic, unitIds) => {
  const match = matchTopic(topic, courses)
  expect(match?.course.courseId).toBe('algebra-basics')
  expect(match?.unitIds).toEqual(unitIds)
})
