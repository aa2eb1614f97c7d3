#!/usr/bin/env node
// What every npm script calls. It runs on any Node from 20 on, without a single package installed:
// it installs the packages if need be, finds a Node that runs TypeScript, and starts the real program.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensurePackages, findNode } from './packages.mjs'
import { runTests } from './test-run.mjs'
import { ensureWebApp } from './web-build.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const PROGRAMS = {
  start: ['src/main.ts'],
  worker: ['src/main.ts', 'worker'],
  api: ['src/main.ts', 'api'],
  chat: ['src/cli.ts', 'chat'],
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  bench: ['bench/run.ts'],
  spec: ['test/support/spec-report.ts'],
  campaign: ['test/faults/campaign.ts'],
  judge: ['src/courses/judge.ts'],
  'courses:check': ['src/courses/check.ts'],
}
const SHOWS_WEB_APP = new Set(['start', 'api', 'test', 'bench', 'campaign'])

const [command = '', ...args] = process.argv.slice(2)
const say = (line) => process.stderr.write(`${line}\n`)

main().then(
  (code) => process.exit(code),
  (error) => {
    say(error.message)
    process.exit(1)
  },
)

async function main() {
  const program = PROGRAMS[command]
  if (!program) throw new Error(`Usage: npm run <${Object.keys(PROGRAMS).join(' | ')}>`)
  await ensurePackages(ROOT, say)
  const node = findNode(ROOT)
  const env = {
    // What is compiled is kept for every later start.
    NODE_COMPILE_CACHE: join(cacheFolder(), 'node'),
    ...process.env,
    PATH: [dirname(node), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  }
  const isWholeTest = command === 'test' && args.length === 0
  if (isWholeTest) env.MENO_FAILED_CHECKS = (await failedChecks(env)).join('\n')
  if (SHOWS_WEB_APP.has(command)) {
    await ensureWebApp(ROOT, () => {
      say('Building the web app …')
      return runScript('vite build web --logLevel warn', env)
    })
  }
  const run = (files, more) => runProgram(node, [...program, ...files], { ...env, ...more })
  if (!isWholeTest) return run(args)
  return (await runTests(run, say)) || (env.MENO_FAILED_CHECKS ? 1 : 0)
}

/** The folder that `cacheFolder` of the settings names, before a package or TypeScript can be read. */
function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'meno')
}

/** Runs what `npm run check` runs, to the end even if a part fails; returns the parts that failed. */
async function failedChecks(env) {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const failed = []
  for (const part of scripts.check.split('&&').map((text) => text.trim())) {
    say(`> ${part}`)
    if ((await runScript(part, env)) !== 0) failed.push(part)
  }
  return failed
}

function runScript(script, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(script, {
      cwd: ROOT,
      env,
      shell: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Runs the program to its end, hands it our signals and returns its exit code. */
function runProgram(node, [entry, ...rest], env) {
  if (!existsSync(join(ROOT, entry))) throw new Error(`${entry} is missing. Run: git status`)
  const watch = new URL('./parent-watch.mjs', import.meta.url).href
  const flags = ['--disable-warning=ExperimentalWarning', `--import=${watch}`]
  const child = spawn(node, [...flags, join(ROOT, entry), ...rest], {
    env: { ...env, MENO_PARENT_FD: '3' },
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.on('SIGINT', () => {
    // A terminal has sent Ctrl-C to the program too.
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  endWithNpm(() => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)))
  })
}

/**
 * npm that is killed with -9 cannot tell us: then we, or the shell it put between, have another
 * parent. Whatever started npm may end as it likes.
 */
function endWithNpm(end) {
  if (!process.env.npm_lifecycle_event) return
  const shell = isShell(process.ppid) ? process.ppid : null
  const npm = shell ? parentOf(shell) : process.ppid
  const isOrphan = () => (shell ? parentOf(shell) : process.ppid) !== npm
  setInterval(() => isOrphan() && end(), 1000).unref()
}

function isShell(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim().endsWith('sh')
  } catch {
    return false
  }
}

function parentOf(pid) {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return null
  }
}
