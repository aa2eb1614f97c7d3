import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { beforeAll, expect, inject, test } from 'vitest'
import { quietRuntime } from '../support/house.ts'

const FOLDER = join(import.meta.dirname, 'histories/practice-session')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

const readHistory = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))

beforeAll(() => {
  quietRuntime()
})

/** Replays every history against a bundle; the error of each by its file, null where there is none. */
async function replay(codePath: string): Promise<Map<string, Error | null>> {
  const histories = FILES.map((file) => ({ workflowId: file, history: readHistory(file) }))
  const outcomes = new Map<string, Error | null>()
  const results = Worker.runReplayHistories({ workflowBundle: { codePath } }, histories)
  for await (const { workflowId, error } of results) outcomes.set(workflowId, error ?? null)
  return outcomes
}

/** Every payload of a history as text. */
function payloads(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { data, metadata } = value as { data?: unknown; metadata?: unknown }
  if (typeof data === 'string' && metadata) return [Buffer.from(data, 'base64').toString('utf8')]
  return Object.values(value).flatMap(payloads)
}

test('the practice session of today replays every golden history', async () => {
  const outcomes = await replay(inject('workflowBundlePath'))
  const failed = [...outcomes].filter(([, error]) => error !== null)
  expect(failed.map(([file, error]) => `${file}: ${error?.message}`)).toEqual([])
  expect(outcomes.size).toBeGreaterThanOrEqual(9)
})

test('a write that is left out is caught', async () => {
  const code = readFileSync(inject('workflowBundlePath'), 'utf8')
  const changed = code.replace(
    /(outcome = await [^;]*commitPractice\([^;]*;)/,
    "outcome = 'written';",
  )
  expect(changed).not.toBe(code)
  const path = join(tmpdir(), `meno-changed-${process.pid}-practice.cjs`)
  writeFileSync(path, changed)
  const judged = [...(await replay(path))].filter(([file]) => file.startsWith('judged-by-code'))
  expect(judged.map(([, error]) => error)).toEqual(
    judged.map(() => expect.any(DeterminismViolationError)),
  )
  expect(judged.length).toBeGreaterThan(0)
})

test.each(FILES)('%s holds no text and no outside id', (file) => {
  const all = payloads(readHistory(file))
  const text = all.join('\n')
  expect(text).toContain('sessionId')
  for (const secret of [
    'xylophone',
    'What is',
    'How much is',
    'Hint',
    'Reply to',
    'student-',
    'sess_',
    'someone',
  ]) {
    expect(text).not.toContain(secret)
  }
  expect(Math.max(...all.map((payload) => payload.length))).toBeLessThan(32 * 1024)
})
