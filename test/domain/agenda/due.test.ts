import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interleave, listDue, minutesFor, type Review } from '../../../src/domain/agenda/due.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const HOUR_MS = 3_600_000

const review = (arc: number, node: number, dueAt: number): Review => ({
  arcId: `arc-${arc}`,
  topic: `Topic ${arc}`,
  nodeId: `node-${arc}-${node}`,
  label: `Concept ${node}`,
  dueAt,
})

const reviews = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: -300, max: 100 })), {
    maxLength: 60,
  })
  .map((drawn) => drawn.map(([arc, hours], i) => review(arc, i, NOW + hours * HOUR_MS)))

describe('what is listed today', () => {
  test('45 due reviews of three topics under a cap of 20: the 20 longest overdue, in turn', () => {
    const all = Array.from({ length: 45 }, (_, i) => review(i % 3, i, NOW - (i + 1) * HOUR_MS))
    const { listed, held } = listDue(all, { at: NOW, cap: 20, reviewed: 0 })
    expect(held).toBe(25)
    expect(new Set(listed.map(({ nodeId }) => nodeId))).toEqual(
      new Set(all.slice(25).map(({ nodeId }) => nodeId)),
    )
    // Number 44 is the longest overdue and of topic 2; then topics 1 and 0.
    expect(listed.slice(0, 6).map(({ arcId }) => arcId)).toEqual(
      ['arc-2', 'arc-1', 'arc-0'].flatMap((arc, _, arcs) =>
        arc === 'arc-2' ? [...arcs, ...arcs] : [],
      ),
    )
  })

  test('nothing that is not due, nothing twice, nothing beyond the cap, nothing held while there is room', () => {
    fc.assert(
      fc.property(reviews, fc.nat(30), fc.nat(40), (all, cap, reviewed) => {
        const { listed, held } = listDue(all, { at: NOW, cap, reviewed })
        const due = all.filter(({ dueAt }) => dueAt <= NOW)
        const room = cap > reviewed ? cap - reviewed : 0
        expect(listed.length).toBe(Math.min(room, due.length))
        expect(listed.length + held).toBe(due.length)
        expect(new Set(listed).size).toBe(listed.length)
        // Whoever is held is not longer overdue than anybody listed.
        const rest = due.filter((one) => !listed.includes(one))
        const latest = Math.max(...listed.map(({ dueAt }) => dueAt))
        for (const one of rest) {
          if (listed.length > 0) expect(one.dueAt).toBeGreaterThanOrEqual(latest)
        }
      }),
    )
  })

  test('no topic comes twice before each that has something left came once', () => {
    fc.assert(
      fc.property(reviews, (all) => {
        const mixed = interleave(all)
        expect([...mixed].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1))).toEqual(
          [...all].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)),
        )
        for (const [i, one] of mixed.entries()) {
          const before = mixed.slice(0, i).filter(({ arcId }) => arcId === one.arcId).length
          for (const other of new Set(mixed.map(({ arcId }) => arcId))) {
            const came = mixed.slice(0, i).filter(({ arcId }) => arcId === other).length
            const all = mixed.filter(({ arcId }) => arcId === other).length
            expect(came).toBeGreaterThanOrEqual(Math.min(before, all))
          }
        }
      }),
    )
  })
})

test.each([
  [0, null, 0],
  [3, null, 3],
  [3, 20, 1],
  [20, 45, 15],
  [1, 61, 2],
])('%i reviews at %s seconds take %i minutes', (count, seconds, minutes) => {
  expect(minutesFor(count, seconds)).toBe(minutes)
})
