import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wakeAt } from '../../../src/domain/agenda/decide.ts'
import { noticeOf } from '../../../src/tutor/notices.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, review, SimulatedAgenda } from './simulated-agenda.ts'

const at = (iso: string) => Date.parse(iso)
const NOON = at('2026-11-22T12:00:00Z')

/** What a clock in the zone shows, by the platform's own formatter. */
const shown = (moment: number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    moment,
  )
const dateIn = (moment: number, timeZone: string) => shown(moment, timeZone).slice(0, 10)

/** So many reviews of three topics that were due before. */
const overdue = (count: number, before: number) =>
  Array.from({ length: count }, (_, i) => review(i % 3, i, before - (i + 1) * HOUR_MS))

describe('nudges for reviews', () => {
  test('three topics, 45 due, 20 a day: one nudge a day for the right ones, the rest on the next', () => {
    const reviews = overdue(45, NOON)
    const agenda = new SimulatedAgenda(NOON, { reviews })
    const longest = [...reviews].sort((a, b) => a.dueAt - b.dueAt).map(({ nodeId }) => nodeId)
    for (const [day, expected] of [
      [0, longest.slice(0, 20)],
      [1, longest.slice(20, 40)],
      [2, longest.slice(40)],
    ] as const) {
      agenda.until(NOON + day * DAY_MS + MINUTE_MS)
      expect(agenda.calls).toHaveLength(day + 1)
      const items = agenda.calls.at(-1)?.content.items ?? []
      expect(items.map(({ nodeId }) => nodeId).sort()).toEqual([...expected].sort())
      expect(new Set(items.slice(0, 3).map(({ arcId }) => arcId)).size).toBe(3)
      agenda.now += HOUR_MS
      agenda.reply(items.map(({ nodeId }) => nodeId))
    }
    agenda.until(NOON + 10 * DAY_MS)
    expect(agenda.calls).toHaveLength(3)
    agenda.until(NOON + 30 * DAY_MS)
    expect(agenda.nudges).toHaveLength(3)
    expect(wakeAt(agenda.agenda, agenda.now)).toBeNull()
  })

  test('of reviews that fall due for the first time beyond the cap, the later ones come next day', () => {
    const reviews = Array.from({ length: 25 }, (_, i) => review(0, i, NOON + i * MINUTE_MS))
    const agenda = new SimulatedAgenda(NOON, { reviews })
    agenda.until(NOON + 5 * HOUR_MS)
    const [first] = agenda.calls
    expect(first?.at).toBe(NOON)
    // The nudge names what is due when it goes out; what comes after it is listed behind the cap.
    expect(first?.content.items).toHaveLength(1)
    agenda.reply(reviews.slice(0, 20).map(({ nodeId }) => nodeId))
    agenda.until(NOON + DAY_MS)
    expect(agenda.calls).toHaveLength(2)
    expect(agenda.calls[1]?.content.items.map(({ nodeId }) => nodeId)).toEqual(
      reviews.slice(20).map(({ nodeId }) => nodeId),
    )
  })

  test.each(['Asia/Kolkata', 'America/St_Johns', 'Europe/Berlin'])(
    'never in the quiet hours of %s, also where the clock is changed',
    (timeZone) => {
      fc.assert(
        fc.property(
          fc.constantFrom('2026-03-27', '2026-03-07', '2026-10-23', '2026-10-30', '2026-11-20'),
          fc.array(fc.integer({ min: 0, max: 6 * 24 * 60 }), { minLength: 1, maxLength: 12 }),
          fc.array(fc.integer({ min: 0, max: 6 * 24 * 60 }), { maxLength: 4 }),
          (date, due, replies) => {
            const begin = at(`${date}T00:00:00Z`)
            const agenda = new SimulatedAgenda(begin, {
              times: { timeZone, studyTime: null, quietFrom: '21:00', quietTo: '08:00' },
              reviews: due.map((minutes, i) => review(i % 3, i, begin + minutes * MINUTE_MS)),
              channels: [{ id: 'chat', channel: 'telegram' }],
            })
            for (const minutes of [...replies].sort((a, b) => a - b)) {
              agenda.until(begin + minutes * MINUTE_MS)
              agenda.reply()
            }
            agenda.until(begin + 8 * DAY_MS)
            expect(agenda.nudges.length).toBeGreaterThan(0)
            const perDay = new Map<string, number>()
            for (const nudge of agenda.nudges) {
              const time = shown(nudge.at, timeZone).slice(11)
              expect(time >= '08:00' && time < '21:00').toBe(true)
              const day = dateIn(nudge.at, timeZone)
              expect(nudge.date).toBe(day)
              perDay.set(day, (perDay.get(day) ?? 0) + 1)
            }
            expect(Math.max(...perDay.values())).toBeLessThanOrEqual(2)
            for (const { key, at } of agenda.asked) {
              const time = shown(at, timeZone).slice(11)
              if (key.startsWith('send/')) expect(time >= '08:00' && time < '21:00').toBe(true)
            }
          },
        ),
        { numRuns: 60 },
      )
    },
  )

  test('ignored three times: half the rate; one message: the whole again', () => {
    const agenda = new SimulatedAgenda(NOON, { reviews: overdue(5, NOON) })
    const days = () => agenda.calls.map(({ at }) => Math.round((at - NOON) / DAY_MS))
    agenda.until(NOON + 12 * DAY_MS + HOUR_MS)
    // From the fourth on every other day, as early as the quiet hours allow.
    expect(days().slice(0, 3)).toEqual([0, 1, 2])
    const dates = agenda.calls.map(({ date }) => Number(date.slice(-2)))
    const gaps = dates.slice(1).map((day, i) => (day - (dates[i] ?? 0) + 30) % 30)
    expect(gaps).toEqual([1, 1, 2, 2, 2, 2, 2])
    agenda.reply()
    const before = agenda.calls.length
    agenda.until(NOON + 15 * DAY_MS + HOUR_MS)
    expect(agenda.calls.length - before).toBe(3)
  })

  test('at the study time; what falls due after it, then', () => {
    const times = {
      timeZone: 'Europe/Berlin',
      studyTime: '18:00',
      quietFrom: '21:00',
      quietTo: '08:00',
    }
    const agenda = new SimulatedAgenda(at('2026-11-22T07:00:00Z'), {
      times,
      reviews: [review(0, 0, at('2026-11-22T06:00:00Z'))],
    })
    agenda.until(at('2026-11-23T12:00:00Z'))
    expect(agenda.calls.map((each) => shown(each.at, 'Europe/Berlin'))).toEqual([
      '2026-11-22 18:00',
    ])
    agenda.reply(['node-0-000'], at('2026-11-23T17:40:00Z'))
    agenda.until(at('2026-11-24T12:00:00Z'))
    expect(agenda.calls.slice(1).map((each) => shown(each.at, 'Europe/Berlin'))).toEqual([
      '2026-11-23 18:40',
    ])
  })

  test('every day at the study time, also where a day has 23 or 25 hours', () => {
    for (const date of ['2026-03-27', '2026-10-23']) {
      const begin = at(`${date}T08:00:00Z`)
      const agenda = new SimulatedAgenda(begin, {
        times: {
          timeZone: 'Europe/Berlin',
          studyTime: '18:00',
          quietFrom: '21:00',
          quietTo: '08:00',
        },
        reviews: overdue(3, begin),
      })
      agenda.until(begin + 2 * DAY_MS + 12 * HOUR_MS)
      const times = agenda.calls.map((each) => shown(each.at, 'Europe/Berlin').slice(11))
      expect(times).toEqual(['18:00', '18:00', '18:00'])
      for (const { at, expiresAt } of agenda.calls) {
        expect(expiresAt - at).toBeLessThanOrEqual(DAY_MS)
      }
    }
  })

  test('a holiday is silent, and nothing piles up after it', () => {
    const reviews = Array.from({ length: 40 }, (_, i) => review(i % 5, i, NOON + i * 8 * HOUR_MS))
    const agenda = new SimulatedAgenda(NOON - HOUR_MS, {
      reviews,
      holidayUntil: NOON + 14 * DAY_MS,
      lastSeenAt: NOON - DAY_MS,
    })
    agenda.until(NOON + 14 * DAY_MS - 1)
    expect(agenda.nudges).toEqual([])
    expect(agenda.wakes.length).toBeLessThanOrEqual(3)
    agenda.until(NOON + 15 * DAY_MS - HOUR_MS)
    expect(agenda.nudges).toHaveLength(1)
    expect(agenda.calls[0]?.content).toMatchObject({ held: 20 })
    expect(agenda.calls[0]?.content.items).toHaveLength(20)
  })

  test('begun while a nudge is out, a holiday takes it back and it counts as ignored by nobody', () => {
    const agenda = new SimulatedAgenda(NOON, {
      reviews: overdue(3, NOON),
      channels: [{ id: 'chat', channel: 'telegram' }],
    })
    agenda.until(NOON + HOUR_MS)
    agenda.facts = { ...agenda.facts, holidayUntil: NOON + 5 * DAY_MS }
    agenda.tell('settings')
    expect(agenda.all('over').map(({ why }) => why)).toEqual(['withdrawn'])
    expect(agenda.asked.map(({ key }) => key.split('/')[0])).toEqual(['send', 'withdraw'])
    agenda.until(NOON + 4 * DAY_MS)
    expect(agenda.state.ignored.count).toBe(0)
  })

  test('a snooze takes back what is out, and it comes again', () => {
    const agenda = new SimulatedAgenda(NOON, { reviews: overdue(3, NOON) })
    agenda.until(NOON + MINUTE_MS)
    agenda.facts = { ...agenda.facts, snoozedUntil: NOON + HOUR_MS }
    agenda.tell('snooze')
    agenda.until(NOON + 3 * HOUR_MS)
    expect(agenda.calls.map((each) => each.at)).toEqual([NOON, NOON + HOUR_MS])
  })

  test('nobody who is there is nudged, nor who was there after it fell due', () => {
    const agenda = new SimulatedAgenda(NOON, {
      reviews: [review(0, 0, NOON - HOUR_MS), review(0, 1, NOON + 4 * MINUTE_MS)],
      lastSeenAt: NOON,
    })
    agenda.until(NOON + 9 * MINUTE_MS)
    expect(agenda.calls).toEqual([])
    agenda.until(NOON + 10 * MINUTE_MS)
    expect(agenda.calls).toHaveLength(1)
    const seen = new SimulatedAgenda(NOON, {
      reviews: [review(0, 0, NOON - HOUR_MS)],
      lastSeenAt: NOON,
    })
    seen.until(NOON + 8 * HOUR_MS)
    expect(seen.calls).toEqual([])
    seen.until(NOON + 22 * HOUR_MS)
    expect(seen.calls.map((each) => each.at)).toEqual([at('2026-11-23T08:00:00Z')])
  })

  test('where nothing is to come, nothing wakes; an absent learner costs at most two wakes a nudge', () => {
    const idle = new SimulatedAgenda(NOON)
    idle.until(NOON + 365 * DAY_MS)
    expect(idle.wakes.length).toBeLessThanOrEqual(2)
    const waiting = new SimulatedAgenda(NOON, { reviews: [review(0, 0, NOON + 90 * DAY_MS)] })
    waiting.until(NOON + 89 * DAY_MS)
    expect(waiting.wakes.length).toBeLessThanOrEqual(2)
    const absent = new SimulatedAgenda(NOON, { reviews: overdue(50, NOON) })
    absent.until(NOON + 365 * DAY_MS)
    expect(absent.wakes.length).toBeLessThanOrEqual(2 * absent.nudges.length + 2)
    expect(Math.abs(absent.nudges.length - 184)).toBeLessThanOrEqual(2)
  })

  test('it never sends what a minute-by-minute look by other means forbids, and sends what it demands', () => {
    const zones = ['Europe/Berlin', 'Asia/Kolkata', 'UTC']
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.array(fc.integer({ min: -48, max: 96 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 10 }),
        (timeZone, hours, cap) => {
          const agenda = new SimulatedAgenda(NOON, {
            times: { timeZone, studyTime: null, quietFrom: '21:00', quietTo: '08:00' },
            cap,
            reviews: hours.map((hour, i) => review(i % 4, i, NOON + hour * HOUR_MS)),
          })
          agenda.until(NOON + 2 * DAY_MS)
          // Nobody answers: the first goes out at the first quarter in which something is due and it is not quiet.
          let first: number | null = null
          for (let t = NOON; t <= NOON + 2 * DAY_MS; t += 15 * MINUTE_MS) {
            const time = shown(t, timeZone).slice(11)
            const isDue = hours.some((hour) => NOON + hour * HOUR_MS <= t)
            if (isDue && time >= '08:00' && time < '21:00') {
              first = t
              break
            }
          }
          expect(agenda.calls[0]?.at ?? null).toBe(first)
          for (const { content, at } of agenda.calls) {
            expect(content.items.length).toBe(
              Math.min(cap, hours.filter((hour) => NOON + hour * HOUR_MS <= at).length),
            )
          }
        },
      ),
    )
  })
})

describe('answering', () => {
  test('anywhere takes it back everywhere it can be taken back', () => {
    const agenda = new SimulatedAgenda(NOON, {
      reviews: overdue(3, NOON),
      channels: [
        { id: 'chat', channel: 'telegram' },
        { id: 'phone', channel: 'push' },
        { id: 'hook', channel: 'webhook' },
        { id: 'mail', channel: 'email' },
      ],
    })
    agenda.until(NOON + HOUR_MS)
    const keys = () => agenda.asked.map(({ key }) => key.replace(/\/[0-9a-f-]{36}/, ''))
    expect(keys()).toEqual(['send/chat/0', 'send/phone/0', 'send/hook/0'])
    agenda.reply()
    expect(keys().slice(3)).toEqual(['withdraw/chat'])
    expect(agenda.all('over')).toMatchObject([{ why: 'answered' }])
    expect(agenda.all('delivery').map(({ status }) => status)).toEqual([
      ...['sent', 'sent', 'sent'],
      'withdrawn',
    ])
    expect(agenda.state.nudges).toEqual([])
  })

  test('after 24 hours it is taken back too, as ignored', () => {
    const agenda = new SimulatedAgenda(NOON, {
      reviews: overdue(3, NOON),
      channels: [{ id: 'chat', channel: 'telegram' }],
    })
    agenda.until(NOON + DAY_MS)
    expect(agenda.all('over')).toMatchObject([{ why: 'expired', at: NOON + DAY_MS }])
    expect(agenda.state.ignored.count).toBe(1)
    expect(agenda.asked.map(({ key }) => key.split('/')[0])).toEqual(['send', 'withdraw', 'send'])
  })
})

describe('channels that fail', () => {
  const withChannels = () =>
    new SimulatedAgenda(NOON, {
      reviews: overdue(3, NOON),
      channels: [
        { id: 'chat', channel: 'telegram' },
        { id: 'mail', channel: 'email' },
      ],
    })
  const sendsTo = (agenda: SimulatedAgenda, id: string) =>
    agenda.asked.filter(({ key }) => key.startsWith('send/') && key.includes(`/${id}/`))

  test('out of reach: tried again ever more rarely, each time under the same nudge; e-mail stands in once', () => {
    const agenda = withChannels()
    agenda.onSend = (key) =>
      key.includes('/chat/')
        ? { outcome: 'unavailable', retryAfterMs: null, failure: 'down' }
        : { outcome: 'sent', reference: null }
    agenda.until(NOON + 23 * HOUR_MS)
    const tries = sendsTo(agenda, 'chat').map((each) => each.at)
    const pauses = tries.slice(1).map((each, i) => each - (tries[i] ?? 0))
    expect(pauses.slice(0, 3)).toEqual([0.5, 2, 10].map((minutes) => minutes * MINUTE_MS))
    const byDay = pauses.filter((pause) => pause <= HOUR_MS)
    expect([...byDay].sort((a, b) => a - b)).toEqual(byDay)
    expect(tries.length).toBeLessThan(40)
    expect(sendsTo(agenda, 'mail')).toHaveLength(1)
  })

  test('out of reach until the nudge is over: given up', () => {
    const agenda = withChannels()
    agenda.onSend = () => ({ outcome: 'unavailable', retryAfterMs: null, failure: 'down' })
    agenda.until(NOON + 5 * MINUTE_MS)
    agenda.reply()
    const before = agenda.asked.length
    agenda.until(NOON + 2 * HOUR_MS)
    expect(agenda.asked.length).toBe(before)
  })

  test('an address that is no more is taken out, and e-mail stands in', () => {
    const agenda = withChannels()
    agenda.onSend = (key) =>
      key.includes('/chat/')
        ? { outcome: 'gone', failure: 'blocked by the user' }
        : { outcome: 'sent', reference: null }
    agenda.until(NOON + HOUR_MS)
    expect(agenda.all('channel-gone')).toMatchObject([{ channelId: 'chat' }])
    expect(agenda.all('fallback')).toMatchObject([{ delivery: { channelId: 'mail' } }])
    expect(sendsTo(agenda, 'mail')).toHaveLength(1)
  })

  test('whether it was taken is not known: never again', () => {
    const agenda = withChannels()
    agenda.onSend = () => ({ outcome: 'uncertain', failure: 'cut off' })
    agenda.until(NOON + 20 * HOUR_MS)
    expect(agenda.asked).toHaveLength(1)
    expect(agenda.all('delivery')).toMatchObject([{ status: 'uncertain' }])
  })

  test('taken back while it is being sent: it is waited for, and then taken back', () => {
    const agenda = withChannels()
    agenda.onSend = () => {
      agenda.facts = { ...agenda.facts, lastSeenAt: NOON + 1 }
      agenda.now = NOON + 2
      return { outcome: 'sent', reference: { id: 7 } }
    }
    agenda.until(NOON + 3)
    expect(agenda.asked.map(({ key }) => key.split('/')[0])).toEqual(['send', 'withdraw'])
  })
})

describe('the channels of the learner’s choice', () => {
  const all = [
    { id: 'chat', channel: 'telegram' },
    { id: 'phone', channel: 'push' },
    { id: 'mail', channel: 'email' },
    { id: 'hook', channel: 'webhook' },
  ] as const
  const channelsFor = (wishes: Record<string, unknown>) => {
    const agenda = new SimulatedAgenda(NOON, {
      reviews: overdue(1, NOON),
      channels: [...all],
      wishes,
    })
    agenda.until(NOON + 1)
    return agenda.calls[0]?.deliveries.map(({ channel }) => channel)
  }

  test.each([
    [{}, ['telegram', 'push', 'webhook']],
    [{ telegram: false }, ['push', 'webhook']],
    [{ telegram: false, push: false }, ['email', 'webhook']],
    [{ reviews: 'email' }, ['email', 'webhook']],
    [{ reviews: ['push', 'email'] }, ['push', 'email', 'webhook']],
    [{ reviews: false, webhook: false }, []],
    [{ reviews: 7 }, ['telegram', 'push', 'webhook']],
  ])('%j', (wishes, expected) => {
    expect(channelsFor(wishes)).toEqual(expected)
  })
})

describe('the digest of the week', () => {
  const DIGEST = { headline: 'A week', trends: [], achievements: [], struggles: [], nextWeek: [] }
  const berlin = {
    timeZone: 'Europe/Berlin',
    studyTime: null,
    quietFrom: '21:00',
    quietTo: '08:00',
  }
  const digests = (agenda: SimulatedAgenda) =>
    agenda.nudges.filter(({ content }) => content.kind === 'digest')

  test('comes on Sunday at nine on the learner’s clock, also after the clock was changed, by e-mail', () => {
    // Wednesday; the clock goes back in the night to Sunday the 25th.
    const begin = at('2026-10-14T10:00:00Z')
    const agenda = new SimulatedAgenda(begin, {
      times: berlin,
      channels: [
        { id: 'chat', channel: 'telegram' },
        { id: 'mail', channel: 'email' },
      ],
    })
    agenda.onDigest = () => DIGEST
    for (let day = 0; day < 20; day += 1) {
      agenda.until(begin + day * DAY_MS)
      agenda.facts = { ...agenda.facts, lastSeenAt: agenda.now }
    }
    agenda.until(at('2026-11-02T00:00:00Z'))
    expect(digests(agenda).map((each) => shown(each.at, 'Europe/Berlin'))).toEqual([
      '2026-10-18 09:00',
      '2026-10-25 09:00',
      '2026-11-01 09:00',
    ])
    expect(digests(agenda)[0]?.deliveries).toEqual([{ channelId: 'mail', channel: 'email' }])
  })

  test('only for a week in which the learner was there and something happened', () => {
    const begin = at('2026-11-02T12:00:00Z')
    const agenda = new SimulatedAgenda(begin, { times: berlin, lastSeenAt: begin })
    let asked = 0
    agenda.onDigest = () => {
      asked += 1
      return asked === 1 ? DIGEST : null
    }
    agenda.until(at('2026-12-02T12:00:00Z'))
    expect(digests(agenda)).toHaveLength(1)
    expect(asked).toBe(1)
    expect(agenda.wakes.length).toBeLessThanOrEqual(2)
    agenda.reply()
    agenda.until(at('2026-12-10T12:00:00Z'))
    expect(asked).toBe(2)
    expect(digests(agenda)).toHaveLength(1)
  })

  test('a learner who comes the week after next without the agenda hearing of it has one too', () => {
    const begin = at('2026-11-06T12:00:00Z')
    const agenda = new SimulatedAgenda(begin, { times: berlin, lastSeenAt: begin })
    agenda.onDigest = () => DIGEST
    agenda.until(at('2026-11-09T12:00:00Z'))
    agenda.facts = { ...agenda.facts, lastSeenAt: at('2026-11-11T12:00:00Z') }
    agenda.until(at('2026-11-16T12:00:00Z'))
    expect(digests(agenda)).toHaveLength(2)
  })

  test('waits for the end of the quiet hours, and is left out on holiday', () => {
    const begin = at('2026-11-20T12:00:00Z')
    const late = new SimulatedAgenda(begin, {
      times: { ...berlin, quietTo: '11:00' },
      lastSeenAt: begin,
    })
    late.onDigest = () => DIGEST
    late.until(at('2026-11-23T12:00:00Z'))
    expect(digests(late).map((each) => shown(each.at, 'Europe/Berlin'))).toEqual([
      '2026-11-22 11:00',
    ])
    const away = new SimulatedAgenda(begin, {
      times: berlin,
      lastSeenAt: begin,
      holidayUntil: begin + 5 * DAY_MS,
    })
    away.onDigest = () => DIGEST
    away.until(at('2026-11-28T12:00:00Z'))
    expect(digests(away)).toEqual([])
  })
})

describe('arcs that go stale', () => {
  test('are told once each, outside the quiet hours, at most two a day', () => {
    const agenda = new SimulatedAgenda(at('2026-11-23T04:00:00Z'))
    for (const arcId of ['a', 'b', 'c']) {
      agenda.tell('stale', { arcId, topic: arcId, closed: false })
    }
    agenda.until(at('2026-11-25T12:00:00Z'))
    expect(
      agenda.nudges.map(({ at, content }) => [shown(at, 'UTC'), content.stale?.arcId]),
    ).toEqual([
      ['2026-11-23 08:00', 'a'],
      ['2026-11-23 08:00', 'b'],
      ['2026-11-24 08:00', 'c'],
    ])
  })
})

describe('an exam question that is open again', () => {
  const exam = (key: string, unit: string | null = 'Brackets') => ({
    ...{ key, courseId: 'algebra', course: 'Algebra', unit },
    threadId: '00000000-0000-4000-8000-00000000000a',
  })
  const calls = (agenda: SimulatedAgenda) =>
    agenda.nudges.filter(({ content }) => content.kind === 'locked-exam')
  const open = (agenda: SimulatedAgenda, ...exams: ReturnType<typeof exam>[]) => {
    agenda.facts = { ...agenda.facts, exams }
    agenda.tell('exam-open')
  }

  test('is called for once, in the morning where it opens at night', () => {
    const agenda = new SimulatedAgenda(at('2026-10-14T23:00:00Z'))
    open(agenda, exam('a/1'))
    agenda.until(agenda.now + 20 * DAY_MS)
    expect(calls(agenda).map((nudge) => new Date(nudge.at).toISOString())).toEqual([
      '2026-10-15T08:00:00.000Z',
    ])
  })

  test('another lock of it is called for again, and several at once in one nudge', () => {
    const agenda = new SimulatedAgenda(NOON)
    open(agenda, exam('a/1'), exam('b/1', 'Fractions'))
    expect(calls(agenda).map(({ content }) => content.exams.length)).toEqual([2])
    agenda.until(NOON + DAY_MS)
    open(agenda, exam('b/1', 'Fractions'))
    expect(calls(agenda)).toHaveLength(1)
    agenda.until(NOON + 2 * DAY_MS)
    open(agenda, exam('a/2'), exam('b/1', 'Fractions'))
    expect(calls(agenda).map(({ content }) => content.exams.map(({ key }) => key))).toEqual([
      ['a/1', 'b/1'],
      ['a/2'],
    ])
  })

  test('is not called for any more once it was taken up, nor in a holiday', () => {
    const agenda = new SimulatedAgenda(NOON, { holidayUntil: NOON + 2 * DAY_MS })
    open(agenda, exam('a/1'))
    agenda.until(NOON + DAY_MS)
    expect(calls(agenda)).toEqual([])
    open(agenda)
    agenda.until(NOON + 9 * DAY_MS)
    expect(calls(agenda)).toEqual([])

    const other = new SimulatedAgenda(NOON)
    open(other, exam('a/1'))
    open(other)
    expect(other.all('over')).toMatchObject([{ why: 'withdrawn' }])
  })

  test('says what it is about, in both languages', () => {
    const agenda = new SimulatedAgenda(NOON)
    open(agenda, exam('a/1'), exam('b/1', 'Fractions'))
    const [nudge] = calls(agenda)
    if (!nudge) throw new Error('no nudge')
    const said = (language: 'en' | 'de', count: number) => {
      const content = { ...nudge.content, language, exams: nudge.content.exams.slice(0, count) }
      const { title, text, path } = noticeOf({ ...nudge, content })
      return [title, text, path]
    }
    const path = '/tutor/00000000-0000-4000-8000-00000000000a'
    expect(said('en', 1)).toEqual([
      'An exam question is open again: Brackets',
      'Algebra. You may try it again now.',
      path,
    ])
    expect(said('en', 2)).toEqual([
      '2 exam questions are open again',
      'Algebra: Brackets, Fractions. You may try them again now.',
      path,
    ])
    expect(said('de', 1)[0]).toBe('Eine Prüfungsfrage ist wieder offen: Brackets')
    expect(said('de', 2)[0]).toBe('2 Prüfungsfragen sind wieder offen')
  })
})
