import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeterminismViolationError } from '@temporalio/workflow'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { payloadsOf, replayed, storedHistories } from '../support/histories.ts'
import { quietRuntime } from '../support/house.ts'

interface Golden {
  /** A history of each has to be there. */
  scenarios: string[]
  /** One that passes every place at which the net is tried. */
  typical: string
  /** What each history holds, so that a look for private words finds what there is. */
  marker: string
  /** Words of learners, lessons, questions, and ids from outside. */
  privately: string[]
}

const PRODUCTS: Record<string, Golden> = {
  'study-agenda': {
    scenarios: [
      ...['nothing-due', 'running-step', 'nudged-and-answered-run-1', 'nudged-and-answered-run-2'],
      ...['ignored-for-days-run-1', 'ignored-for-days-run-2'],
    ],
    typical: 'ignored-for-days-run-2.',
    marker: 'generation',
    privately: ['xylophone', 'both heaps', 'What is', 'Count on', 'is due'],
  },
  'learning-arc': {
    scenarios: [
      ...['open-question', 'quizzing', 'planning-blocked', 'running-step', 'model-silent'],
      ...['abandoned-in-mid-step', 'model-down', 'model-back', 'paused', 'practising', 'asleep'],
      ...['completed', 'asleep-for-days-run-1', 'asleep-for-days-run-2'],
    ],
    typical: 'asleep.',
    marker: 'mind_map_id',
    privately: ['xylophone', 'both heaps', 'What is', 'Count on', '987654'],
  },
  'practice-session': {
    scenarios: [
      ...['waiting-for-the-first-message', 'judged-by-code', 'scaffolded-by-a-model'],
      ...['explanation-wanted', 'unjudged-then-judged-late', 'model-down', 'verdict-still-wanted'],
      ...['implicit-with-an-appended-problem', 'report-not-delivered-yet'],
    ],
    typical: 'judged-by-code.',
    marker: 'Practice session',
    privately: [
      ...['xylophone', 'What is', 'How much is', 'Hint', 'Reply to', 'student-', 'sess_'],
      'someone',
    ],
  },
  'course-tutor': {
    scenarios: [
      ...['graded-by-code', 'turn-with-a-model', 'running-step', 'told-without-a-model'],
      ...['exam-failed-and-locked', 'called-back-after-a-lock', 'authority-away'],
      ...['asleep-for-days-run-1', 'asleep-for-days-run-2'],
    ],
    typical: 'called-back-after-a-lock.',
    marker: 'generation',
    privately: ['xylophone', '987654', 'Let us', 'Here is', 'selectedOptionId', 'token'],
  },
  'curriculum-job': {
    scenarios: [
      ...['planned', 'planned-again-after-a-refusal', 'refused-twice', 'model-down'],
      'running-step',
    ],
    typical: 'running-step.',
    marker: 'generation',
    privately: ['Xylophone', 'Topic', 'Concept', 'About'],
  },
}

beforeAll(() => quietRuntime())

/** The bundle with a change that every history is to notice, or not. */
function changedBundle(from: string | RegExp, to: string): string {
  const code = readFileSync(inject('workflowBundlePath'), 'utf8')
  const changed = code.replace(from, to)
  expect(changed).not.toBe(code)
  const path = join(tmpdir(), `meno-changed-${process.pid}.cjs`)
  writeFileSync(path, changed)
  onTestFinished(() => rmSync(path))
  return path
}

describe.each(Object.entries(PRODUCTS))('%s', (product, golden) => {
  const histories = storedHistories(join(import.meta.dirname, 'histories', product))
  const files = [...histories.keys()]
  const typical = new Map([...histories].filter(([file]) => file.startsWith(golden.typical)))

  test('there is a history of everything it can wait for', () => {
    const scenarios = files.map((file) => file.split('.')[0])
    expect(scenarios).toEqual(expect.arrayContaining(golden.scenarios))
    expect(typical.size).toBeGreaterThan(0)
  })

  test('the code of today replays every golden history', async () => {
    const outcomes = await replayed(inject('workflowBundlePath'), histories)
    const failed = [...outcomes].filter(([, error]) => error !== null)
    expect(failed.map(([file, error]) => `${file}: ${error?.message}`)).toEqual([])
    expect(outcomes.size).toBe(files.length)
  })

  test.each([
    ['a timer that is left out', '_class_private_field_get(this, _alarm).set(', 'void ('],
    [
      'a timer that was not there',
      'const standing = await advance.executeWithOptions(',
      'await new Promise((resolve) => setTimeout(resolve, 1)); $&',
    ],
  ])('%s is caught', async (_, from, to) => {
    const outcomes = await replayed(changedBundle(from, to), typical)
    expect([...outcomes.values()]).toEqual(
      [...typical].map(() => expect.any(DeterminismViolationError)),
    )
  })

  test('the same code with another comment passes', async () => {
    // In front: what follows the bundle's source map is read as part of it.
    const outcomes = await replayed(changedBundle(/^/, '// the same\n'), typical)
    expect([...outcomes.values()]).toEqual([...typical].map(() => null))
  })

  test.each(files)('%s holds nothing private, and no payload above 32 KiB', (file) => {
    const all = payloadsOf(histories.get(file))
    const text = all.join('\n')
    expect(text).toContain(golden.marker)
    for (const word of golden.privately) expect(text).not.toContain(word)
    expect(Math.max(...all.map((payload) => payload.length))).toBeLessThan(32 * 1024)
  })
})
