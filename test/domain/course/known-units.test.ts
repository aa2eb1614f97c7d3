import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { loadCourse } from '../../../src/courses/load.ts'
import { computeTurnFocus } from '../../../src/domain/course/policy/tutor-policy.ts'
import { coldCourse } from '../../../src/domain/course/state.ts'

it('a unit that an arc has brought to reviews is no missing prerequisite; tiers stay as they are', async () => {
  const graph = await loadCourse(resolve('courses/algebra-basics'))
  const { snapshot } = coldCourse('L', graph.courseId, graph.entryUnitId, 0)
  const mappedUnits = [{ unitId: 'ALG-01', confidence: 0.9 }]
  const turn = { snapshot, graph, mappedUnits }
  const prerequisites = graph.units.find(({ unitId }) => unitId === 'ALG-01')?.prerequisites ?? []
  expect(computeTurnFocus(turn)).toMatchObject({ focusUnitId: 'ENTRY-00', examReady: false })
  const knownUnitIds = ['ENTRY-00', ...prerequisites]
  expect(computeTurnFocus({ ...turn, knownUnitIds })).toMatchObject({
    focusUnitId: 'ALG-01',
    prereqBlockingUnitId: null,
    desiredExamTier: 'bronze',
  })
})
