/** `npm run judge`: JSON lines with answers in, one verdict a line out. */
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { AnswerKeySchema } from '../contracts/course-pack.ts'
import { judgeLine, type LineQuestion, type LineVerdict } from './judge-line.ts'
import { loadCourses } from './load.ts'

const UNREAD: LineVerdict = { verdict: 'unread', readAs: null }

/** A question as a course pack has it; what does not bear on the answer may be missing. */
const Question = z.object({
  text: z.string(),
  options: z.array(z.object({ id: z.string(), text: z.string() })).optional(),
  answer: AnswerKeySchema,
  mistakes: z.array(z.object({ answer: z.string(), tag: z.string() })).optional(),
})

const Line = z.union([
  z.object({ question: Question, answer: z.string() }),
  z.object({ courseId: z.string(), questionId: z.string(), answer: z.string() }),
])

/** The questions of all installed courses, by course and id. */
async function installedQuestions(): Promise<Map<string, LineQuestion>> {
  const courses = await loadCourses(resolve(process.env.MENO_COURSES || 'courses'))
  return new Map(
    courses.flatMap(({ courseId, units }) =>
      units.flatMap(({ questions }) =>
        questions.map((question) => [`${courseId} ${question.id}`, question] as const),
      ),
    ),
  )
}

const installed = await installedQuestions()
let number = 0
for await (const text of createInterface({ input: process.stdin })) {
  number++
  if (text.trim() !== '') process.stdout.write(`${JSON.stringify(verdictOn(text))}\n`)
}

function verdictOn(text: string): LineVerdict {
  try {
    const line = Line.parse(JSON.parse(text))
    if ('question' in line) return judgeLine(line.question, line.answer)
    const question = installed.get(`${line.courseId} ${line.questionId}`)
    if (question) return judgeLine(question, line.answer)
    console.error(`line ${number}: no question ${line.questionId} in the course ${line.courseId}`)
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    console.error(`line ${number}: ${reason}`)
  }
  return UNREAD
}
