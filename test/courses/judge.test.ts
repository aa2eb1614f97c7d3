import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

async function judged(lines: string[]) {
  const judge = spawn(process.execPath, ['src/courses/judge.ts'])
  judge.stdin.end(lines.join('\n'))
  const [out, err, code] = await Promise.all([
    text(judge.stdout),
    text(judge.stderr),
    new Promise((resolve) => judge.once('exit', resolve)),
  ])
  return {
    verdicts: out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    err,
    code,
  }
}

const COINS = { text: 'How many coins are on the table?', answer: { type: 'number', value: '12' } }

test('every line gets its verdict, in order, and a line that cannot be read an error beside', async () => {
  const { verdicts, err, code } = await judged([
    JSON.stringify({ question: COINS, answer: 'twelve coins, I think' }),
    '{"question": ',
    JSON.stringify({
      courseId: 'algebra-basics',
      questionId: 'ALG-01-Q4',
      answer: '3x = 15, x = 5',
    }),
    JSON.stringify({ courseId: 'algebra-basics', questionId: 'ALG-99-Q1', answer: '5' }),
    JSON.stringify({ courseId: 'algebra-basics', questionId: 'ALG-01-Q11', answer: '2.4' }),
    JSON.stringify({ question: COINS, answer: '11' }),
    JSON.stringify({ question: COINS, answer: 'a dozen' }),
    JSON.stringify({ question: COINS, answer: 'show me' }),
    JSON.stringify({ question: { ...COINS, answer: { type: 'number' } }, answer: '12' }),
    '',
  ])
  expect(verdicts).toEqual([
    { verdict: 'right', readAs: '12' },
    { verdict: 'unread', readAs: null },
    { verdict: 'right', readAs: '5' },
    { verdict: 'unread', readAs: null },
    { verdict: 'close', readAs: '2.4' },
    { verdict: 'wrong', readAs: '11' },
    { verdict: 'unread', readAs: null },
    { verdict: 'command', readAs: null },
    { verdict: 'unread', readAs: null },
  ])
  expect(err).toMatch(/^line 2: .*\n/)
  expect(err).toContain('line 4: no question ALG-99-Q1')
  expect(err).toContain('line 9: ')
  expect(code).toBe(0)
})
