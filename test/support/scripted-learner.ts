import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ArcView, PendingQuestion } from '../../src/contracts/arc.ts'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'

export interface Learner {
  /** Where Meno answers; may change while it is restarted. */
  url: () => string
  /** The right answer of a question. */
  rightAnswer: (question: PendingQuestion) => Promise<string>
  /** The share of questions seen for the first time that is answered wrong, 0..1. */
  missShare?: number
  seed?: number
  /** Called at every look at the arc. */
  onLook?: (arc: ArcView) => void
  maxSeconds?: number
}

export interface Journey {
  arcId: string
  /** Phases in the order they were seen, without repeats. */
  phases: string[]
  /** What was said, and the HTTP status of the answer. */
  sent: { messageId: string; questionId: string; text: string; status: number }[]
  answered: { kind: string; right: boolean }[]
  seconds: number
}

/** Calls Meno as a patient client does: again, with the same content, until it answers. */
export async function patiently(
  url: () => string,
  path: string,
  init: RequestInit = {},
  seconds = 120,
): Promise<{ status: number; body: unknown }> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    try {
      const response = await fetch(url() + path, {
        ...init,
        headers: { 'content-type': 'application/json', ...init.headers },
        signal: AbortSignal.timeout(40_000),
      })
      const body = await response.json()
      if (response.status < 500) return { status: response.status, body }
    } catch {
      // being restarted
    }
    if (Date.now() > deadline) throw new Error(`${path} was not answered in ${seconds} s`)
    await sleep(200)
  }
}

/** Begins an arc; the same key begins it once. */
export async function beginArc(url: () => string, request: object): Promise<string> {
  const { status, body } = await patiently(url, '/api/arcs', {
    method: 'POST',
    body: JSON.stringify(request),
    headers: { 'Idempotency-Key': randomUUID() },
  })
  if (status !== 201) throw new Error(`the arc did not begin: ${JSON.stringify(body)}`)
  return (body as { arcId: string }).arcId
}

/** Takes an arc to COMPLETED by answering whatever is asked. */
export async function learn(arcId: string, learner: Learner): Promise<Journey> {
  const { url, missShare = 0, seed = 1, maxSeconds = 600 } = learner
  const random = seededRandom(seed)
  const seen = new Set<string>()
  const journey: Journey = { arcId, phases: [], sent: [], answered: [], seconds: 0 }
  const startedAt = Date.now()
  let last = { questionId: '', tries: 0 }
  for (;;) {
    const arc = (await patiently(url, `/api/arcs/${arcId}`)).body as ArcView
    learner.onLook?.(arc)
    if (journey.phases.at(-1) !== arc.phase) journey.phases.push(arc.phase)
    journey.seconds = (Date.now() - startedAt) / 1000
    if (arc.phase === 'COMPLETED' || arc.phase === 'ABANDONED') return journey
    if (journey.seconds > maxSeconds) {
      throw new Error(`still ${arc.phase} after ${maxSeconds} s: ${JSON.stringify(arc)}`)
    }
    const question = arc.pendingQuestion
    if (!question) {
      await sleep(100)
      continue
    }
    const isNew = !seen.has(question.text)
    seen.add(question.text)
    const misses = isNew && question.kind !== 'diagnostic' && random() < missShare
    const text = misses ? wrongFor(question) : await learner.rightAnswer(question)
    last = { questionId: question.id, tries: last.questionId === question.id ? last.tries + 1 : 1 }
    if (last.tries > 8) throw new Error(`no answer is taken for: ${question.text} (${text})`)
    const sent = {
      messageId: randomUUID(),
      questionId: question.id,
      text: misses ? wrongFor(question) : text,
    }
    journey.answered.push({ kind: question.kind, right: !misses })
    const { status } = await patiently(url, `/api/arcs/${arcId}/messages`, {
      method: 'POST',
      body: JSON.stringify(sent),
      headers: { Prefer: 'wait=20' },
    })
    journey.sent.push({ ...sent, status })
  }
}

/** An answer far from right; a choice is missed by not knowing. */
function wrongFor(question: PendingQuestion): string {
  return question.format === 'multiple_choice' ? "I don't know" : '987654'
}
