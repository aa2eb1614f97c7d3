import { expect, test } from 'vitest'
import type { Course } from '../../src/contracts/course-pack.ts'
import { courseGraph, courseInventory } from '../../src/courses/course-graph.ts'
import { validateInventory } from '../../src/domain/diagnosis/inventory.ts'
import { validateGraph } from '../../src/domain/mind-map/validation.ts'
import { sampleCourse, sampleUnit } from './sample-course.ts'

/** A root, then chains of three over 21 units with the levels in turn. */
function longCourse(): Course {
  const levels = ['beginner', 'intermediate', 'expert'] as const
  const units = Array.from({ length: 21 }, (_, index) => {
    const parent = index === 0 ? [] : [index % 3 === 1 ? 0 : index - 1]
    const id = (number: number) => `LONG-${String(number).padStart(2, '0')}`
    const unit = sampleUnit(id(index), `Unit ${index}`, parent.map(id))
    return { ...unit, difficulty: levels[index % 3] as (typeof levels)[number] }
  })
  const prereqEdges = units.flatMap((unit) =>
    unit.prerequisites.map((from): [string, string] => [from, unit.unitId]),
  )
  return { ...sampleCourse(), entryUnitId: 'LONG-00', units, prereqEdges }
}

test('the order of the units counts only where the course says so', () => {
  const course = sampleCourse()
  expect(courseGraph(course).nodes.map(({ position }) => position)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  const ordered = courseGraph({ ...course, order: 'course' })
  expect(ordered.nodes.map(({ position }) => position)).toEqual([0, 1, 2])
})

test('a course is a valid concept graph of its units', () => {
  const graph = courseGraph(sampleCourse())
  expect(validateGraph(graph, { maxNodes: 30, maxDepth: 5 })).toEqual([])
  expect(graph).toEqual({
    root: 'Adding numbers',
    nodes: [
      expect.objectContaining({ label: 'Adding numbers', unitId: 'SUM-00', effortMinutes: 20 }),
      expect.objectContaining({ label: 'Adding brackets', unitId: 'SUM-01' }),
      expect.objectContaining({
        label: 'Linear equations',
        description: 'All about Linear equations.',
      }),
    ],
    edges: [
      { parent: 'Adding numbers', child: 'Adding brackets' },
      { parent: 'Adding brackets', child: 'Linear equations' },
    ],
  })
})

test('goal units become goal labels, unknown ones an error', () => {
  expect(courseGraph(sampleCourse(), ['SUM-01']).goalLabels).toEqual(['Adding brackets'])
  expect(() => courseGraph(sampleCourse(), ['SUM-77'])).toThrow('"SUM-77" is no unit')
})

test('of a small course all units are probed, of a goal only what it needs', () => {
  expect(courseInventory(sampleCourse())).toHaveLength(3)
  expect(courseInventory(sampleCourse(), ['SUM-01']).map(({ label }) => label)).toEqual([
    'Adding numbers',
    'Adding brackets',
  ])
})

test('of a large course the levels share fifteen places', () => {
  const inventory = courseInventory(longCourse())
  expect(validateInventory(inventory, 21)).toEqual([])
  for (const level of ['beginner', 'intermediate', 'expert']) {
    expect(inventory.filter(({ difficulty }) => difficulty === level)).toHaveLength(5)
  }
})

test('a level with few units leaves its places to the others', () => {
  const course = longCourse()
  const units = course.units.map((unit, index) =>
    unit.difficulty === 'expert' && index > 5 ? { ...unit, difficulty: 'beginner' as const } : unit,
  )
  const inventory = courseInventory({ ...course, units })
  expect(inventory).toHaveLength(15)
  expect(inventory.filter(({ difficulty }) => difficulty === 'expert')).toHaveLength(2)
})

test('a prerequisite left out is replaced by its own, and what nothing builds on is left out last', () => {
  const course = longCourse()
  const inventory = courseInventory(course)
  const labels = inventory.map(({ label }) => label)
  for (const { prerequisites } of inventory) {
    expect(labels).toEqual(expect.arrayContaining(prerequisites))
  }
  const needed = new Set(course.prereqEdges.map(([parent]) => parent))
  const ends = course.units.filter(({ unitId }) => !needed.has(unitId))
  const left = ends.filter(({ title }) => !labels.includes(title))
  expect(ends.length).toBeGreaterThan(5)
  expect(left.length).toBeLessThanOrEqual(1)
})
