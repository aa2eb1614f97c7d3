import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'

const CONFIG = path.resolve(import.meta.dirname, '../spec/vitest.config.ts')

/** The part of vitest's JSON report that is read here. */
const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
          meta: z.object({ onPurpose: z.string().optional() }).optional(),
        }),
      ),
    }),
  ),
})

interface Row {
  seed: string
  requirement: string
  scenario: string
  passed: boolean
  onPurpose: string | null
  failure: string | null
}

/** Runs the scenarios of the seeds and prints each with pass or fail; the exit code is 1 if one fails. */
async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'meno-spec-'))
  const file = path.join(folder, 'report.json')
  try {
    const { startVitest } = await import('vitest/node')
    const vitest = await startVitest('test', [], {
      config: CONFIG,
      root: path.resolve(import.meta.dirname, '../..'),
      watch: false,
      reporters: [['json', { outputFile: file }]],
    })
    await vitest.close()
    const report = Report.parse(JSON.parse(readFileSync(file, 'utf8')))
    const broken = report.testResults.filter((result) => result.assertionResults.length === 0)
    const inOrder = report.testResults.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const rows = inOrder.flatMap((result) => result.assertionResults.map(rowOf))
    print(rows)
    for (const { name, message } of broken) console.log(`Not run: ${name}\n${message ?? ''}`)
    const failed = rows.filter(({ passed }) => !passed).length + broken.length
    console.log(`\n${rows.length - failed} scenarios pass, ${failed} fail`)
    process.exitCode = failed > 0 || rows.length === 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Assertion = z.infer<typeof Report>['testResults'][number]['assertionResults'][number]

function rowOf({ title, status, meta, failureMessages }: Assertion): Row {
  const [seed = '', requirement = '', scenario = ''] = title.split(' · ')
  return {
    seed: seed.replace('seed ', ''),
    requirement,
    scenario,
    passed: status === 'passed',
    onPurpose: meta?.onPurpose ?? null,
    failure: failureMessages?.[0]?.split('\n')[0] ?? null,
  }
}

function print(rows: readonly Row[]): void {
  let last = ''
  for (const { seed, requirement, scenario, passed, onPurpose, failure } of rows) {
    if (last !== '' && last !== requirement) console.log()
    last = requirement
    console.log(`${passed ? 'pass' : 'FAIL'}  seed ${seed} · ${requirement} · ${scenario}`)
    if (onPurpose !== null) console.log(`      note: ${onPurpose}`)
    if (failure !== null) console.log(`      ${failure}`)
  }
}

await main()
