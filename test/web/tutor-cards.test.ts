import { describe, expect, it } from 'vitest'
import { drawDrills } from '../../src/tutor/steps/course/course-drills.ts'
import { withItem } from '../../web/api/teacher.ts'
import { drillText, latexText } from '../../web/tutor/latex-text.ts'
import { currentStatus, timeLeft } from '../../web/tutor/lockout.ts'
import { sampleUnit } from '../courses/sample-course.ts'

const NOW = Date.parse('2026-11-21T10:00:00.000Z')
const HOUR = 3_600_000

describe('a locked exam question', () => {
  it('is open again at the moment the lock ends', () => {
    const lock = { status: 'locked', lockedUntil: new Date(NOW).toISOString() } as const
    expect(currentStatus(lock, NOW - 1)).toBe('locked')
    expect(currentStatus(lock, NOW)).toBe('available')
    expect(currentStatus({ status: 'locked' }, NOW)).toBe('locked')
    expect(currentStatus({ ...lock, status: 'passed' }, NOW)).toBe('passed')
  })

  it.each([
    [18 * HOUR + 12 * 60_000, '18h 12m'],
    [24 * HOUR, '24h 0m'],
    [HOUR, '1h 0m'],
    [HOUR - 1, '1h 0m'],
    [12 * 60_000, '12m'],
    [60_000, '1m'],
    [59_000, '59s'],
    [-5_000, '0s'],
  ])('has %i ms left: %s', (left, shown) => {
    expect(timeLeft(NOW + left, NOW)).toBe(shown)
  })
})

it.each([
  ['2x+3=11', true],
  ['-3 + 5', true],
  ['\\frac{1}{2} + \\text{what is left}', true],
  ['Solve $6x = 20$.', false],
  ['Divide both sides by 3', false],
  ['What does `print(1)` show?', false],
  ['float', false],
])('sets %s as a formula: %s', (latex, isFormula) => {
  expect(latexText(latex)).toBe(isFormula ? `$$\n${latex}\n$$` : latex)
})

it('shows no formula "Your answer?" above the field of that name', () => {
  const [drill] = drawDrills({ ...sampleUnit('U', 'Units', []), templates: [] }, 0, 1)
  const prompt = drill?.prompt ?? ''
  expect(drill?.questionLatex).toContain('\\text')
  expect(drillText(prompt, drill?.questionLatex ?? '')).toBe(prompt)
  expect(drillText('Solve', '2x = 6')).toBe('Solve\n\n$$\n2x = 6\n$$')
  expect(drillText('In one sentence:', '\\text{Loops with while}')).toBe(
    'In one sentence:\n\nLoops with while',
  )
})

it('changes an item where it stands and puts a new one first', () => {
  const [a, b] = [
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
  ]
  expect(withItem([a, b], { id: 'b', n: 2 })).toEqual([a, { id: 'b', n: 2 }])
  expect(withItem([a], b)).toEqual([b, a])
  expect(withItem(undefined, a)).toBeUndefined()
})
