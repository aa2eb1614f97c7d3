import { expect, it } from 'vitest'
import type { Screen } from '../../src/cli/screen.ts'
import { endOf, look, openTalk, show, take } from '../../src/cli/talk.ts'
import { PLAIN } from '../../src/cli/terminal-text.ts'
import type { ArcClient } from '../../src/client/arc-client.ts'
import { Problem } from '../../src/client/problem.ts'
import {
  type ArcMessage,
  ArcSettings,
  type ArcView,
  type PendingQuestion,
} from '../../src/contracts/arc.ts'

const options = [
  { id: 'a', text: '$\\frac{1}{2}$' },
  { id: 'b', text: '2' },
]
const question: PendingQuestion = {
  id: 'q1',
  kind: 'quiz',
  text: 'Which is less?',
  format: 'multiple_choice',
  attempt: 1,
  hintsLeft: 0,
  options,
}

const arcWith = (change: Partial<ArcView>): ArcView => ({
  ...{ arcId: 'arc', mindMapId: '', workflowId: '', topic: 'Algebra', goal: null, courseId: null },
  ...{ tutor: 'offline', phase: 'QUIZZING', subPhase: null, sessionCount: 1, currentNode: null },
  ...{ startedAt: new Date(0).toISOString(), lastSessionAt: null, nextReviewAt: null },
  ...{
    pendingQuestion: question,
    blocked: null,
    paused: false,
    resting: false,
    diagnosticResults: [],
  },
  mastery: { mastered: 0, total: 0, pct: 0 },
  progress: { learned: 0, inMemory: 0, mastered: 0, total: 0 },
  ...{ title: null, archived: false },
  settings: ArcSettings.parse({}),
  ...change,
})

const message = (id: string, change: Partial<ArcMessage> = {}): ArcMessage => ({
  ...{ id, role: 'tutor', text: id, phase: 'QUIZZING' },
  createdAt: new Date(0).toISOString(),
  ...change,
})

/** A talk whose server holds these messages and takes every message into them. */
async function talkAbout(arc: ArcView, stored: ArcMessage[], isNew = false) {
  const printed: string[] = []
  const sent: unknown[] = []
  const client = {
    arc: async () => arc,
    messages: async (_: string, after: string | null) =>
      stored.slice(stored.findIndex(({ id }) => id === after) + 1),
    send: async (_: string, given: { messageId: string; text?: string }) => {
      if (given.text === 'refuse me') throw new Problem(409, { detail: 'The arc is closed.' })
      sent.push(given)
      stored.push(message(given.messageId, { role: 'learner', text: given.text ?? '' }))
      return given
    },
  } as unknown as ArcClient
  const screen = {
    isInteractive: true,
    page: () => ({ width: 60, style: PLAIN }),
    print: (text: string) => printed.push(text),
    working: () => {},
    edit: async () => null,
    invite: (status: string) => printed.push(`[${status}]`),
  } as unknown as Screen
  const talk = await openTalk(client, screen, 'arc', isNew)
  return { talk, stored, sent, printed: () => printed.splice(0) }
}

it('shows the last messages of an arc that goes on, and its open question', async () => {
  const stored = ['m1', 'm2', 'm3', 'm4', 'm5'].map((id) => message(id))
  const { printed } = await talkAbout(arcWith({}), stored)
  expect(printed()).toEqual([
    ...['Continuing where you left off with Algebra …', 'm2', 'm3', 'm4', 'm5'],
    'Which is less?\n\n  a) 1/2\n  b) 2',
  ])
})

it('shows what others said, but not again what was typed here', async () => {
  const { talk, stored, sent, printed } = await talkAbout(arcWith({}), [])
  printed()
  await take(talk, ' /show ')
  await take(talk, 'a')
  expect(sent).toEqual([
    { messageId: expect.any(String), text: 'show', action: 'show', questionId: 'q1' },
    { messageId: expect.any(String), text: 'a', questionId: 'q1' },
  ])
  stored.push(message('elsewhere', { role: 'learner' }), message('Right.'))
  expect(await look(talk)).toBe('asking')
  expect(printed()).toEqual(['> elsewhere', 'Right.'])
})

it('sends an answer to the question that is open now, when a turn ends while it looks', async () => {
  const arc = arcWith({})
  const { talk, stored, sent } = await talkAbout(arc, [])
  const { client } = talk
  const { arc: readArc, messages: readMessages } = client
  const turnEnds = () => {
    arc.pendingQuestion = { ...question, id: 'q2' }
    stored.push(message('Right.'))
  }
  const once = <Read>(read: Read): Read => {
    const ended = arc.pendingQuestion?.id === 'q2'
    if (!ended) turnEnds()
    return read
  }
  client.arc = async (id) => once({ ...(await readArc(id)) })
  client.messages = async (id, after) => once(await readMessages(id, after))
  await look(talk)
  await take(talk, 'b')
  expect(sent).toEqual([{ messageId: expect.any(String), text: 'b', questionId: 'q2' }])
})

it('puts the options again when the question is asked once more without them', async () => {
  const { talk, stored, printed } = await talkAbout(arcWith({}), [])
  stored.push(message('Which?', { card: { type: 'QUESTION', options } }))
  show(talk, await look(talk), '')
  expect(printed().slice(-2)).toEqual(['Which?\n\n  a) 1/2\n  b) 2', '[Quiz]'])
  stored.push(message('The question is still open: Which?'))
  show(talk, await look(talk), '')
  show(talk, await look(talk), '')
  expect(printed()).toEqual([
    ...['The question is still open: Which?', '  a) 1/2\n  b) 2', '[Quiz]', '[Quiz]'],
  ])
})

it('says where a practice session is to be found', async () => {
  const { talk, stored, printed } = await talkAbout(arcWith({}), [])
  printed()
  stored.push(message('Five problems.', { card: { type: 'PRACTICE', sessionId: 's' } }))
  await look(talk)
  expect(printed()).toEqual([
    'Five problems.\n\nPractice is in the browser, on the page of this topic.',
  ])
})

it('says what was refused and goes on', async () => {
  const { talk, printed } = await talkAbout(arcWith({}), [], true)
  expect(await take(talk, 'refuse me')).toBe('goes on')
  expect(await take(talk, '/quit')).toBe('quit')
  expect(printed()).toEqual([
    ...['The arc is closed.', 'Your place is kept: npm run chat -- "Algebra"'],
  ])
})

it.each([
  [59 * 60_000, null],
  [26 * 3_600_000, 0],
])('waits for a review that is %i ms away, or leaves with its date', async (ms, end) => {
  const nextReviewAt = new Date(Date.now() + ms).toISOString()
  const sleeping = arcWith({ phase: 'REVIEWING', pendingQuestion: null, nextReviewAt })
  const { talk, printed } = await talkAbout(sleeping, [], true)
  const stage = await look(talk)
  expect(stage).toBe('asleep')
  expect(await endOf(talk, stage)).toBe(end)
  if (end === null) expect(printed()).toEqual([])
  else
    expect(printed().join()).toMatch(/^The next review is on \w{3}, .*, in 26 hours\. Your place/)
})

it('says once why it is held up, whatever the reason becomes', async () => {
  const blocked = { reason: 'no model.', since: '', retryAt: '' }
  const arc = arcWith({ blocked })
  const { talk, printed } = await talkAbout(arc, [], true)
  show(talk, await look(talk), '')
  blocked.reason = 'still no model'
  show(talk, await look(talk), '')
  expect(printed()).toEqual([
    ...['Held up: no model. It is tried again by itself.', '[Quiz]', '[Quiz]'],
  ])
})
