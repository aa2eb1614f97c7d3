import { randomUUID } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Connection, WorkflowClient } from '@temporalio/client'
import { expect, test } from 'vitest'
import type { ArcView, PendingQuestion, Turn } from '../../src/contracts/arc.ts'
import type { TurnResponse } from '../../src/contracts/practice.ts'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { allRuns } from '../support/histories.ts'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { beginArc, patiently } from '../support/scripted-learner.ts'
import {
  type Fault,
  type RecordedCall,
  type ScriptedModel,
  startScriptedModel,
} from '../support/scripted-model.ts'
import { blockOf, rightAnswer } from '../support/scripted-world.ts'
import { answerAllProducts } from './all-products-model.ts'
import { faultsOfRecord } from './arc-record.ts'
import { type Answered, audit, learnIn, openThread } from './course-student.ts'
import { newMap, plan, standingOf } from './map-planner.ts'
import { newQuestionSet, post } from './practice-student.ts'

const HOOK = pathToFileURL(path.resolve(import.meta.dirname, '../support/changed-rules.mjs')).href
const CONCEPTS = 3
/** In days, which last a second here. */
const SOON = { learningSteps: [0.5, 2] }
/** Long enough to be asleep when the worker is replaced. */
const LATER = { learningSteps: [30, 60] }
const HELD_MS = 120_000
const MOST_ANSWERS = 60

/** What the next worker does otherwise: another quiz, other words, another order of phases, other limits. */
const CHANGES = [
  {
    file: 'src/store/arc/load.ts',
    from: "...(arc.settings as unknown as LoadedArc['rules']) },",
    to: "...(arc.settings as unknown as LoadedArc['rules']), quizQuestions: 4 },",
  },
  {
    file: 'src/tutor/phrases.ts',
    from: "right: () => '**Right.**'",
    to: "right: () => '**Quite right.**'",
  },
  {
    file: 'src/domain/arc/next-activity.ts',
    from: "if (isComplete(map) && rules.onMastered === 'complete')",
    to: `if (!isComplete(map) && (state.lesson || nextNode(map, rules.unlockAt))) {
    const first = nextNode(map, rules.unlockAt)
    return state.lesson || !first ? { do: 'go-on' } : { do: 'teach', nodeId: first.id }
  }
  if (isComplete(map) && rules.onMastered === 'complete')`,
  },
  {
    file: 'src/domain/practice/session.ts',
    from: 'STRUGGLING_AT = 3',
    to: 'STRUGGLING_AT = 2',
  },
  {
    file: 'src/domain/course/policy/tutor-policy.ts',
    from: 'maxConceptWords: 170',
    to: 'maxConceptWords: 90',
  },
]

/** Where an arc is when the worker is replaced: how it is brought there, by what it is asked. */
interface Place {
  name: string
  settings: object
  /** The course that it is taught from, beside the model. */
  courseId?: string
  /** Whether it is there; before that whatever is asked is answered rightly. */
  isThere(arc: ArcView): boolean
  /** A step of that kind is held: the model begins to write it and does not end. */
  holds?: string
  /** The model refuses steps of that kind. */
  refuses?: string
  /** What is done when it is there. */
  whenThere?: (learner: Learner) => Promise<unknown>
}

let meno: MenoProcess

/** The right answer: the scripted model's sums are reckoned, a course's questions are looked up. */
async function answerTo({ id, kind, text }: PendingQuestion): Promise<string> {
  if (kind === 'choice') return 'go_on'
  const [row] = await meno.rows<{ expected: string; source: string | null }>(
    'select expected, source from arc_questions where id = $1',
    [id],
  )
  return row?.source ? row.expected : rightAnswer(text)
}

const asked = (kind: PendingQuestion['kind']) => (arc: ArcView) =>
  arc.pendingQuestion?.kind === kind
const TAUGHT = { ...SOON, skipDiagnosis: true }

const PLACES: Place[] = [
  { name: 'level check', settings: SOON, isThere: asked('diagnostic') },
  { name: 'plan being written', settings: TAUGHT, holds: 'graph', isThere: () => false },
  { name: 'lesson being written', settings: TAUGHT, holds: 'lesson', isThere: () => false },
  { name: 'check question', settings: TAUGHT, isThere: asked('teach') },
  { name: 'quiz being written', settings: TAUGHT, holds: 'quiz', isThere: () => false },
  { name: 'quiz', settings: TAUGHT, isThere: asked('quiz') },
  { name: 'answer being graded', settings: TAUGHT, holds: 'grade', isThere: () => false },
  { name: 'review', settings: TAUGHT, isThere: asked('review') },
  { name: 'blocked', settings: TAUGHT, refuses: 'lesson', isThere: ({ blocked }) => !!blocked },
  {
    name: 'paused',
    settings: TAUGHT,
    isThere: asked('teach'),
    whenThere: (learner) => learner.post('pause', {}),
  },
  {
    name: 'asleep',
    settings: { ...LATER, skipDiagnosis: true },
    isThere: ({ phase, pendingQuestion }) => phase === 'REVIEWING' && pendingQuestion === null,
  },
  {
    name: 'in practice',
    settings: TAUGHT,
    courseId: 'algebra-basics',
    // The root is no unit of the course.
    isThere: (arc) => asked('teach')(arc) && arc.currentNode?.label !== arc.topic,
    whenThere: (learner) => learner.practise(),
  },
]

class Learner {
  readonly #meno: MenoProcess
  readonly arcId: string
  readonly place: Place
  readonly topic: string
  readonly sent: { messageId: string; questionId: string; text: string; status: number }[] = []
  /** Kinds of the questions that were answered since the worker was replaced. */
  readonly kinds: string[] = []
  readonly told: string[] = []
  practiceSessionId: string | null = null

  constructor(meno: MenoProcess, arcId: string, topic: string, place: Place) {
    this.#meno = meno
    this.arcId = arcId
    this.topic = topic
    this.place = place
  }

  view = async () => (await patiently(this.#meno.url, `/api/arcs/${this.arcId}`)).body as ArcView

  post(path: string, body: object) {
    const init = { method: 'POST', body: JSON.stringify(body) }
    return patiently(this.#meno.url, `/api/arcs/${this.arcId}/${path}`, init)
  }

  async say(text: string, questionId: string, waitS: number, more = {}): Promise<Turn | null> {
    const messageId = randomUUID()
    const about = questionId ? { questionId } : {}
    const sent = { messageId, ...about, ...(text ? { text } : {}), ...more }
    const path = `/api/arcs/${this.arcId}/messages`
    const { status, body } = await patiently(this.#meno.url, path, {
      method: 'POST',
      body: JSON.stringify(sent),
      headers: { prefer: `wait=${waitS}` },
    })
    this.sent.push({ messageId, questionId, text, status })
    return status === 200 ? (body as Turn) : null
  }

  async practise(): Promise<void> {
    const { pendingQuestion } = await this.view()
    const turn = await this.say('', pendingQuestion?.id ?? '', 20, { action: 'practice' })
    const cards = turn?.replies.map(({ card }) => card) ?? []
    const card = cards.find((each) => each?.type === 'PRACTICE') as { sessionId: string }
    expect(card?.sessionId).toBeTypeOf('string')
    this.practiceSessionId = card.sessionId
  }

  /** Answers whatever is asked until it is where it should be. */
  async reach(isHeld: () => boolean): Promise<void> {
    for (let answers = 0; answers < 200; answers += 1) {
      const arc = await this.view()
      if (this.place.isThere(arc) || isHeld()) {
        await this.place.whenThere?.(this)
        return
      }
      const { pendingQuestion: question } = arc
      if (question) await this.say(await answerTo(question), question.id, 2)
      else await sleep(200)
    }
    throw new Error(`the arc never came to: ${this.place.name}`)
  }

  /** Goes on until enough was seen. */
  async goOn(isEnough: () => boolean): Promise<void> {
    if (this.place.name === 'paused') await this.post('resume', {})
    if (this.practiceSessionId !== null) {
      await post(this.#meno, `/sessions/${this.practiceSessionId}/complete`, {})
    }
    if (this.place.name === 'blocked') await this.say('Are you there?', '', 20)
    for (const deadline = Date.now() + 120_000; !isEnough(); ) {
      if (Date.now() > deadline) {
        throw new Error(`${this.place.name}: ${JSON.stringify(await this.view())}`)
      }
      const { phase, pendingQuestion: question } = await this.view()
      if (phase === 'COMPLETED' || this.kinds.length > MOST_ANSWERS) return
      if (!question) {
        await sleep(200)
        continue
      }
      this.kinds.push(question.kind)
      const turn = await this.say(await answerTo(question), question.id, 30)
      expect(turn, `${this.place.name}: a turn in time`).not.toBeNull()
      this.told.push(...(turn?.replies.map(({ text }) => text) ?? []))
    }
  }
}

test('a worker with other rules goes on with everything that is open, without a patch and without a failed task', {
  timeout: 400_000,
}, async ({ onTestFinished, onTestFailed, task }) => {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'meno-changes-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const changes = path.join(folder, 'changes.json')
  const model = await startScriptedModel({ concepts: CONCEPTS })
  answerAllProducts(model)
  model.answer('graph', ({ prompt }) => unitsOfCourse(prompt))
  onTestFinished(() => model.close())
  meno = await startMenoProcess({
    NODE_OPTIONS: `--import=${HOOK}`,
    MENO_TEST_CHANGES: changes,
    MENO_DAY_SECONDS: '1',
    MENO_LLM_CONCURRENCY: '50',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  })
  onTestFinished(() => meno.remove())
  onTestFailed(() => console.log(meno.log()))

  const held = holdSteps(model)
  const learners = await Promise.all(
    PLACES.map(async (place, number) => {
      const topic = `Weaving${number}`
      const { settings, courseId } = place
      const arcId = await beginArc(meno.url, { topic, settings, courseId })
      const learner = new Learner(meno, arcId, topic, place)
      await learner.reach(() => held.topics.has(topic))
      return learner
    }),
  )
  const sessions = await openSessions(meno)
  const answered: Answered = { turns: [], grades: [], exams: [] }
  const threads = [await openThread(meno), await openThread(meno)]
  for (const thread of threads) await learnIn(meno, thread, 3, seededRandom(3), answered)
  const map = await newMap(meno)
  const planning = plan(meno, map, 'held weaving')
  await expect.poll(() => held.topics.has('held weaving'), { timeout: 30_000 }).toBe(true)
  const unread = post<TurnResponse>(meno, '/webhook/tutor/message', {
    ...sessions.unread,
    message: 'hm, held, what I would go for here is 99 or so',
    message_id: 'm1',
  })
  await expect.poll(() => held.topics.has('held'), { timeout: 30_000 }).toBe(true)

  writeFileSync(changes, JSON.stringify(CHANGES))
  const since = model.calls.length
  held.release()
  await meno.kill('worker')

  const quizOfFour = (topic: string) =>
    model.calls
      .slice(since)
      .some(({ messages }) => isAbout(messages, topic) && asksForFour(messages))
  await Promise.all(
    learners.map((learner) =>
      learner.goOn(() => {
        const isAsleep = learner.place.name === 'asleep'
        const isNewQuiz = isAsleep || quizOfFour(learner.topic)
        const isReworded = learner.told.some((text) => text.includes('Quite right'))
        const isReviewed = learner.kinds.includes('review')
        const isOrdered = learner.place.name !== 'check question' || isReviewed
        return learner.kinds.length >= 2 && isNewQuiz && isReworded && isOrdered
      }),
    ),
  )
  for (const { place, told, topic } of learners) {
    expect(told.join('\n'), place.name).toContain('Quite right')
    // A course's quiz is written by code, so the model is not asked for it.
    const isOfModel = place.courseId === undefined
    if (place.name !== 'asleep' && isOfModel) expect(quizOfFour(topic), place.name).toBe(true)
  }
  // Before, reviews came between the lessons.
  const ordered = learners.find(({ place }) => place.name === 'check question')?.kinds ?? []
  expect(ordered.lastIndexOf('teach')).toBeLessThan(ordered.indexOf('review'))
  expect(ordered.filter((kind) => kind === 'teach').length).toBeGreaterThan(CONCEPTS)

  const [again] = await Promise.all([
    practiseAgain(meno, sessions),
    // Read by the model, or by code where the worker was away for longer than a student waits.
    unread.then(({ category }) => expect(category).toMatch(/wrong_operation|unjudged/)),
    planning,
    ...threads.map((thread) => learnIn(meno, thread, 3, seededRandom(4), answered)),
  ])
  // The second wrong answer is the limit now; it was the third.
  expect(again.alerts).toBe(1)
  await audit(meno, threads, answered)
  const planned = { status: 'active', job: null, fault: null, nodes: CONCEPTS + 1, open: 0 }
  expect(await standingOf(meno, [map])).toEqual([planned])
  const policies = model.calls.slice(since).filter(({ system }) => system.includes('one move'))
  expect(JSON.stringify(policies.at(-1)?.messages)).toMatch(/maxConceptWords\W+90/)
  for (const { arcId, sent } of learners) {
    const journey = { arcId, sent, phases: [], answered: [], seconds: 0 }
    expect(await faultsOfRecord(meno, journey)).toEqual([])
  }
  expect(await faultsOfHistories(meno)).toEqual([])
  task.meta.counted = { arcs: learners.length, places: PLACES.length + 5 }
})

/** The first units of the course that a planner was told of, as a map; undefined where it was told of none. */
function unitsOfCourse(prompt: string): object | undefined {
  const units = [...blockOf(prompt, 'course_units').matchAll(/^- (.+) \(\d+ minutes/gm)]
  if (units.length === 0) return undefined
  const root = /^topic: (.+)$/m.exec(prompt)?.[1] ?? ''
  const labels = units.slice(0, CONCEPTS).map(([, title]) => title)
  const node = (label: string | undefined) => ({ label, description: 'A unit.', effort_minutes: 9 })
  return {
    root,
    nodes: [root, ...labels].map(node),
    edges: labels.map((child) => ({ parent: root, child })),
  }
}

const promptOf = (messages: RecordedCall['messages']) => messages.map(({ text }) => text).join('\n')
const isAbout = (messages: RecordedCall['messages'], topic: string) =>
  new RegExp(`^topic: ${topic}$`, 'm').test(promptOf(messages))
const asksForFour = (messages: RecordedCall['messages']) =>
  promptOf(messages).includes('Write 4 questions')

/** The steps that places want held or refused: which were, and their release. */
function holdSteps(model: ScriptedModel) {
  const topics = new Set<string>()
  let isOver = false
  const silence: Fault = { kind: 'silence', ms: HELD_MS, after: 1 }
  model.fail((call) => {
    if (isOver) return null
    const [, number] = /^topic: Weaving(\d+)$/m.exec(promptOf(call.messages)) ?? []
    const place = PLACES[Number(number ?? -1)]
    if (place?.holds === call.step) {
      topics.add(`Weaving${number}`)
      return silence
    }
    if (place?.refuses === call.step) return { kind: 'status', status: 401 }
    if (isAbout(call.messages, 'held weaving')) {
      topics.add('held weaving')
      return silence
    }
    if (!promptOf(call.messages).includes('hm, held')) return null
    topics.add('held')
    return silence
  })
  return {
    topics,
    release: () => {
      isOver = true
    },
  }
}

interface Session {
  session_id: string
  student_id: string
}

/** Sessions of practice: one answered wrongly once, one with a smaller question open, one that says nothing yet. */
async function openSessions(meno: MenoProcess) {
  const open = async (name: string, ...messages: string[]): Promise<Session> => {
    const question_set_id = await newQuestionSet(meno, name)
    const session = { session_id: `session-${name}`, student_id: `student-${name}` }
    await post(meno, '/sessions', { ...session, question_set_id })
    for (const [index, message] of messages.entries()) {
      const message_id = `before-${index}`
      await post(meno, '/webhook/tutor/message', { ...session, message, message_id })
    }
    return session
  }
  return {
    wrong: await open('wrong', '9'),
    smaller: await open('smaller', 'I am stuck'),
    unread: await open('unread'),
  }
}

async function practiseAgain(
  meno: MenoProcess,
  { wrong, smaller }: { wrong: Session; smaller: Session },
): Promise<{ alerts: number }> {
  const say = (session: Session, message: string, message_id: string) =>
    post<TurnResponse>(meno, '/webhook/tutor/message', { ...session, message, message_id })
  expect((await say(wrong, '8', 'after-1')).category).toBe('wrong_operation')
  expect((await say(smaller, '2', 'after-1')).category).toMatch(/scaffold_progress|correct/)
  const [row] = await meno.rows<{ alerts: number }>(
    `select count(*)::int as alerts from practice_alerts join tutoring_sessions using (session_id)
     where external_session_id = $1`,
    [wrong.session_id],
  )
  return { alerts: row?.alerts ?? 0 }
}

/** Failed tasks, failed runs and patches in the histories of all entities. */
async function faultsOfHistories(meno: MenoProcess): Promise<string[]> {
  const entities = await meno.rows<{ workflow_id: string }>('select workflow_id from entities')
  const connection = await Connection.connect({ address: meno.temporalAddress() })
  try {
    const client = new WorkflowClient({ connection })
    const runs = await Promise.all(entities.map((each) => allRuns(client, each.workflow_id)))
    expect(runs.flat().length).toBeGreaterThan(PLACES.length)
    return runs.flatMap((all, index) =>
      all
        .flatMap(({ events }) => events)
        .filter(({ eventType }) => /TASK_FAILED|EXECUTION_FAILED|TERMINATED/.test(eventType))
        .map((event) => `${entities[index]?.workflow_id}: ${JSON.stringify(event)}`)
        .concat(JSON.stringify(all).includes('core_patch') ? ['a patch'] : []),
    )
  } finally {
    await connection.close()
  }
}
