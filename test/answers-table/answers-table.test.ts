import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { judgeLine, type LineQuestion, type LineVerdict } from '../../src/courses/judge-line.ts'
import { loadCourses } from '../../src/courses/load.ts'

const FOLDER = import.meta.dirname

interface Row {
  courseId?: string
  questionId?: string
  question?: LineQuestion
  answer: string
  verdict: LineVerdict['verdict']
  notation: string
  /** Of what is said in words; English unless given. */
  language?: 'en' | 'de'
  file: string
}
const GRADES: readonly LineVerdict['verdict'][] = ['right', 'close', 'wrong']
type JudgedRow = Row & { judged: LineVerdict }

const isMissed = ({ verdict, judged }: JudgedRow) =>
  verdict === 'right' && (judged.verdict === 'wrong' || judged.verdict === 'close')
const isWrongYes = ({ verdict, judged }: JudgedRow) =>
  verdict !== 'right' && judged.verdict === 'right'
const isUnread = ({ verdict, judged }: JudgedRow) =>
  verdict === 'right' && (judged.verdict === 'unread' || judged.verdict === 'command')
const isGradedTalk = ({ verdict, judged }: JudgedRow) =>
  (verdict === 'unread' || verdict === 'command') && GRADES.includes(judged.verdict)
const differs = ({ verdict, judged }: JudgedRow) => verdict !== judged.verdict

let rows: JudgedRow[]

beforeAll(async () => {
  const questions = new Map<string, LineQuestion>()
  for (const { courseId, units } of await loadCourses('courses')) {
    for (const { questions: bank } of units) {
      for (const question of bank) questions.set(`${courseId} ${question.id}`, question)
    }
  }
  rows = table().map((row) => {
    const question = row.question ?? questions.get(`${row.courseId} ${row.questionId}`)
    if (!question) throw new Error(`${row.file}: no question ${row.courseId} ${row.questionId}`)
    const judged = judgeLine(question, row.answer)
    return { ...row, judged }
  })
  report(rows)
})

function table(): Row[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.jsonl'))
    .sort()
    .flatMap((file) =>
      readFileSync(join(FOLDER, file), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => ({ ...(JSON.parse(line) as Omit<Row, 'file'>), file })),
    )
}

/** The figures by file and by notation, and every row judged otherwise when `MENO_TABLE_ROWS` is set. */
function report(judged: JudgedRow[]): void {
  const lines = ['', 'file or notation  rows  wrong yes  wrong no  unread  other']
  for (const column of ['file', 'notation'] as const) {
    for (const name of [...new Set(judged.map((row) => row[column]))].sort()) {
      lines.push(
        figures(
          name,
          judged.filter((row) => row[column] === name),
        ),
      )
    }
  }
  for (const of of LANGUAGES) {
    lines.push(
      figures(
        of,
        judged.filter((row) => languageOf(row) === of),
      ),
    )
  }
  lines.push(figures('all', judged))
  if (process.env.MENO_TABLE_ROWS) {
    for (const { file, questionId, question, answer, verdict, judged: said } of judged.filter(
      differs,
    )) {
      const asked = questionId ?? (question as { id?: string } | undefined)?.id
      lines.push(
        `${file} ${asked} ${JSON.stringify(answer)}: ${verdict}, judged ${said.verdict} (${said.readAs})`,
      )
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function figures(name: string, group: JudgedRow[]): string {
  const counts = [isWrongYes, isMissed, isUnread].map((kind) => group.filter(kind).length)
  const other = group.filter(differs).length - counts.reduce((sum, count) => sum + count, 0)
  const columns = [group.length, ...counts, other].map((count) => String(count).padStart(8))
  return `${name.padEnd(18)}${columns.join('')}`
}

const LANGUAGES = ['en', 'de'] as const

/** The share of the right answers of a language that are judged so. */
function share(kind: (row: JudgedRow) => boolean, of: (typeof LANGUAGES)[number]): number {
  const spoken = rows.filter((row) => languageOf(row) === of)
  const right = spoken.filter(({ verdict }) => verdict === 'right')
  return spoken.filter(kind).length / right.length
}

const languageOf = ({ language, notation }: Row) =>
  language ?? (notation === 'german' ? 'de' : 'en')

test('no wrong answer of the table is judged right', () => {
  expect(rows.filter(isWrongYes)).toEqual([])
})

test('what is no answer is graded by nobody', () => {
  expect(rows.filter(isGradedTalk)).toEqual([])
})

test.each(LANGUAGES)('at most one right answer in a hundred is judged wrong or close: %s', (of) => {
  expect(share(isMissed, of)).toBeLessThanOrEqual(0.01)
})

test.each(LANGUAGES)('at most one right answer in ten is not read: %s', (of) => {
  expect(share(isUnread, of)).toBeLessThanOrEqual(0.1)
})
