import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type {
  DrillGradeResponse,
  McqSubmitResponse,
  StudentSnapshot,
  TurnResponse,
  TutorCard,
  TutorMessage,
} from '../../src/contracts/course-tutor.ts'
import { loadCourses } from '../../src/courses/load.ts'
import type { Evidence } from '../../src/domain/course/snapshot/evidence.ts'
import { courseWords } from '../../src/domain/course/words.ts'
import type { MenoProcess } from '../support/meno-process.ts'
import { recomputeSnapshot } from '../support/recompute-snapshot.ts'
import { blockOf } from '../support/scripted-world.ts'

const courseId = 'algebra-basics'
const unitId = 'ENTRY-00'

/** A call that was answered, with what it takes to send it again. */
interface Call<T> {
  path: string
  key: string
  sent: object
  status: number
  body: T
}

/** Everything that was asked for and answered, over all threads. */
export interface Answered {
  turns: Call<TurnResponse>[]
  grades: Call<DrillGradeResponse>[]
  exams: Call<McqSubmitResponse>[]
}

const courses = await loadCourses(resolve('courses'))
const exams = courses.find((one) => one.courseId === courseId)?.units.flatMap((unit) => unit.exams)

/** Opens a thread of the course. */
export async function openThread(meno: MenoProcess): Promise<string> {
  return (await post<{ threadId: string }>(meno, '', { courseId })).body.threadId
}

/** Posts until it is answered: what a caller does, with the same key again and again. */
export async function post<T>(meno: MenoProcess, path: string, sent: object, key = randomUUID()) {
  for (;;) {
    const response = await fetch(`${meno.url()}/api/tutor/threads${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(sent),
      signal: AbortSignal.timeout(12_000),
    }).catch(() => null)
    const body = response && response.status < 500 ? await response.json().catch(() => null) : null
    if (response && body) return { path, key, sent, status: response.status, body: body as T }
    await sleep(100)
  }
}

/** Some rounds in one thread: the student talks, takes drills, and exams where they are given; now and then wrong. */
export async function learnIn(
  meno: MenoProcess,
  thread: string,
  rounds: number,
  random: () => number,
  answered: Answered,
): Promise<void> {
  const turn = async (sent: object) => {
    const call = await post<TurnResponse>(meno, `/${thread}/turn`, { courseId, ...sent })
    answered.turns.push(call)
    expect(call.status, JSON.stringify(call.body)).toBe(200)
    return call.body.messages.at(-1)?.card
  }
  const take = async (card: TutorCard | undefined) => {
    if (card?.type === 'DRILL') {
      const { prompt, questionLatex: question_latex, token } = card
      const right = sumOf(question_latex)
      const studentAnswer = String(random() < 0.8 ? right : right + 1)
      const sent = { courseId, unitId: card.unitId, drill: { prompt, question_latex, token } }
      answered.grades.push(await post(meno, `/${thread}/drill/grade`, { ...sent, studentAnswer }))
    }
    if (card?.type === 'EXAM') {
      const exam = exams?.find(({ questionId }) => questionId === card.questionId)
      const isRight = random() < 0.6
      const option = exam?.options.find(({ id }) => (id === exam.correct) === isRight)
      const sent = { courseId, questionId: card.questionId, selectedOptionId: option?.id }
      answered.exams.push(await post(meno, `/${thread}/exam/mcq-submit`, sent))
    }
  }
  for (let round = 0; round < rounds; round += 1) {
    await take(await turn({ messageText: `negative numbers, ${thread} ${round}` }))
    await take(await turn({ clientEvent: { type: 'REQUEST_DRILL', unitId } }))
    const goOn = { type: 'DRILL_CONTINUE', unitId, lastResult: 'correct' }
    await take(await turn({ clientEvent: goOn }))
  }
}

const sumOf = (sum: string) => sum.split('+').reduce((total, part) => total + Number(part), 0)

/** Asks, gives a sum as a drill, or an exam question where the policy allows it. */
export function move(prompt: string, number: number): object {
  const policy = JSON.parse(blockOf(prompt, 'policy'))
  const { examCandidates, clientEvent } = JSON.parse(blockOf(prompt, 'context'))
  const shared = {
    mapped_units: [{ unit_id: policy.focusUnitId, confidence: 0.9 }],
    target_unit_id: policy.focusUnitId,
    tutor_text: 'What do you think?',
    turn_analysis: {
      student_intent: 'solve',
      understanding_signal: 'uncertain',
      suggested_prereq_units: [],
    },
  }
  if (clientEvent.type === 'NONE') return { ...shared, action: 'SOCRATIC_QUESTION' }
  const [exam] = examCandidates
  if (clientEvent.type === 'DRILL_CONTINUE' && exam) {
    const { questionId: question_id, difficultyTier } = exam
    return { ...shared, action: 'EXAM_BLOCK', exam_suggestion: { question_id, difficultyTier } }
  }
  const drill = { prompt: 'Work out', question_latex: `${number}+2` }
  const drill_card = { ...drill, expected_answer: String(number + 2) }
  return { ...shared, action: 'DRILL_CARD', drill_card }
}

/** An exam question is shown as it stands now: left out, so that it can be compared with what was put. */
function asPut(message: TutorMessage): TutorMessage {
  if (message.card?.type !== 'EXAM') return message
  const { lockedUntil: _, ...card } = message.card
  return { ...message, card: { ...card, status: 'available' } }
}

/**
 * Holds what was answered against what is stored: every request counts once, the snapshot follows from the evidence, and
 * every thread shows what was answered in it.
 */
export async function audit(
  meno: MenoProcess,
  threads: string[],
  { turns, grades, exams }: Answered,
) {
  const passed = exams.filter(({ status }) => status === 200)
  // A wrong answer whose grading was killed with the model's words is said not to count: code alone cannot tell.
  const counted = grades.filter(({ body }) => body.feedbackText !== courseWords('en').notCounted)
  const log = await meno.rows<{ data: Evidence; request_id: string }>(
    'select data, request_id from course_evidence order by position',
  )
  const count = (type: Evidence['type'], isIt: (entry: Evidence) => boolean = () => true) =>
    log.filter(({ data }) => data.type === type && isIt(data)).length
  const isCorrect = (entry: object) => 'isCorrect' in entry && entry.isCorrect === true
  expect({
    turns: count('turn_taken'),
    drills: count('drill_graded'),
    right: count('drill_graded', isCorrect),
    exams: count('exam_answered'),
    passes: count('exam_answered', isCorrect),
    requests: new Set(log.map(({ request_id }) => request_id)).size,
  }).toEqual({
    turns: turns.length,
    drills: counted.length,
    right: grades.filter(({ body }) => body.isCorrect).length,
    exams: passed.length,
    passes: passed.filter(({ body }) => body.isCorrect).length,
    requests: turns.length + counted.length + passed.length,
  })

  const [course] = await meno.rows<{
    snapshot: StudentSnapshot
    learner_id: string
    started_at: Date
  }>('select snapshot, learner_id, started_at from course_snapshots')
  if (!course) throw new Error('nothing is stored')
  const startedAt = course.started_at.getTime()
  const start = { studentId: course.learner_id, courseId, entryUnitId: unitId, startedAt }
  const evidence = log.map(({ data }) => data)
  expect(recomputeSnapshot(start, evidence)).toEqual(course.snapshot)

  for (const thread of threads) {
    const response = await fetch(`${meno.url()}/api/tutor/threads/${thread}/messages?limit=500`)
    const { items } = (await response.json()) as { items: TutorMessage[] }
    const shown = turns
      .filter(({ path }) => path.includes(thread))
      .flatMap(({ body }) => body.messages)
    expect(items.filter(({ role }) => role !== 'system').map(asPut)).toEqual(shown.map(asPut))
  }
}

/** Sends everything again under its key: it is answered as it was. */
export async function sendAllAgain(meno: MenoProcess, answered: Answered): Promise<void> {
  for (const { path, key, sent, status, body } of Object.values(answered).flat()) {
    const again = await post<object>(meno, path, sent, key)
    expect(again).toMatchObject({ status, body })
  }
}
