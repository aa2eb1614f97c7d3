import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeterminismViolationError } from '@temporalio/workflow'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { payloadsOf, replayed, storedHistories } from '../support/histories.ts'
import { quietRuntime } from '../support/house.ts'

const HISTORIES = storedHistories(join(import.meta.dirname, 'histories/course-tutor'))
const FILES = [...HISTORIES.keys()]

beforeAll(() => quietRuntime())

test('there is a history of everything a course can wait for', () => {
  const scenarios = new Set(FILES.map((file) => file.split('.')[0]))
  expect([...scenarios]).toEqual(
    expect.arrayContaining([
      ...['graded-by-code', 'turn-with-a-model', 'exam-failed-and-locked', 'memo-viewed'],
      ...['called-back-after-a-lock', 'authority-away', 'two-threads', 'superseded'],
      ...['continued-as-new-run-1', 'continued-as-new-run-2', 'continued-as-new-run-3'],
    ]),
  )
})

test('the course tutor of today replays every golden history', async () => {
  const outcomes = await replayed(inject('workflowBundlePath'), HISTORIES)
  const failed = [...outcomes].filter(([, error]) => error !== null)
  expect(failed.map(([file, error]) => `${file}: ${error?.message}`)).toEqual([])
  expect(outcomes.size).toBe(FILES.length)
})

test.each([
  [
    'a commit that is left out',
    /await [^;]*\.commitRequest\(([^;]*)\);/,
    "{ outcome: 'written', state };",
  ],
  [
    'a call-back that is left out',
    /await [^;]*\.callBack\(([^;]*)\);/,
    '{ state: { ...state, wakeAt: null } };',
  ],
  [
    'a timer that was not there',
    /(const loaded = await [^;]*loadCourse\([^;]*;)/,
    '$1 await new Promise((resolve) => setTimeout(resolve, 1));',
  ],
])('%s is caught', async (_, from, to) => {
  const code = readFileSync(inject('workflowBundlePath'), 'utf8')
  const changed = code.replace(from, to)
  expect(changed).not.toBe(code)
  const path = join(tmpdir(), `meno-changed-${process.pid}-course.cjs`)
  writeFileSync(path, changed)
  onTestFinished(() => rmSync(path))
  const called = new Map([...HISTORIES].filter(([file]) => file.startsWith('called-back')))
  expect(called.size).toBeGreaterThan(0)
  const outcomes = await replayed(path, called)
  expect([...outcomes.values()]).toEqual(
    [...called].map(() => expect.any(DeterminismViolationError)),
  )
})

test.each(FILES)('%s holds no text and no key', (file) => {
  const all = payloadsOf(HISTORIES.get(file))
  const text = all.join('\n')
  expect(text).toContain('courseId')
  for (const secret of ['xylophone', '987654', 'Let us', 'Here is', 'selectedOptionId', 'token']) {
    expect(text).not.toContain(secret)
  }
  expect(Math.max(...all.map((payload) => payload.length))).toBeLessThan(32 * 1024)
})
