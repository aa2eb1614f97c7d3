import { expect, it } from 'vitest'
import { decide } from '../../../src/domain/arc/decide.ts'
import type { Input } from '../../../src/domain/spine/decision.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { smallCourse } from '../../support/small-course.ts'

const drill = (unitId: string, quality: number): Input => ({
  type: 'input',
  input: {
    type: 'side-response',
    id: `course/${unitId}`,
    position: 1,
    payload: { unitId, question: '1 + 1', answer: '2', quality, notes: 'a drill' },
    receivedAt: 0,
  },
})

it('an answer from the course tutor enters the score alone: no status, date, turn or word', () => {
  const simulated = new SimulatedArc(smallCourse())
  simulated.turn()
  while (simulated.state.phase === 'DIAGNOSING') simulated.say('skip')
  const before = simulated.arc
  const node = before.map.nodes.find(({ unitId }) => unitId !== null)
  if (!node?.unitId) throw new Error('no concept has a unit')
  const { loaded, effects } = decide(before, drill(node.unitId, 1), simulated.now)
  expect(effects.map(({ type }) => type)).toEqual(['node', 'side-response', 'answered'])
  expect(loaded.state).toEqual(before.state)
  const after = loaded.map.nodes.find(({ id }) => id === node.id)
  expect(after).toEqual({ ...node, masteryScore: 0.2 })
  expect(loaded.histories[node.id]?.recent.at(-1)).toBe(1)
})

it('a mistake that comes back in drills is remembered as one made in lessons is', () => {
  const simulated = new SimulatedArc(smallCourse())
  simulated.turn()
  while (simulated.state.phase === 'DIAGNOSING') simulated.say('skip')
  const { unitId, label } = simulated.arc.map.nodes.find((node) => node.unitId !== null) ?? {}
  const mistake = { tag: 'SIGN', belief: 'Signs do not matter.' }
  let { arc } = simulated
  const types: string[][] = []
  for (const id of ['one', 'two', 'three']) {
    const told = drill(unitId ?? '', 1)
    if (told.type !== 'input') throw new Error('no input')
    const input = { ...told.input, id, payload: { ...told.input.payload, mistake } }
    const { loaded, effects } = decide(arc, { ...told, input }, simulated.now)
    arc = loaded
    types.push(effects.map(({ type }) => type))
    if (id === 'three') {
      expect(effects).toContainEqual(
        expect.objectContaining({ facts: [`${label}: Signs do not matter.`], source: 'mistake' }),
      )
    }
  }
  expect(types.map((each) => each.includes('remember'))).toEqual([false, false, true])
})

it('one about a unit that the arc does not teach is acknowledged', () => {
  const simulated = new SimulatedArc(smallCourse())
  simulated.turn()
  const { effects } = decide(simulated.arc, drill('NONE-00', 5), simulated.now)
  expect(effects).toEqual([{ type: 'answered', inputId: 'course/NONE-00' }])
})
