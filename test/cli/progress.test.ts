import stringWidth from 'string-width'
import { expect, it } from 'vitest'
import { wayBack } from '../../src/cli/arc-text.ts'
import { readChatCommand } from '../../src/cli/commands.ts'
import { progressLine, type Stage, stageOf, timeUntil } from '../../src/cli/progress.ts'
import { PLAIN } from '../../src/cli/terminal-text.ts'
import { type ArcMessage, ArcSettings, type ArcView } from '../../src/contracts/arc.ts'

const NOW = Date.UTC(2026, 0, 5, 12)
const iso = (offset: number) => new Date(NOW + offset).toISOString()

const arc: ArcView = {
  ...{ arcId: '', mindMapId: '', workflowId: '', topic: 'Algebra', goal: null, courseId: null },
  ...{ tutor: 'offline', phase: 'TEACHING', subPhase: null, sessionCount: 1, startedAt: iso(0) },
  currentNode: { id: 'n', label: 'Signed numbers' },
  ...{ lastSessionAt: null, nextReviewAt: null, pendingQuestion: null, blocked: null },
  ...{
    mastery: { mastered: 3, total: 12, pct: 0.25 },
    progress: { learned: 5, inMemory: 4, mastered: 3, total: 12 },
    paused: false,
    resting: false,
    diagnosticResults: [],
  },
  ...{ title: null, archived: false },
  settings: ArcSettings.parse({}),
}
const question = {
  id: 'q',
  kind: 'teach',
  text: 'What?',
  format: 'short_answer',
  attempt: 1,
  hintsLeft: 0,
} as const
const said = (role: ArcMessage['role'], offset = 0): ArcMessage => ({
  ...{ id: 'm', role, text: 'x', phase: 'TEACHING', createdAt: iso(offset) },
})
const blocked = { reason: 'no model', since: iso(0), retryAt: iso(1) }

it.each<[string, Partial<ArcView>, ArcMessage | undefined, Stage]>([
  ['a new arc', { phase: 'PENDING' }, undefined, 'working'],
  ['an open question', { pendingQuestion: question }, said('tutor'), 'asking'],
  ['a message unanswered', { pendingQuestion: question }, said('learner'), 'working'],
  ['one never answered', { pendingQuestion: question }, said('learner', -100_000), 'asking'],
  ['a lesson to come', {}, said('tutor'), 'working'],
  [
    'a review tomorrow',
    { phase: 'REVIEWING', nextReviewAt: iso(86_400_000) },
    said('tutor'),
    'asleep',
  ],
  ['a review just due', { phase: 'REVIEWING', nextReviewAt: iso(-10) }, said('tutor'), 'working'],
  [
    'a review held back',
    { phase: 'REVIEWING', nextReviewAt: iso(-60_000) },
    said('tutor'),
    'asleep',
  ],
  ['a pause', { paused: true, pendingQuestion: question }, said('tutor'), 'paused'],
  ['an outage', { blocked }, said('learner'), 'blocked'],
  ['the end', { phase: 'COMPLETED' }, said('tutor'), 'done'],
])('%s', (_, change, last, stage) => {
  expect(stageOf({ ...arc, ...change }, last, NOW)).toBe(stage)
})

it('says phase, concept and mastery in one line, cut to the width', () => {
  expect(progressLine(arc, { width: 80, style: PLAIN })).toBe(
    'Lesson · Signed numbers  ████░░░░░░░░░░░░  3 of 12 mastered',
  )
  const label = 'A concept with quite a long name \x1b[2J\nin two lines'
  const line = progressLine(
    { ...arc, currentNode: { id: 'n', label } },
    { width: 50, style: PLAIN },
  )
  expect(stringWidth(line)).toBeLessThanOrEqual(50)
  expect(line).toMatch(/^Lesson · A co… {2}█+░+ {2}3 of 12 mastered$/)
})

it.each([
  [400, 'in 1 second'],
  [59_000, 'in 59 seconds'],
  [600_000, 'in 10 minutes'],
  [7_200_000, 'in 2 hours'],
  [3 * 86_400_000, 'in 3 days'],
])('%i ms are %s', (ms, words) => {
  expect(timeUntil(ms)).toBe(words)
})

it.each([
  ['algebra', 'npm run chat -- "algebra"'],
  ["it's $HOME", "npm run chat -- 'it'\\''s $HOME'"],
  ['two\nlines', 'npm run chat -- "two lines"'],
])('the way back to %j is %s', (topic, command) => {
  expect(wayBack(topic)).toBe(command)
})

it.each([
  ['/map', { type: 'map' }],
  [' /Skip ', { type: 'say', message: { text: 'skip', action: 'skip' } }],
  ['/hint', { type: 'say', message: { text: 'hint' } }],
  ['/nonsense', { type: 'unknown', name: 'nonsense' }],
  ['/map of Spain', null],
  ['1/2', null],
  ['skip', null],
])('%j is the command %j', (line, command) => {
  expect(readChatCommand(line)).toEqual(command)
})
