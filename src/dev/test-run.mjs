import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** More files than these at once do not fail by chance. */
const MOST_TRIED_AGAIN = 10

/**
 * Runs all tests. Where a few files fail, they run once more, by themselves on a quiet machine: that result counts, and
 * the last lines name what was unsteady, so that nobody who waits for a landing is held up by a race, and nobody
 * overlooks it either.
 * @param {(files: string[], env: Record<string, string>) => Promise<number>} run resolves to the exit code
 * @param {(line: string) => void} say
 */
export async function runTests(run, say) {
  const folder = mkdtempSync(join(tmpdir(), 'meno-tests-'))
  try {
    const record = join(folder, 'first-run.json')
    const code = await run([], { MENO_TEST_RECORD: record })
    const files = code === 0 ? [] : failedFiles(record)
    if (files.length === 0 || files.length > MOST_TRIED_AGAIN) return code
    say(`They run once more, by themselves: ${files.join(', ')}`)
    return await run(files, { MENO_FIRST_RUN: record })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** None where the run did not end, or where a failure belongs to no file. */
function failedFiles(record) {
  try {
    return JSON.parse(readFileSync(record, 'utf8')).failedFiles ?? []
  } catch {
    return []
  }
}
