import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LLM_TASK_QUEUE, SEARCH_ATTRIBUTE, TASK_QUEUE } from '../src/contracts/temporal.ts'
import { loadTemporalDevConfig } from '../src/temporal-dev-config.ts'

const PROJECT_FILE = new URL('../temporal-dev.yml', import.meta.url)

function variant(change: (text: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'temporal-dev-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'temporal-dev.yml')
  writeFileSync(file, change(readFileSync(PROJECT_FILE, 'utf8')))
  return file
}

test('the file has the task queues and search attributes that the workflows use', () => {
  const config = loadTemporalDevConfig()
  expect(Object.keys(config.taskQueues)).toEqual([TASK_QUEUE, LLM_TASK_QUEUE])
  const used = Object.values(SEARCH_ATTRIBUTE).map(({ name, type }) => [name, type])
  const registered = Object.entries(config.searchAttributes)
  expect(registered.map(([name, type]) => [name, type.toUpperCase()])).toEqual(used)
})

test.each([
  ['a port that is none', 'grpc: 7233', 'grpc: 99999', 'ports.grpc'],
  [
    'a type Temporal does not have',
    'ArcPhase: Keyword',
    'ArcPhase: Word',
    'searchAttributes.ArcPhase',
  ],
  ['a duration without a unit', 'Timeout: 1s', 'Timeout: 1', 'stickyQueueScheduleToStartTimeout'],
  ['a setting nobody reads', 'maxCachedWorkflows', 'maxCashedWorkflows', 'maxCashedWorkflows'],
])('%s is refused by name', (_, good, bad, named) => {
  const file = variant((text) => text.replace(good, bad))
  expect(() => loadTemporalDevConfig(file)).toThrow(named)
  expect(() => loadTemporalDevConfig(file)).toThrow(file)
})
