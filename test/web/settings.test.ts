import { describe, expect, it } from 'vitest'
import type { LearnerView } from '../../src/contracts/learner.ts'
import { endOfHoliday, holidayOf, settingsOf, toPatch } from '../../web/me/settings.ts'

describe('a holiday', () => {
  // Offsets by the tz database: Berlin +2 in July and +1 in December, Kathmandu +5:45, Honolulu −10, Kiritimati +14.
  it.each([
    ['2026-07-31', 'Europe/Berlin', '2026-07-31T22:00:00.000Z'],
    ['2026-12-24', 'Europe/Berlin', '2026-12-24T23:00:00.000Z'],
    ['2026-07-31', 'Asia/Kathmandu', '2026-07-31T18:15:00.000Z'],
    ['2026-07-31', 'Pacific/Honolulu', '2026-08-01T10:00:00.000Z'],
    ['2026-07-31', 'Pacific/Kiritimati', '2026-07-31T10:00:00.000Z'],
    // The night after the clocks went forward (29 March 2026), and the one before.
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-03-28', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ])('until %s in %s ends with the day there, and is read back as that day', (date, zone, end) => {
    expect(endOfHoliday(date, zone)).toBe(end)
    expect(holidayOf(end, zone)).toBe(date)
  })
})

describe('what is saved', () => {
  const learner: LearnerView = {
    ...{ id: '0b6f3c5e-3f0f-4a39-9d54-4a4f0f6d2a11', handle: 'me', name: null, timeZone: 'UTC' },
    ...{ studyTime: '17:00', quietHours: { from: '21:00', to: '08:00' }, dailyReviewCap: 20 },
    ...{ holidayUntil: null, channels: {}, language: 'en', chosen: [] },
  }
  const form = settingsOf(learner)

  it('is nothing where nothing was changed', () => {
    expect(toPatch(form, learner)).toEqual({})
  })

  it('is what was changed; an emptied field is none', () => {
    const changed = { ...form, name: ' Ada ', studyTime: '', quietTo: '07:00', dailyReviewCap: 5 }
    expect(toPatch(changed, learner)).toEqual({
      ...{ name: 'Ada', studyTime: null, dailyReviewCap: 5 },
      quietHours: { from: '21:00', to: '07:00' },
    })
  })

  it('moves the end of a holiday with the zone', () => {
    const away = { ...learner, holidayUntil: '2026-08-01T00:00:00.000Z' }
    const moved = { ...settingsOf(away), timeZone: 'Europe/Berlin' }
    expect(toPatch(moved, away)).toEqual({
      ...{ timeZone: 'Europe/Berlin', holidayUntil: '2026-07-31T22:00:00.000Z' },
    })
  })
})
