import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFailed, onTestFinished, test } from 'vitest'
import type { Course } from '../../src/contracts/course-pack.ts'
import type {
  DrillGradeResponse,
  McqSubmitResponse,
  StudentSnapshot,
  TurnResponse,
  TutorCard,
  TutorMessage,
} from '../../src/contracts/course-tutor.ts'
import { loadCourses } from '../../src/courses/load.ts'
import { NOT_COUNTED } from '../../src/domain/course/drills/drill-grade.ts'
import type { Evidence } from '../../src/domain/course/snapshot/evidence.ts'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { type MenoProcess, startMenoProcess, type Victim } from '../support/meno-process.ts'
import { recomputeSnapshot } from '../support/recompute-snapshot.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { blockOf } from '../support/scripted-world.ts'

const courseId = 'algebra-basics'
const unitId = 'ENTRY-00'
const VICTIMS = ['worker', 'api', 'temporal', 'postgres'] as const satisfies Victim[]
const ROUNDS = 10
/** How often it is all done, each time with other moments and answers. */
const TIMES = Number(process.env.MENO_CAMPAIGN_ROUNDS || 1)
/** The least a thread asks for in a round: to talk, for a drill, for its grade, and to go on. */
const CALLS = 2 * ROUNDS * 3

interface Call<T> {
  path: string
  key: string
  sent: object
  status: number
  body: T
}

/** Everything that was asked for and answered, over all threads. */
interface Answered {
  turns: Call<TurnResponse>[]
  grades: Call<DrillGradeResponse>[]
  exams: Call<McqSubmitResponse>[]
}

let exams: Course['units'][number]['exams']

beforeAll(async () => {
  const courses = await loadCourses(resolve('courses'))
  const course = courses.find((one) => one.courseId === courseId)
  exams = course?.units.flatMap((unit) => unit.exams) ?? []
})

/** Posts until it is answered: what a caller does, with the same key again and again. */
async function post<T>(meno: MenoProcess, path: string, sent: object, key = randomUUID()) {
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

/** One thread of the student: talks, takes drills, and exams where they are given; now and then wrong. */
async function learn(meno: MenoProcess, thread: string, random: () => number, answered: Answered) {
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
      const exam = exams.find(({ questionId }) => questionId === card.questionId)
      const isRight = random() < 0.6
      const option = exam?.options.find(({ id }) => (id === exam.correct) === isRight)
      const sent = { courseId, questionId: card.questionId, selectedOptionId: option?.id }
      answered.exams.push(await post(meno, `/${thread}/exam/mcq-submit`, sent))
    }
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await take(await turn({ messageText: `negative numbers, ${thread} ${round}` }))
    await take(await turn({ clientEvent: { type: 'REQUEST_DRILL', unitId } }))
    const goOn = { type: 'DRILL_CONTINUE', unitId, lastResult: 'correct' }
    await take(await turn({ clientEvent: goOn }))
  }
}

const sumOf = (sum: string) => sum.split('+').reduce((total, part) => total + Number(part), 0)

/** Asks, gives a sum as a drill, or an exam question where the policy allows it. */
function move(prompt: string, number: number): object {
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

/** The next victim falls though the calls stand still, so that one outage meets the other. */
const LONGEST_PAUSE_MS = 3_000

/** Each victim once, in an order and at moments of the seed. */
async function killOnceEach(meno: MenoProcess, random: () => number, answered: Answered) {
  const done = () => answered.turns.length + answered.grades.length + answered.exams.length
  const victims = VICTIMS.map((victim) => ({ victim, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ victim }) => victim)
  for (const [index, victim] of victims.entries()) {
    const moment = Math.floor(((index + 0.5 + random() * 0.4) / VICTIMS.length) * CALLS)
    const latest = Date.now() + LONGEST_PAUSE_MS
    while (done() < moment && (index === 0 || Date.now() < latest)) await sleep(2)
    await sleep(random() * 40)
    await meno.kill(victim)
  }
}

/** An exam question is shown as it stands now: left out, so that it can be compared with what was put. */
function asPut(message: TutorMessage): TutorMessage {
  if (message.card?.type !== 'EXAM') return message
  const { lockedUntil: _, ...card } = message.card
  return { ...message, card: { ...card, status: 'available' } }
}

async function audit(meno: MenoProcess, threads: string[], { turns, grades, exams }: Answered) {
  const passed = exams.filter(({ status }) => status === 200)
  // A wrong answer whose grading was killed with the model's words is said not to count: code alone cannot tell.
  const counted = grades.filter(({ body }) => body.feedbackText !== NOT_COUNTED.feedbackText)
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

const SEEDS = Array.from({ length: TIMES }, (_, time) => 21 + time)

test.for(SEEDS)(
  'each process killed once while a student learns in two threads (seed %i): all evidence counts once',
  { timeout: 180_000 },
  async (seed, { task }) => {
    const model = await startScriptedModel()
    model.answer('*', ({ prompt, earlier }) =>
      prompt.includes('<policy>')
        ? move(prompt, earlier)
        : { is_correct: false, feedback_text: 'Count on from there.', common_mistake_tag: null },
    )
    onTestFinished(() => model.close())
    const meno = await startMenoProcess({
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'scripted',
    })
    onTestFinished(() => meno.remove())
    onTestFailed(() => console.log(meno.log()))

    const answered: Answered = { turns: [], grades: [], exams: [] }
    const opened = await Promise.all(
      [0, 1].map(() => post<{ threadId: string }>(meno, '', { courseId })),
    )
    const threads = opened.map(({ body }) => body.threadId)
    await Promise.all([
      killOnceEach(meno, seededRandom(seed), answered),
      ...threads.map((thread, index) =>
        learn(meno, thread, seededRandom(seed * 2 + index), answered),
      ),
    ])

    expect(answered.grades.length).toBeGreaterThan(ROUNDS)
    expect(answered.exams.length).toBeGreaterThan(0)
    for (const { status, body } of answered.grades) expect(status, JSON.stringify(body)).toBe(200)
    await audit(meno, threads, answered)
    for (const { path, key, sent, status, body } of Object.values(answered).flat()) {
      const again = await post<object>(meno, path, sent, key)
      expect(again).toMatchObject({ status, body })
    }
    await audit(meno, threads, answered)
    task.meta.counted = { kills: VICTIMS.length, threads: 2 }
  },
)
