import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTemporalBinary, TEMPORAL_CLI_VERSION } from '../../src/dev/temporal-binary.ts'

const ENTRY = `temporal-${TEMPORAL_CLI_VERSION}`
let folder = ''
let env: NodeJS.ProcessEnv = {}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-binary-'))
  mkdirSync(join(folder, 'bin'))
  env = { PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache') }
})
afterEach(() => rmSync(folder, { recursive: true }))

function program(path: string, body: string): void {
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}

/** A `go` that notes each call and, like the real one, leaves the program in GOBIN after a while. */
function fakeGo(): void {
  program(
    join(folder, 'bin', 'go'),
    `echo "$*" >> ${folder}/builds
     /bin/sleep 0.5
     printf '#!/bin/sh\\necho temporal version fake\\n' > "$GOBIN/temporal"
     /bin/chmod 755 "$GOBIN/temporal"`,
  )
}

const builds = () => readFileSync(join(folder, 'builds'), 'utf8').trimEnd().split('\n')
const find = () => findTemporalBinary({ env, log: () => {}, sources: ['go'] })

test('a command on PATH that runs is used', async () => {
  const path = join(folder, 'bin', 'temporal')
  program(path, 'echo temporal version 1.5.1')
  expect(await find()).toBe(path)
})

test('a command on PATH that does not run is passed over', async () => {
  program(join(folder, 'bin', 'temporal'), 'exit 127')
  fakeGo()
  expect(await find()).toBe(join(folder, 'cache', 'meno', ENTRY, 'temporal'))
})

test('two who need it at once build it once, later ones take it from the cache', async () => {
  fakeGo()
  const [first, second] = await Promise.all([find(), find()])
  expect(second).toBe(first)
  expect(await find()).toBe(first)
  expect(builds()).toEqual([
    `install github.com/temporalio/cli/cmd/temporal@${TEMPORAL_CLI_VERSION}`,
  ])
})

test('what a killed build left is neither used nor in the way', async () => {
  fakeGo()
  const cache = join(folder, 'cache', 'meno')
  const unfinished = join(cache, `${ENTRY}.making-1`)
  mkdirSync(unfinished, { recursive: true })
  program(join(unfinished, 'temporal'), 'echo half a program; exit 1')
  const dead = spawnSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }).stdout.trim()
  writeFileSync(join(cache, `${ENTRY}.lock`), JSON.stringify({ pid: Number(dead), startedAt: '1' }))
  const path = await find()
  expect(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout).toContain('fake')
  expect(builds()).toHaveLength(1)
  expect(() => readFileSync(join(unfinished, 'temporal'))).toThrow('ENOENT')
})

test('a cached program that no longer runs is made again', async () => {
  fakeGo()
  mkdirSync(join(folder, 'cache', 'meno', ENTRY), { recursive: true })
  program(join(folder, 'cache', 'meno', ENTRY, 'temporal'), 'exit 1')
  const path = await find()
  expect(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout).toContain('fake')
})

test('where nothing helps the error says what would', async () => {
  await expect(find()).rejects.toThrow(
    /no Go on PATH[\s\S]*go install github\.com.*TEMPORAL_ADDRESS/s,
  )
})
