import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { readHolder } from '../../src/dev/pid-lock.mjs'
import { stackLockFile } from '../../src/dev/stack-state.ts'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TOPIC = 'negative numbers'
const STEP_MS = 45_000

let meno: MenoProcess

beforeAll(async () => {
  meno = await startMenoProcess({ MENO_DAY_SECONDS: '2' })
}, 180_000)

afterAll(() => meno?.remove(), 60_000)

interface Chat {
  said: () => string
  notes: () => string
  type: (line: string) => void
  end: () => void
  exitCode: () => Promise<number | null>
}

/** A chat as `npm run chat` runs it, with pipes for a terminal. */
function startChat(home: string, args: string[], env: NodeJS.ProcessEnv = {}): Chat {
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    [path.join(ROOT, 'src/cli.ts'), 'chat', ...args],
    {
      // A `.env` of the project's folder is not ours to read.
      cwd: home,
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, MENO_HOME: home, ...env },
        MENO_COURSES: process.env.MENO_COURSES || path.join(ROOT, 'courses'),
      },
    },
  )
  onTestFinished(() => {
    child.kill('SIGTERM')
  })
  const exited = once(child, 'exit')
  let said = ''
  let notes = ''
  child.stdout.on('data', (data) => {
    said += String(data)
  })
  child.stderr.on('data', (data) => {
    notes += String(data)
  })
  return {
    said: () => said,
    notes: () => notes,
    type: (line) => child.stdin.write(`${line}\n`),
    end: () => child.stdin.end(),
    exitCode: async () => (await exited)[0] as number | null,
  }
}

interface OpenQuestion {
  id: string
  kind: string
  expected: string
  key: { type: string; correct?: string } | null
}

/** The question that the newest arc has open, once it is another than `before`. */
async function nextQuestion(before: string | null): Promise<OpenQuestion> {
  const find = async () => {
    const [row] = await meno.rows<OpenQuestion>(
      `select id, kind, expected, answer_key as key from arc_questions
       where id = (select pending_question from arcs order by started_at desc limit 1)`,
    )
    return row
  }
  await expect.poll(async () => (await find())?.id ?? before, { timeout: STEP_MS }).not.toBe(before)
  return (await find()) as OpenQuestion
}

const rightAnswer = ({ key, expected }: OpenQuestion) =>
  key?.type === 'choice' ? (key.correct ?? '') : expected

it('leads a topic to its first review over a killed API, and keeps the place', async () => {
  const chat = startChat(meno.home, [TOPIC])
  await expect.poll(chat.said, { timeout: STEP_MS }).toContain('offline tutor')
  chat.type('/skip')
  const kinds: string[] = []
  let answers = 0
  let question: OpenQuestion | null = null
  while (kinds.at(-1) !== 'review' && kinds.length < 9) {
    question = await nextQuestion(question?.id ?? null)
    kinds.push(question.kind)
    if (kinds.length === 3) await meno.kill('api')
    if (question.kind === 'diagnostic') continue
    chat.type(rightAnswer(question))
    answers += 1
  }
  expect(kinds.filter((kind) => kind !== 'diagnostic')).toEqual([
    ...['teach', 'quiz', 'quiz', 'quiz', 'review'],
  ])
  await expect.poll(chat.said, { timeout: STEP_MS }).toMatch(/Time to review[\s\S]*Right\./)
  chat.type('/map')
  chat.end()
  expect(await chat.exitCode()).toBe(0)
  expect(chat.said()).toContain('You passed Numbers, signs and order of operations')
  expect(chat.said()).toContain(`Your place is kept: npm run chat -- "${TOPIC}"`)
  expect(chat.said()).not.toMatch(/\$|\\[a-z]|\*\*/)
  expect(chat.said()).not.toContain('\x1b')
  expect(chat.said().match(/^> /gm)?.length).toBeGreaterThanOrEqual(answers + 1)
  const [stored] = await meno.rows<{ count: number }>(
    `select count(*)::int as count from arc_messages where role = 'learner'`,
  )
  expect(stored?.count).toBe(answers + 1)
}, 240_000)

it('continues the open arc of a topic, and begins another only when told to', async () => {
  const again = startChat(meno.home, [TOPIC.toUpperCase()])
  again.end()
  expect(await again.exitCode()).toBe(0)
  expect(again.said()).toContain(`Continuing where you left off with ${TOPIC} …`)
  const anew = startChat(meno.home, ['--new', '--level', 'beginner', ...TOPIC.split(' ')])
  anew.end()
  expect(await anew.exitCode()).toBe(0)
  expect(anew.said()).toContain('First a few questions')
  const arcs = await meno.rows<{ level: string }>(
    `select settings->>'level' as level from arcs order by started_at`,
  )
  expect(arcs.map(({ level }) => level)).toEqual(['unknown', 'beginner'])
}, 120_000)

it('offers the open arcs where no topic is named', async () => {
  const chat = startChat(meno.home, [])
  chat.type('2')
  chat.end()
  expect(await chat.exitCode()).toBe(0)
  expect(chat.said()).toMatch(/ {2}1\) negative numbers \(Level check\)\n {2}2\) negative numbers/)
  expect(chat.said()).toContain('Continuing where you left off')
}, 60_000)

it('names the courses where none covers the topic', async () => {
  const chat = startChat(meno.home, ['The history of weaving'])
  chat.end()
  expect(await chat.exitCode()).toBe(1)
  expect(chat.notes()).toMatch(/no installed course covers “The history of weaving”/)
  expect(chat.notes()).toMatch(/^ {2}Algebra basics: /m)
}, 60_000)

it('says so when there is nothing at MENO_URL that could answer', async () => {
  const chat = startChat(meno.home, [TOPIC], { MENO_URL: 'ftp://nowhere' })
  chat.end()
  expect(await chat.exitCode()).toBe(1)
  expect(chat.notes()).toContain('MENO_URL')
}, 60_000)

it('starts Meno where none runs, and stops what it started', async () => {
  const home = mkdtempSync(path.join(realpathSync(tmpdir()), 'meno-test-'))
  try {
    const chat = startChat(home, ['algebra'], { PORT: '0' })
    chat.type('skip')
    chat.end()
    expect(await chat.exitCode()).toBe(0)
    expect(chat.said()).toMatch(/offline tutor[\s\S]*> skip[\s\S]*Your place is kept/)
    expect(existsSync(path.join(home, 'meno.log'))).toBe(true)
    expect(readHolder(stackLockFile(home))).toBeNull()
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}, 180_000)
