import { randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Route } from '@playwright/test'
import type { ArcView, MindMapView, PendingQuestion } from '../../src/contracts/arc.ts'
import type { TurnResponse, TutorCard } from '../../src/contracts/course-tutor.ts'
import { loadCourse } from '../../src/courses/load.ts'
import { createDrillSealer } from '../../src/tutor/steps/course/drill-token.ts'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import type { Arcs, Desk, Talks } from './screens.ts'

/** A day of ten minutes: a review after 0.01 days comes in six seconds. */
const DAY_SECONDS = '600'
/** The first reviews come soon after each other, so that a concept can be mastered. */
const SOON = [0.01, 0.011, 0.012]
const WITHIN_MS = 90_000

const COURSE = 'algebra-basics'
const DRILL_KEY = randomBytes(32).toString('base64')

/** The real product with a learner, pupils and a teacher, brought into states through the public API. */
export interface PreparedWorld {
  readonly meno: MenoProcess
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  begin(topic: string, more?: Record<string, unknown>): Promise<string>
  arc(arcId: string): Promise<ArcView>
  /** Asks until the arc is as wanted. */
  until(arcId: string, wanted: (arc: ArcView) => boolean): Promise<ArcView>
  command(arcId: string, command: 'pause' | 'abandon'): Promise<void>
  say(arcId: string, words: Record<string, unknown>): Promise<void>
  /** Waits for a question of the arc and answers it; resolves to its kind. */
  answer(arcId: string, how: 'right' | 'wrong'): Promise<PendingQuestion['kind']>
  /** Answers rightly until a question of that kind is open. */
  reach(arcId: string, kind: PendingQuestion['kind']): Promise<void>
  tutor(): Promise<CourseStudent>
}

/** A student in a thread of the course tutor. */
export interface CourseStudent {
  threadId: string
  turn(sent: object): Promise<TutorCard | undefined>
  drill(): Promise<TutorCard | undefined>
  /** Answers the drill, and goes on to what comes after it. */
  grade(card: TutorCard | undefined, how: 'right' | 'wrong'): Promise<TutorCard | undefined>
}

export async function startPreparedWorld(env: NodeJS.ProcessEnv = {}): Promise<PreparedWorld> {
  const meno = await startMenoProcess({
    MENO_DAY_SECONDS: DAY_SECONDS,
    MENO_ENCRYPTION_KEYS: DRILL_KEY,
    ...env,
  })
  return worldOf(meno)
}

function worldOf(meno: MenoProcess): PreparedWorld {
  const answered = new Map<string, string>()

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(meno.url() + path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  const world: PreparedWorld = {
    meno,
    call,
    async begin(topic, more = {}) {
      const settings = { skipDiagnosis: true, quizQuestions: 1, learningSteps: SOON }
      const { arcId } = await call<{ arcId: string }>('POST', '/api/arcs', {
        ...{ topic, settings },
        ...more,
      })
      return arcId
    },
    arc: (arcId) => call('GET', `/api/arcs/${arcId}`),
    async until(arcId, wanted) {
      for (const deadline = Date.now() + WITHIN_MS; ; await sleep(150)) {
        const arc = await world.arc(arcId)
        if (wanted(arc)) return arc
        if (Date.now() > deadline) throw new Error(`waited in vain: ${JSON.stringify(arc)}`)
      }
    },
    async command(arcId, command) {
      await call('POST', `/api/arcs/${arcId}/${command}`, {})
    },
    async say(arcId, words) {
      await call('POST', `/api/arcs/${arcId}/messages`, words)
    },
    async answer(arcId, how) {
      const { pendingQuestion } = await world.until(
        arcId,
        ({ pendingQuestion: open }) => open !== null && open.id !== answered.get(arcId),
      )
      const question = pendingQuestion as PendingQuestion
      answered.set(arcId, question.id)
      const text = await answerTo(question, how)
      await world.say(arcId, { text, questionId: question.id })
      return question.kind
    },
    async reach(arcId, kind) {
      for (;;) {
        const arc = await world.until(
          arcId,
          ({ pendingQuestion: open }) => open !== null && open.id !== answered.get(arcId),
        )
        if (arc.pendingQuestion?.kind === kind) return
        await world.answer(arcId, 'right')
      }
    },
    tutor: () => studentOf(call),
  }

  async function answerTo(question: PendingQuestion, how: 'right' | 'wrong'): Promise<string> {
    const [row] = await meno.rows<{ expected: string; key: { correct?: string } | null }>(
      'select expected, answer_key as key from arc_questions where id = $1',
      [question.id],
    )
    const right = question.options ? (row?.key?.correct ?? '') : (row?.expected ?? '')
    if (how === 'right') return right
    return question.options?.find(({ id }) => id !== right)?.id ?? '987654'
  }

  return world
}

const sealer = createDrillSealer([DRILL_KEY])

async function studentOf(call: PreparedWorld['call']): Promise<CourseStudent> {
  const { threadId } = await call<{ threadId: string }>('POST', '/api/tutor/threads', {
    courseId: COURSE,
  })
  const post = <T>(path: string, sent: object) =>
    call<T>('POST', `/api/tutor/threads/${threadId}/${path}`, { courseId: COURSE, ...sent })
  const student: CourseStudent = {
    threadId,
    async turn(sent) {
      return (await post<TurnResponse>('turn', sent)).messages.at(-1)?.card
    },
    drill: () => student.turn({ clientEvent: { type: 'REQUEST_DRILL', unitId: 'ENTRY-00' } }),
    async grade(card, how) {
      if (card?.type !== 'DRILL') throw new Error(`no drill but ${JSON.stringify(card)}`)
      const { unitId, prompt, questionLatex: question_latex, token } = card
      const right = sealer.open(token)?.expectedAnswer ?? ''
      await post('drill/grade', {
        ...{ unitId, drill: { prompt, question_latex, token } },
        studentAnswer: how === 'right' ? right : '-987654',
      })
      const lastResult = how === 'right' ? 'correct' : 'incorrect'
      return student.turn({ clientEvent: { type: 'DRILL_CONTINUE', unitId, lastResult } })
    },
  }
  return student
}

/** A class with a pupil who has worked and one who has never been there; the way to each page of the desk. */
export async function fillDesk({ call, begin, answer }: PreparedWorld): Promise<Desk> {
  const pupil = 'Robin'
  const { session_id: id } = await call<{ session_id: string }>('POST', '/sessions', {
    student_id: pupil,
    question_set_id: 'algebra_basics_set_1',
  })
  for (const message of ['-2', 'is it 2*3*4 -> -2?', 'stuck', 'stuck', 'stuck']) {
    await call('POST', '/webhook/tutor/message', { session_id: id, student_id: pupil, message })
  }
  const arcId = await begin('Algebra basics', { learnerId: pupil })
  await answer(arcId, 'wrong')
  await answer(arcId, 'right')
  const [classId, emptyClassId] = [randomUUID(), randomUUID()]
  await call('PUT', `/api/teacher/classes/${classId}`, {
    title: 'Algebra, class 7b of the Maria Ward school',
    studentIds: [pupil, 'Never there'],
  })
  await call('PUT', `/api/teacher/classes/${emptyClassId}`, { title: '8a', studentIds: [] })
  const { items } = await call<{ items: { id: string }[] }>(
    'GET',
    `/api/teacher/sessions?studentId=${pupil}`,
  )
  return { classId, emptyClassId, pupil, session: items[0]?.id ?? '' }
}

/** An arc in every state that a learner meets. */
export async function arcsInEveryState(world: PreparedWorld): Promise<Arcs> {
  const begun =
    (topic: string, more?: Record<string, unknown>) => async (kind?: 'quiz' | 'review') => {
      const arcId = await world.begin(topic, more)
      if (kind) await world.reach(arcId, kind)
      else await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
      return arcId
    }
  const wrong = async () => {
    const arcId = await begun('quadratic equations')('quiz')
    await world.answer(arcId, 'wrong')
    await world.until(arcId, ({ pendingQuestion }) => pendingQuestion?.attempt === 2)
    return arcId
  }
  const ended = async (topic: string, command: 'pause' | 'abandon') => {
    const arcId = await begun(topic)()
    await world.command(arcId, command)
    return arcId
  }
  const completed = async () => {
    const arcId = await begun('Numbers, signs and order of operations')()
    const isDone = () => world.until(arcId, ({ phase }) => phase === 'COMPLETED')
    const done = isDone()
    while ((await world.arc(arcId)).phase !== 'COMPLETED') {
      await Promise.race([world.answer(arcId, 'right'), done])
    }
    return arcId
  }
  const [level, lesson, quiz, wrongly, review, paused, closed, done] = await Promise.all([
    begun('Algebra basics', { settings: {} })(),
    begun('Python fundamentals')(),
    begun('linear equations')('quiz'),
    wrong(),
    begun('Inverse operations')('review'),
    ended('functions', 'pause'),
    ended('brackets', 'abandon'),
    completed(),
  ])
  return { level, lesson, quiz, wrong: wrongly, review, paused, closed, completed: done }
}

/** Talks with the course tutor, at a drill and at an exam question, and a practice session. */
export async function talk(world: PreparedWorld): Promise<Talks> {
  const ready = await world.tutor()
  await reachExam(ready)
  const stuck = await world.tutor()
  await stuck.turn({ messageText: 'I am stuck with negative numbers' })
  await stuck.grade(await stuck.drill(), 'wrong')
  await stuck.drill()
  const arcId = await world.begin('linear equations')
  await world.reach(arcId, 'quiz')
  await world.say(arcId, { text: 'Practise', action: 'practice' })
  const { practiceSessionId } = await world.until(
    arcId,
    (arc) => arc.practiceSessionId !== undefined,
  )
  return {
    drill: stuck.threadId,
    exam: ready.threadId,
    practice: `/arcs/${arcId}/practice/${practiceSessionId}`,
  }
}

/** Has an arc begin with its level check. */
export const LEVEL_CHECK = { topic: 'Algebra basics', settings: {} }

/** Begins arcs until one asks such a question first: which one is asked differs from arc to arc. */
export async function beginAsked(
  world: PreparedWorld,
  wanted: (question: PendingQuestion) => boolean,
  more: Record<string, unknown> = {},
): Promise<{ arcId: string; question: PendingQuestion }> {
  for (;;) {
    const arcId = await world.begin('linear equations', more)
    const { pendingQuestion } = await world.until(arcId, ({ pendingQuestion: open }) => !!open)
    const question = pendingQuestion as PendingQuestion
    if (wanted(question)) return { arcId, question }
  }
}

export const isChoice = ({ options }: PendingQuestion): boolean => options !== undefined
export const isWritten = ({ format }: PendingQuestion): boolean => format === 'short_answer'

/** An arc that has taught its one concept, and sleeps until the review in weeks. */
export async function beginAsleep(world: PreparedWorld): Promise<string> {
  const settings = { skipDiagnosis: true, quizQuestions: 1, learningSteps: [20, 40] }
  const arcId = await world.begin('Numbers, signs and order of operations', { settings })
  await world.reach(arcId, 'quiz')
  await world.answer(arcId, 'right')
  await world.until(arcId, (arc) => arc.nextReviewAt !== null && arc.pendingQuestion === null)
  return arcId
}

/** Brings the date of the arc's next review into the past; its own clock does not notice. */
export async function makeDue({ meno }: PreparedWorld, arcId: string): Promise<void> {
  await meno.rows(
    `with due as (update arcs set next_review_at = now() - interval '1 minute' where id = $1 returning mind_map_id)
     update mind_map_nodes set next_review_at = now() - interval '1 minute', mastery_status = 'reviewing'
     where (mind_map_id, sequence) in (select mind_map_id, 1 from due)`,
    [arcId],
  )
}

/** Gives the first five concepts of an arc each another standing. */
export async function giveEveryStanding({ meno }: PreparedWorld, arcId: string): Promise<void> {
  await meno.rows(
    `update mind_map_nodes set mastery_status = status, mastery_score = score, inferred = guess, next_review_at = due
     from (values
       (1, 'mastered', 0.96, null::float, now() + interval '9 days'),
       (2, 'reviewing', 0.8, null, now() + interval '1 day'),
       (3, 'learning', 0.4, null, null),
       (4, 'diagnosed', 0.5, null, null),
       (5, 'unseen', 0, 0.35, null)) as standing (place, status, score, guess, due)
     where mind_map_id = (select mind_map_id from arcs where id = $1) and sequence = place`,
    [arcId],
  )
}

/** What the learner has said in an arc, as it is stored. */
export const saidIn = ({ meno }: PreparedWorld, arcId: string) =>
  meno.rows<{ id: string; text: string; action: string | null; questionId: string | null }>(
    `select id, text, action, question_id as "questionId" from arc_messages
     where arc_id = $1 and role = 'learner' order by position`,
    [arcId],
  )

/** The id of a concept of an arc, by its label. */
export async function conceptOf(
  { call }: PreparedWorld,
  arcId: string,
  label: string,
): Promise<string> {
  const { nodes } = await call<MindMapView>('GET', `/api/arcs/${arcId}/mind-map`)
  const node = nodes.find((one) => one.label === label)
  if (!node) throw new Error(`no concept ${label}`)
  return node.id
}

/**
 * An arc whose quiz has a question open that is answered in writing, after a word of the learner's and a short reply: which
 * one is asked differs from arc to arc.
 */
export async function askedInWriting(world: PreparedWorld, topic: string): Promise<string> {
  for (;;) {
    const arcId = await world.begin(topic)
    const before = await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
    await world.say(arcId, { text: 'Skip', action: 'skip' })
    const arc = await world.until(
      arcId,
      ({ pendingQuestion: open }) => open !== null && open.id !== before.pendingQuestion?.id,
    )
    if (arc.pendingQuestion?.format === 'short_answer') return arcId
  }
}

/** An arc that asks for a program: the last question of a quiz on functions, which the learner says they know. */
export async function askedForProgram(world: PreparedWorld): Promise<string> {
  const topic = 'Functions and return'
  const arcId = await world.begin(topic, { settings: { skipDiagnosis: true, quizQuestions: 2 } })
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
  await world.say(arcId, { action: 'know_this', nodeId: await conceptOf(world, arcId, topic) })
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion?.kind === 'quiz')
  await world.answer(arcId, 'right')
  await world.until(arcId, ({ pendingQuestion }) => pendingQuestion?.program !== undefined)
  return arcId
}

/** Builds the map of an arc with one concept out to so many, each on up to two before it. */
export async function buildOut(
  { meno }: PreparedWorld,
  arcId: string,
  size: number,
): Promise<void> {
  await meno.rows(
    `with numbered as materialized (
       select n, node.mind_map_id, case when n = 0 then node.id else gen_random_uuid() end as id
       from arcs join mind_map_nodes as node using (mind_map_id), generate_series(0, $2::int - 1) as n
       where arcs.id = $1),
     nodes as (
       insert into mind_map_nodes (id, mind_map_id, label, depth, sequence)
       select id, mind_map_id, 'Concept ' || n, n % 20, n + 1 from numbered where n > 0)
     insert into mind_map_edges (mind_map_id, parent_node_id, child_node_id)
     select child.mind_map_id, parent.id, child.id
     from numbered as child join numbered as parent
       on parent.n in ((child.n - 1) / 3, greatest(0, (child.n - 1) / 3 - 1))
     where child.n > 0`,
    [arcId, size],
  )
}

/** Of the three concepts of a topic that is over: mastered, learned, skipped. */
const LEFT_AS = [
  { status: 'mastered', qualities: [1, 4, 1, 4, 5, 4, 5, 5, 5], seconds: [550, 150] },
  { status: 'reviewing', qualities: [1, 3, 1, 5], seconds: [380] },
  { status: 'unseen', qualities: [], seconds: [] },
]

/** Completes an arc of three concepts as weeks of learning might have left it. */
export async function lookBackOn({ meno }: PreparedWorld, arcId: string): Promise<void> {
  const concepts = await meno.rows<{ id: string }>(
    `select node.id from mind_map_nodes as node join arcs using (mind_map_id)
     where arcs.id = $1 order by sequence`,
    [arcId],
  )
  for (const [index, { status, qualities, seconds }] of LEFT_AS.entries()) {
    const id = concepts[index]?.id
    await meno.rows(
      `with answers as (
         insert into quiz_responses (node_id, mind_map_id, question_text, quality)
         select node.id, mind_map_id, 'A question', quality
         from mind_map_nodes as node, unnest($3::int[]) with ordinality as answer (quality, n)
         where node.id = $1 order by n),
       said as (
         insert into arc_messages (arc_id, id, role, text, node_id, phase, created_at)
         select $5, gen_random_uuid()::text, role, 'Said', $1, 'TEACHING',
           now() + case role when 'learner' then took else 0 end * interval '1 second'
         from unnest($4::int[]) as took, unnest(array['tutor', 'learner']) with ordinality as who (role, n)
         order by took, n)
       update mind_map_nodes set mastery_status = $2,
         next_review_at = case $2 when 'reviewing' then now() + interval '1 day' end,
         metadata = case $2 when 'unseen' then '{"skipped": true}' else '{}' end::jsonb
       where id = $1`,
      [id, status, qualities, seconds, arcId],
    )
  }
  await meno.rows(
    `with map as (
       update mind_maps set status = 'completed' from arcs where arcs.id = $1 and mind_maps.id = mind_map_id),
     entity as (update entities set is_over = true where id = $1)
     update arcs set phase = 'COMPLETED', pending_question = null where id = $1`,
    [arcId],
  )
}

/** Has the course tutor know as little of the learner as before the first drill: tiers and locks are those of all threads. */
export async function unlearnCourses({ meno }: PreparedWorld): Promise<void> {
  await meno.rows(
    `with courses as (update entities set state = null where product = 'course'),
     states as (delete from exam_states)
     delete from course_evidence`,
  )
}

/** Answers drills until the tutor shows the concept: to who is wrong twice. */
export async function shownConcept(student: CourseStudent): Promise<void> {
  for (let card = await student.drill(); card?.type !== 'CONCEPT'; ) {
    card = await student.grade(card, 'wrong')
  }
}

type ExamCard = Extract<TutorCard, { type: 'EXAM' }>

/** Answers drills rightly, at most four, until the tutor puts an exam question. */
async function reachExam(student: CourseStudent): Promise<ExamCard> {
  let card = await student.drill()
  for (let drills = 0; drills < 4 && card?.type === 'DRILL'; drills += 1) {
    card = await student.grade(card, 'right')
  }
  if (card?.type !== 'EXAM') throw new Error(`no exam question but ${JSON.stringify(card)}`)
  return card
}

/** An exam question, with what its course says of it. */
export type PutExam = ExamCard & {
  right: string
  wrong: string
  memo: string
}

/** Reaches an exam question, and looks its course up. */
export async function putExam(student: CourseStudent): Promise<PutExam> {
  const card = await reachExam(student)
  const { questionId, options } = card
  const { units } = await loadCourse(path.resolve(import.meta.dirname, '../../courses', COURSE))
  const exam = units.flatMap(({ exams }) => exams).find((one) => one.questionId === questionId)
  const { correct: right = '', memo = '' } = exam ?? {}
  return { ...card, right, wrong: options.find(({ id }) => id !== right)?.id ?? '', memo }
}

/** Answers an exam question in a thread. */
export async function answerExam(
  { call }: PreparedWorld,
  { threadId }: CourseStudent,
  exam: PutExam,
  how: 'right' | 'wrong',
): Promise<void> {
  const { questionId } = exam
  const answer = { courseId: COURSE, questionId, selectedOptionId: exam[how] }
  await call('POST', `/api/tutor/threads/${threadId}/exam/mcq-submit`, answer)
}

/** Refuses calls of an address with a problem, where nothing is served, until the function that it returns is called. */
export async function refuse(
  page: Page,
  address: string,
  { method, status, detail }: { method: string; status: number; detail: string },
): Promise<() => Promise<void>> {
  const answer = (route: Route) =>
    route.request().method() === method
      ? route.fulfill({
          ...{ status, contentType: 'application/problem+json' },
          body: JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail }),
        })
      : route.fallback()
  await page.route(address, answer)
  return () => page.unroute(address, answer)
}
