import { z } from 'zod'
import type { ExamStatus } from '../domain/course/exams/exam-availability.ts'
import { type ExamAuthority, ExamAuthorityError } from './exam-authority.ts'

const TIMEOUT_MS = 2_000
/** An answer beyond this is not read. */
const MAX_ANSWER = 200_000

const Status = z.object({
  status: z.enum(['available', 'locked', 'passed']),
  lockedUntil: z.iso.datetime({ offset: true }).nullish(),
})

/**
 * The customer's exam API: `POST /status`, `/attempts` and `/support-views` below `baseUrl`. Each call is made once,
 * within `timeoutMs`; question ids are the customer's, so the course is not sent. What it says about questions that
 * were not asked about is dropped; one bad entry of a status answer makes that question unknown.
 */
export function createHttpAuthority(baseUrl: string, timeoutMs = TIMEOUT_MS): ExamAuthority {
  const root = baseUrl.replace(/\/+$/, '')

  async function post(path: string, key: string, body: object): Promise<unknown> {
    try {
      const response = await fetch(root + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      if (!response.ok) throw new ExamAuthorityError(`the exam API answered ${response.status}`)
      if (text.length > MAX_ANSWER) throw new ExamAuthorityError('the exam API answered too much')
      return JSON.parse(text)
    } catch (error) {
      if (error instanceof ExamAuthorityError) throw error
      const detail = error instanceof Error ? error.message : String(error)
      throw new ExamAuthorityError(`the exam API has no answer: ${detail}`)
    }
  }

  return {
    async status({ studentId, questionIds, at }) {
      if (questionIds.length === 0) return {}
      const key = `status-${studentId}-${at}`
      const answer = z
        .record(z.string(), z.unknown())
        .safeParse(await post('/status', key, { studentId, questionIds }))
      if (!answer.success) throw new ExamAuthorityError('the exam API answered in another shape')
      const asked = questionIds.filter((id) => Object.hasOwn(answer.data, id))
      return Object.fromEntries(
        asked.flatMap((id) => {
          const status = Status.safeParse(answer.data[id])
          return status.success ? [[id, withoutNull(status.data)]] : []
        }),
      )
    },

    async attempt({ studentId, questionId, tier, isCorrect, at, key }) {
      const time = new Date(at).toISOString()
      return one(await post('/attempts', key, { studentId, questionId, tier, isCorrect, at: time }))
    },

    async supportView({ studentId, questionId, supportType, at, key }) {
      const time = new Date(at).toISOString()
      return one(
        await post('/support-views', key, { studentId, questionId, supportType, at: time }),
      )
    },
  }
}

function one(answer: unknown): ExamStatus {
  const status = Status.safeParse(answer)
  if (!status.success) throw new ExamAuthorityError('the exam API answered in another shape')
  return withoutNull(status.data)
}

function withoutNull({ status, lockedUntil }: z.infer<typeof Status>): ExamStatus {
  return lockedUntil == null
    ? { status }
    : { status, lockedUntil: new Date(lockedUntil).toISOString() }
}
