import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from '@temporalio/worker'
import { DeterminismViolationError } from '@temporalio/workflow'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { quietRuntime } from '../support/house.ts'

const FOLDER = join(import.meta.dirname, 'histories/learning-arc')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

interface Event {
  eventType: string
  [attributes: string]: unknown
}

const readHistory = (file: string): { events: Event[] } =>
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))

beforeAll(() => {
  quietRuntime()
})

/** Replays histories against a bundle; the error of each by its file, null where there is none. */
async function replay(codePath: string, files: string[]): Promise<Map<string, Error | null>> {
  const histories = files.map((file) => ({ workflowId: file, history: readHistory(file) }))
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

describe('golden histories', () => {
  test('there is one for every phase', () => {
    const scenarios = new Set(FILES.map((file) => file.split('.')[0]?.replace(/-run-\d+$/, '')))
    expect([...scenarios]).toEqual(
      expect.arrayContaining([
        ...['diagnosing', 'planning-blocked', 'teaching', 'quizzing', 'second-cycle', 'asleep'],
        ...['woken-early', 'review-open-after-continue-as-new', 'paused', 'planned-again'],
        ...[
          'written-again',
          'abandoned-in-mid-step',
          'model-down',
          'model-silent',
          'superseded',
          'completed',
        ],
        ...['practising', 'practised', 'practised-when-over'],
        'practice-before-there-was-any',
      ]),
    )
  })

  test.each(FILES)('%s is replayed by the workflow of today', async (file) => {
    const outcomes = await replay(inject('workflowBundlePath'), [file])
    expect([...outcomes.values()]).toEqual([null])
  })

  test.each(FILES)('%s holds no text of the learner, the lessons or the questions', (file) => {
    const text = payloads(readHistory(file)).join('\n')
    expect(text).toContain('arcId')
    for (const private_ of ['xylophone', 'hello', 'both heaps', 'What is', 'Count on', '987654']) {
      expect(text).not.toContain(private_)
    }
  })

  test.each(FILES)('%s has no payload above 32 KiB', (file) => {
    const sizes = payloads(readHistory(file)).map((payload) => payload.length)
    expect(Math.max(...sizes)).toBeLessThan(32 * 1024)
  })
})

describe('the net', () => {
  /** The bundle with one command more, at a place that every arc passes. */
  function changedBundle(name: string, from: RegExp, to: string): string {
    const code = readFileSync(inject('workflowBundlePath'), 'utf8')
    const changed = code.replace(from, to)
    expect(changed).not.toBe(code)
    const path = join(tmpdir(), `meno-changed-${process.pid}-${name}.cjs`)
    writeFileSync(path, changed)
    onTestFinished(() => rmSync(path))
    return path
  }

  const TEACHING = FILES.filter((file) => file.startsWith('teaching.'))

  test('catches a timer that was not there', async () => {
    const path = changedBundle(
      'timer',
      /(const loaded = await [^;]*loadArc\([^;]*;)/,
      '$1 await new Promise((resolve) => setTimeout(resolve, 1));',
    )
    const outcomes = await replay(path, TEACHING)
    expect([...outcomes.values()]).toEqual(
      TEACHING.map(() => expect.any(DeterminismViolationError)),
    )
  })

  test('catches a write that is left out', async () => {
    const path = changedBundle(
      'write',
      /const outcome = await [^;]*commitArc[^;]*;/,
      "const outcome = 'written';",
    )
    const outcomes = await replay(path, TEACHING)
    expect([...outcomes.values()]).toEqual(
      TEACHING.map(() => expect.any(DeterminismViolationError)),
    )
  })

  test('lets the same code pass', async () => {
    // In front: what follows the bundle's source map is read as part of it.
    const path = changedBundle('nothing', /^/, '// the same\n')
    expect([...(await replay(path, TEACHING)).values()]).toEqual(TEACHING.map(() => null))
  })
})
