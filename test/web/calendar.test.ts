import { expect, it } from 'vitest'
import { calendarOf, levelOf, retention, since, weekdayOf } from '../../web/me/statistics.ts'

it('begins every week on Monday, with today in the week of today', () => {
  // 2026-11-22 is a Sunday, 2024-02-29 a Thursday.
  expect([weekdayOf('2026-11-22'), weekdayOf('2024-02-29')]).toEqual([6, 3])
  const weeks = calendarOf([], [], '2024-02-29', { before: 1, after: 1 })
  expect(weeks.map((week) => week[0]?.date)).toEqual(['2024-02-19', '2024-02-26', '2024-03-04'])
  expect(weeks[1]?.map(({ kind }) => kind)).toEqual([
    ...['past', 'past', 'past', 'today', 'future', 'future', 'future'],
  ])
})

it('shows answers up to today and reviews after it', () => {
  const past = [
    { date: '2026-11-21', answers: 10 },
    { date: '2026-11-22', answers: 2 },
  ]
  const future = [
    { date: '2026-11-22', count: 7 },
    { date: '2026-11-24', count: 1 },
  ]
  const cells = calendarOf(past, future, '2026-11-22', { before: 0, after: 1 }).flat()
  const counted = cells.filter(({ count }) => count > 0)
  expect(counted.map(({ date, count }) => [date, count])).toEqual([
    ['2026-11-21', 10],
    ['2026-11-22', 2],
    ['2026-11-24', 1],
  ])
  expect([0, 1, 3, 4, 15, 400].map(levelOf)).toEqual([0, 1, 1, 2, 3, 4])
})

it('counts what was recalled among the reviews of the last days', () => {
  const day = (date: string, reviews: number, recalled: number) => ({
    ...{ date, reviews, recalled, answers: reviews, seconds: 0 },
  })
  const days = [day('2026-10-23', 10, 0), day('2026-10-24', 3, 2), day('2026-11-22', 1, 1)]
  expect(retention(since(days, '2026-11-22', 30))).toBe(0.75)
  expect(retention([day('2026-11-22', 0, 0)])).toBeNull()
})
