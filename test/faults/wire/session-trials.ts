import { randomUUID } from 'node:crypto'
import type { TurnResponse as CourseTurn, TutorCard } from '../../../src/contracts/course-tutor.ts'
import { type Cell, CONCEPTS, type CurriculumKind, type PracticeKind } from './cells.ts'
import { call, faultOfText, neverStruck, rowsOf, type Trial, type WireWorld } from './trial.ts'

const COURSE = 'algebra-basics'
const UNIT = 'ENTRY-00'

/** Says something once in a practice session, as often as it takes to be answered; what came first is what was told. */
export async function tryPractice(world: WireWorld, cell: Cell): Promise<Trial & { id: string }> {
  const { mark, kind } = cell
  cell.armed = false
  await call(world, '/question-sets', { question_set_id: mark, problems: problemsOf(mark) })
  const names = { session_id: `session-${mark}`, student_id: `student-${mark}` }
  const begun = await call(world, '/sessions', {
    ...names,
    question_set_id: mark,
    problem_ids: [kind === 'verdict' ? 'words' : 'sum'],
  })
  if (begun?.status !== 201) throw new Error(`no session: ${begun?.text}`)
  const say = (message: string, message_id: string) =>
    call(world, '/webhook/tutor/message', { ...names, message, message_id })
  cell.armed = true
  const first = await answered(() => say(WORDS[kind as PracticeKind], 'm1'))
  const faults = first.faults
  const next = await answered(() => say('99', 'm2'))
  faults.push(...next.faults)
  const [row] = await rowsOf<{ id: string; turns: number; messages: number }>(
    world,
    `select session_id as id,
       (select count(*)::int from conversation_turns turn where turn.session_id = session.session_id) as turns,
       (select count(distinct message_id)::int from conversation_turns turn
        where turn.session_id = session.session_id) as messages
     from tutoring_sessions session where external_session_id = $1`,
    [names.session_id],
  )
  if (row?.turns !== 2 || row.messages !== 2) {
    faults.push(`two messages came to ${row?.turns} turns of ${row?.messages} messages`)
  }
  const id = row?.id ?? ''
  if (cell.struck === 0) return { ...neverStruck(cell), id }
  const wentOn = first.isAnswered && next.isAnswered ? 'by itself' : 'no'
  return { toldMs: first.toldMs, wentOn, faults, id }
}

const WORDS: Record<PracticeKind, string> = {
  extraction: 'hm, what I would go for here is 99 or so',
  verdict: 'because somebody wove it that way',
  reply: '99',
  'smaller question': 'I am stuck',
}

const problemsOf = (mark: string) => [
  { id: 'sum', text: `What is 3 + 4? (${mark})`, correct_answer: '7' },
  { id: 'words', text: `Why does it hold? (${mark})`, correct_answer: 'the warp carries the weft' },
]

/** Posts until it is answered with 200, at most a minute; the first answer is what was told. */
async function answered(post: () => ReturnType<typeof call>) {
  const faults: string[] = []
  let toldMs: number | null = null
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const answer = await post()
    if (!answer) continue
    toldMs ??= answer.ms
    const { output, detail } = answer.body as { output?: string; detail?: string }
    const fault = faultOfText(output ?? detail ?? '')
    if (fault) faults.push(fault)
    if (answer.status === 200) return { toldMs, faults, isAnswered: true }
    if (answer.status !== 503) {
      faults.push(`answered with ${answer.status}: ${answer.text.slice(0, 200)}`)
      break
    }
  }
  return { toldMs, faults, isAnswered: false }
}

/** All of one student's threads are one entity: the cells of a course come one after the other. */
export async function tryCourse(world: WireWorld, cell: Cell): Promise<Trial & { id: string }> {
  const opened = await call(world, '/api/tutor/threads', { courseId: COURSE })
  const thread = String(opened?.body.threadId)
  const post = (path: string, body: object) =>
    call(
      world,
      `/api/tutor/threads/${thread}/${path}`,
      { courseId: COURSE, ...body },
      { 'Idempotency-Key': randomUUID() },
    )
  const faults: string[] = []
  cell.armed = false
  const isGrade = cell.kind === 'drill grade'
  let drill: Extract<TutorCard, { type: 'DRILL' }> | null = null
  if (isGrade) {
    const turn = await post('turn', { clientEvent: { type: 'REQUEST_DRILL', unitId: UNIT } })
    const card = (turn?.body as unknown as CourseTurn | undefined)?.messages.at(-1)?.card
    if (card?.type !== 'DRILL') throw new Error(`no drill: ${turn?.text}`)
    drill = card
  }
  const sent = drill && {
    unitId: drill.unitId,
    drill: { prompt: drill.prompt, question_latex: drill.questionLatex, token: drill.token },
    studentAnswer: '1',
  }
  cell.armed = true
  const before = await evidenceOf(world)
  const first = sent
    ? await post('drill/grade', sent)
    : await post('turn', { messageText: `negative numbers ${cell.mark}` })
  cell.armed = false
  const next = await post('turn', { messageText: `and positive ones ${cell.mark}` })
  const fault = faultOfText(wordsOf(first?.body))
  if (fault) faults.push(fault)
  for (const answer of [first, next]) {
    if (answer?.status !== 200) faults.push(`answered with ${answer?.status}: ${answer?.text}`)
  }
  const after = await evidenceOf(world)
  const turns = isGrade ? 1 : 2
  if (after.turns - before.turns !== turns) {
    faults.push(`${turns} turns are ${after.turns - before.turns} in the record`)
  }
  if (after.drills - before.drills > (isGrade ? 1 : 0)) faults.push('a drill counted twice')
  const { id } = (await rowsOf<{ id: string }>(world, COURSE_ENTITY))[0] ?? { id: '' }
  if (cell.struck === 0) return { ...neverStruck(cell), id }
  const isWell = first?.status === 200 && next?.status === 200
  return { toldMs: first?.ms ?? null, wentOn: isWell ? 'by itself' : 'no', faults, id }
}

const COURSE_ENTITY = `select id from entities where product = 'course' limit 1`

async function evidenceOf(world: WireWorld): Promise<{ turns: number; drills: number }> {
  const [row] = await rowsOf<{ turns: number; drills: number }>(
    world,
    `select count(*) filter (where data->>'type' = 'turn_taken')::int as turns,
       count(*) filter (where data->>'type' = 'drill_graded')::int as drills from course_evidence`,
  )
  return row ?? { turns: 0, drills: 0 }
}

function wordsOf(body: Record<string, unknown> | undefined): string {
  const { messages, feedbackText } = (body ?? {}) as Partial<CourseTurn> & { feedbackText?: string }
  return feedbackText ?? messages?.map(({ text }) => text).join('\n') ?? ''
}

const TOOL: Record<CurriculumKind, string> = {
  inventory: 'diagnostic_start',
  graph: 'curriculum_generate',
  replan: 'curriculum_replan',
}
const MOST_ASKINGS = 12

/** A tool's caller waits for its answer, and asks again where it is told of a fault. */
export async function tryCurriculum(world: WireWorld, cell: Cell): Promise<Trial & { id: string }> {
  cell.armed = false
  const title = `Basket ${cell.mark}`
  const made = await callTool(world, 'mind_map_create', { title })
  const id = String(made.content?.mind_map_id)
  const asked = { mind_map_id: id, topic: title }
  if (cell.kind === 'replan') {
    const planned = await callTool(world, TOOL.graph, asked)
    if (!planned.content) throw new Error(`no plan: ${planned.message}`)
  }
  cell.armed = true
  const args = cell.kind === 'replan' ? { mind_map_id: id, reason: 'It is too hard.' } : asked
  const faults: string[] = []
  let toldMs: number | null = null
  let isDone = false
  for (let tries = 0; tries < MOST_ASKINGS && !isDone; tries += 1) {
    const answer = await callTool(world, TOOL[cell.kind as CurriculumKind], args)
    toldMs ??= answer.ms
    isDone = answer.content !== null
    // It speaks to a program: what the planner wrote wrong may be told in the words of its schema.
    if (!isDone && answer.message === '') faults.push('the caller was told nothing in words')
  }
  const [row] = await rowsOf<{ nodes: number }>(
    world,
    'select count(*)::int as nodes from mind_map_nodes where mind_map_id = $1',
    [id],
  )
  const nodes = row?.nodes ?? 0
  const least = cell.kind === 'inventory' ? 0 : CONCEPTS + 1
  if (nodes < least || (cell.kind === 'graph' && nodes > least)) {
    faults.push(`the map has ${nodes} concepts`)
  }
  if (cell.struck === 0) return { ...neverStruck(cell), id }
  return { toldMs, wentOn: isDone ? 'by itself' : 'no', faults, id }
}

async function callTool(world: WireWorld, name: string, args: object) {
  const request = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name, arguments: args },
  }
  const accept = { accept: 'application/json, text/event-stream' }
  const answer = await call(world, '/mcp', request, accept)
  const data = /^data: (.*)$/m.exec(answer?.text ?? '')?.[1] ?? answer?.text ?? 'null'
  const result = JSON.parse(data)?.result as
    | { structuredContent?: Record<string, unknown>; content?: { text: string }[] }
    | undefined
  return {
    ms: answer?.ms ?? 0,
    content: result?.structuredContent ?? null,
    message: result?.content?.[0]?.text ?? '',
  }
}
