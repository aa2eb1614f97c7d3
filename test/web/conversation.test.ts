import { describe, expect, it } from 'vitest'
import type { ArcMessage, ArcView } from '../../src/contracts/arc.ts'
import {
  contestableVerdict,
  earlierVersions,
  isWorking,
  rewritableMessage,
  shownMessages,
  unsettled,
} from '../../web/conversation/conversation.ts'
import type { Outgoing } from '../../web/device/outgoing.ts'
import { localeOf, relativeTime } from '../../web/shell/time.ts'
import { arcView, asked, probe } from './sample-views.ts'

let count = 0
const message = (role: ArcMessage['role'], change: Partial<ArcMessage> = {}): ArcMessage => ({
  id: `m${++count}`,
  role,
  text: 'text',
  phase: 'QUIZZING',
  createdAt: '2026-11-21T10:00:00.000Z',
  ...change,
})

const outgoing = (change: Partial<Outgoing> = {}): Outgoing => ({
  ...{ messageId: 'x', arcId: 'a', text: 'hi', typedAt: 0, state: 'waiting', isKept: true },
  ...change,
})

describe('the timeline', () => {
  it('leaves the open question to its panel and shows it once it is closed', () => {
    const question = message('tutor', asked(probe))
    const answer = message('learner', { questionId: probe.id })
    const all = [message('tutor'), question, answer]
    expect(shownMessages(all, probe)).not.toContain(question)
    expect(shownMessages(all, probe)).toContain(answer)
    expect(shownMessages(all, null)).toEqual(all)
  })

  it('shows what replaces a message, not the message', () => {
    const first = message('tutor')
    const second = message('tutor', { replaces: first.id })
    expect(shownMessages([first, second], null)).toEqual([second])
  })

  it('puts what was written again in its old place, and keeps the versions before', () => {
    const first = message('tutor', { text: 'one' })
    const question = message('tutor', asked(probe))
    const second = message('tutor', { text: 'two', replaces: first.id })
    const third = message('tutor', { text: 'three', replaces: second.id })
    const all = [first, question, second, third]
    expect(shownMessages(all, null)).toEqual([third, question])
    expect(earlierVersions(all).get(third.id)).toEqual(['two', 'one'])
    expect(earlierVersions(all).has(first.id)).toBe(false)
  })

  it('lets the last lesson be written again, not a question and not a verdict', () => {
    const lesson = message('tutor', { card: { type: 'WRITTEN' } })
    const question = message('tutor', asked(probe))
    expect(rewritableMessage([lesson, question])).toBe(lesson.id)
    const answer = message('learner', { questionId: probe.id })
    const verdict = message('tutor', { card: { type: 'CONTESTABLE' } })
    const recalled = message('tutor', { text: 'The question is still open.' })
    expect(rewritableMessage([lesson, question, answer, verdict, recalled])).toBe(lesson.id)
    expect(rewritableMessage([question, recalled])).toBeNull()
  })

  it('forgets an outgoing message once the server has told it back', () => {
    const sent = [outgoing({ state: 'sent' })]
    expect(unsettled(sent, [])).toEqual(sent)
    expect(unsettled(sent, [message('learner', { id: 'x' })])).toEqual([])
  })
})

describe('the tutor is at work', () => {
  const works = (change: Partial<ArcView>, last: ArcMessage['role'] = 'tutor') =>
    isWorking(arcView(change), [message(last)], [], null)

  it('while the learner has the last word, or nothing is asked in a lesson', () => {
    expect(works({ pendingQuestion: probe }, 'learner')).toBe(true)
    expect(works({ phase: 'PLANNING' })).toBe(true)
    expect(works({ phase: 'TEACHING' })).toBe(true)
  })

  it('not while a question waits, a review is far, or something holds it up', () => {
    expect(works({ pendingQuestion: probe })).toBe(false)
    expect(works({ phase: 'REVIEWING' })).toBe(false)
    expect(works({ phase: 'COMPLETED' }, 'learner')).toBe(false)
    expect(works({ phase: 'TEACHING', paused: true })).toBe(false)
    expect(works({ phase: 'QUIZZING', resting: true })).toBe(false)
    expect(works({ blocked: { reason: 'r', since: 's', retryAt: 't' } }, 'learner')).toBe(false)
  })

  it.each([
    ['is about to be sent', {}, true, true],
    ['was sent', { state: 'sent' as const }, true, true],
    ['was sent before the network went', { state: 'sent' as const }, false, true],
    ['was refused', { state: 'refused' as const }, true, false],
    ['could not be sent for now', { trouble: 'No connection' }, true, false],
    ['was written without a network', {}, false, false],
  ])('once a message %s', (_, change, isOnline, expected) => {
    const arc = arcView({ pendingQuestion: probe })
    expect(isWorking(arc, [], [outgoing(change)], null, isOnline)).toBe(expected)
  })
})

describe('a grade can be contested', () => {
  const answer = message('learner', { questionId: probe.id, text: 'b' })
  const verdict = message('tutor', { card: { type: 'CONTESTABLE' } })

  it('at the verdict on the last answer, while nothing else is said', () => {
    const put = message('tutor', asked(probe))
    expect(contestableVerdict([put, answer, verdict, message('tutor')])).toBe(verdict.id)
    expect(contestableVerdict([answer, message('tutor'), verdict])).toBe(verdict.id)
    expect(contestableVerdict([answer, verdict, message('learner')])).toBeNull()
  })

  it('not at what is no verdict, or one that answers nothing new', () => {
    expect(contestableVerdict([answer, message('tutor')])).toBeNull()
    expect(contestableVerdict([])).toBeNull()
  })
})

describe('times', () => {
  it.each([
    [30, 'in 30 seconds'],
    [89, 'in 89 seconds'],
    [150, 'in 3 minutes'],
    [7_200, 'in 2 hours'],
    [86_400, 'in 24 hours'],
    [3 * 86_400, 'in 3 days'],
    [-7_200, '2 hours ago'],
  ])('%i seconds on is %s', (seconds, expected) => {
    expect(relativeTime(seconds * 1000, 0, 'en')).toBe(expected)
  })

  it('are written as the reader writes the language of the page', () => {
    expect(localeOf('en').split('-')[0]).toBe('en')
    expect(localeOf('xx')).toBe('xx')
  })
})
