import { expect, it } from 'vitest'
import { pathToGoal } from '../../web/mind-map/concept.ts'
import { mindMapView } from './sample-views.ts'

// n1 → n2 → n5, n1 → n3 → n4 → n5; n1 is mastered.
it('is what is built on a concept and leads to the goal', () => {
  const map = mindMapView()
  expect([...pathToGoal(map, 'n3').path]).toEqual(['n3', 'n4', 'n5'])
  expect([...pathToGoal(map, 'n2').path]).toEqual(['n2', 'n5'])
  expect([...pathToGoal(map, 'n3').goals]).toEqual(['n5'])
})

it('leaves out what is mastered, and is none at the goal itself', () => {
  const map = mindMapView()
  expect([...pathToGoal(map, 'n1').path]).toEqual(['n2', 'n3', 'n4', 'n5'])
  expect([...pathToGoal(map, 'n5').path]).toEqual([])
  expect([...pathToGoal(map, null).path]).toEqual([])
})
