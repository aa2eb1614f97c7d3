import { setImmediate as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  type ImportedTable,
  ImportedTables,
  type ImportOutcome,
  type LearnerExport,
} from '../../contracts/taking-along.ts'
import { workflowId } from '../../contracts/temporal.ts'
import type { CarriedArc } from '../../domain/arc/carry-over.ts'
import { isTerminal } from '../../domain/arc/phase.ts'
import { ARC_VERSION } from '../../domain/arc/state.ts'
import { COURSE_VERSION } from '../../domain/course/state.ts'
import { MovedIds } from '../../domain/learner/moved-ids.ts'
import { findCycles, graphFrom } from '../../domain/mind-map/graph.ts'
import { agendaInsert } from '../../store/agenda/entity.ts'
import type { Trx } from '../../store/database.ts'
import {
  insertRows,
  lockLearner,
  noteImport,
  type Owned,
  readOwned,
} from '../../store/learner/import.ts'
import { updateLearner } from '../../store/learners.ts'
import type { EntityToWake } from '../../store/spine/entities.ts'
import { appendEvents } from '../../store/spine/events.ts'
import { tellAgenda } from '../agenda/tell.ts'
import type { Dependencies } from '../context.ts'
import { notFound, Problem, wrongField } from '../problem.ts'
import { carriedArc, finder, questionRow } from './carried-arc.ts'

type Learner = { id: string; handle: string }
type Row<Table extends ImportedTable> = ImportedTables[Table][number]

/** Columns that are a person's or a tutor's words, and stay word for word. */
const WORDS: ReadonlySet<string> = new Set([
  ...['text', 'topic', 'goal', 'title', 'label', 'description', 'fact', 'question_text'],
  ...['user_answer', 'evaluator_notes', 'concept', 'expected', 'solution', 'source'],
  ...['student_message', 'tutor_response', 'problem_text', 'latex', 'reason', 'message_excerpt'],
])

/** So many rows are checked before others have their turn. */
const ROWS_AT_ONCE = 500

/** An import holds the rows that it takes in memory: one at a time. */
let isImporting = false

/**
 * Brings what a learner has exported elsewhere into this installation, where it goes on: all of it in one transaction, or
 * nothing. What is here already stays as it is.
 * @param read reads the file; nobody else's is read meanwhile
 * @throws {Problem} 422 for what is damaged, 429 while another import runs
 */
export async function importLearner(
  dependencies: Dependencies,
  learner: Learner,
  read: () => Promise<z.infer<typeof LearnerExport>>,
): Promise<ImportOutcome> {
  if (isImporting) throw new Problem(429, 'Another import is under way.', {}, 5)
  isImporting = true
  try {
    const file = await read()
    const tables = await checkedTables(file.tables)
    requireWhole(tables)
    const { db, wake, log } = dependencies
    const { outcome, toWake } = await db
      .transaction()
      .execute((trx) => new Import(dependencies, trx, learner, file, tables).run())
    for (const entity of toWake) {
      // One that cannot be told is found by the reconciler.
      await wake(entity).catch((error) => log.warn({ err: error }, 'an arc could not be woken'))
    }
    if (outcome.arcs > 0) await tellAgenda(dependencies, learner.id, 'reviews-changed')
    return outcome
  } catch (error) {
    throw asRefusal(error)
  } finally {
    isImporting = false
  }
}

/** What PostgreSQL refuses: data of the wrong kind, rows that contradict each other, what is nested too deep. */
function asRefusal(error: unknown): unknown {
  const { code, constraint, table } = error as {
    code?: unknown
    constraint?: string
    table?: string
  }
  if (typeof code === 'string' && /^(22|23|54)/.test(code)) {
    const where = [table, constraint].filter(Boolean).join(', ')
    return new Problem(422, `The file contradicts itself${where ? ` (${where})` : ''}.`)
  }
  if (error instanceof RangeError) return new Problem(422, 'The file is nested too deeply.')
  return error
}

/** The rows that an import takes, checked piece by piece. @throws {Problem} 422 that points at the first fault */
async function checkedTables(tables: Record<string, unknown[]>): Promise<ImportedTables> {
  const checked: Record<string, unknown[]> = {}
  for (const [name, schema] of Object.entries(ImportedTables.shape)) {
    const rows = tables[name] ?? []
    checked[name] = []
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      const read = schema.safeParse(rows.slice(start, start + ROWS_AT_ONCE))
      if (!read.success) throw faultAt(name, start, read.error)
      checked[name].push(...(read.data as unknown[]))
      await pause()
    }
  }
  return checked as ImportedTables
}

function faultAt(table: string, start: number, { issues }: z.ZodError): Problem {
  const [issue] = issues
  const [index = 0, ...path] = issue?.path ?? []
  const pointer = `/tables/${[table, start + Number(index), ...path.map(String)].join('/')}`
  return wrongField(pointer, issue?.message ?? 'damaged')
}

/** What each table's rows belong to, within the file. */
const BELONGS: [ImportedTable, string, ImportedTable, string][] = [
  ['arcs', 'mind_map_id', 'mind_maps', 'id'],
  ['mind_map_nodes', 'mind_map_id', 'mind_maps', 'id'],
  ['mind_map_edges', 'mind_map_id', 'mind_maps', 'id'],
  ['quiz_responses', 'mind_map_id', 'mind_maps', 'id'],
  ['quiz_responses', 'node_id', 'mind_map_nodes', 'id'],
  ['analytics_snapshots', 'mind_map_id', 'mind_maps', 'id'],
  ['arc_messages', 'arc_id', 'arcs', 'id'],
  ['arc_questions', 'arc_id', 'arcs', 'id'],
  ['plan_refusals', 'arc_id', 'arcs', 'id'],
  ['replan_proposals', 'arc_id', 'arcs', 'id'],
  ['agent_transitions', 'session_id', 'arcs', 'id'],
  ['learning_cycles', 'session_id', 'arcs', 'id'],
  ['inbox', 'entity_id', 'entities', 'id'],
  ['problem_attempts', 'session_id', 'tutoring_sessions', 'session_id'],
  ['conversation_turns', 'session_id', 'tutoring_sessions', 'session_id'],
  ['practice_alerts', 'session_id', 'tutoring_sessions', 'session_id'],
  ['course_messages', 'thread_id', 'course_threads', 'id'],
]

/** @throws {Problem} 422 where a row belongs to nothing in the file, or a map goes round in circles */
function requireWhole(tables: ImportedTables): void {
  for (const [table, column, parent, key] of BELONGS) {
    const parents = new Set((tables[parent] as Record<string, unknown>[]).map((row) => row[key]))
    const index = (tables[table] as Record<string, unknown>[]).findIndex(
      (row) => !parents.has(row[column]),
    )
    if (index < 0) continue
    throw wrongField(`/tables/${table}/${index}/${column}`, `it belongs to nothing in ${parent}`)
  }
  const edges = tables.mind_map_edges.filter(({ edge_type }) => edge_type === 'prerequisite')
  const graph = graphFrom(
    tables.mind_map_nodes.map(({ id }) => id),
    edges.map(({ parent_node_id, child_node_id }) => [parent_node_id, child_node_id]),
  )
  if (findCycles(graph).length > 0) {
    throw new Problem(422, 'A map goes round in circles: a concept is its own prerequisite.')
  }
}

/** One import, in its transaction. */
class Import {
  readonly #dependencies: Dependencies
  readonly #trx: Trx
  readonly #learner: Learner
  readonly #file: z.infer<typeof LearnerExport>
  readonly #tables: ImportedTables
  readonly #ids: MovedIds
  readonly #at = new Date().toISOString()

  constructor(
    dependencies: Dependencies,
    trx: Trx,
    learner: Learner,
    file: z.infer<typeof LearnerExport>,
    tables: ImportedTables,
  ) {
    this.#dependencies = dependencies
    this.#trx = trx
    this.#learner = learner
    this.#file = file
    this.#tables = tables
    this.#ids = new MovedIds(file.learner.id, learner.id)
  }

  async run(): Promise<{ outcome: ImportOutcome; toWake: EntityToWake[] }> {
    const { id } = this.#learner
    if (!(await lockLearner(this.#trx, id))) throw notFound('learner')
    const owned = await readOwned(this.#trx, id)
    const arcs = this.#tables.arcs.filter((arc) => !this.#isHere(owned, arc))
    const ofArcs = new Set(this.#tables.arcs.map(({ mind_map_id }) => mind_map_id))
    const loose = this.#tables.mind_maps.filter((map) => !ofArcs.has(map.id))
    const maps = loose.filter(
      (map) => !owned.maps.has(map.id) && !owned.maps.has(this.#ids.id(map.id)),
    )
    const courses = this.#tables.course_snapshots.filter((row) => !owned.courses.has(row.course_id))
    await this.#learnerRows()
    await this.#mapRows([...maps.map((map) => map.id), ...arcs.map((arc) => arc.mind_map_id)])
    const carried = await this.#arcRows(arcs)
    await this.#practiceRows(arcs)
    const begun = await this.#courseRows(courses)
    if (arcs.length > 0) await agendaInsert(this.#trx, this.#learner.id).execute()
    const all = this.#tables.arcs.length + loose.length + this.#tables.course_snapshots.length
    const brought = { arcs: arcs.length, maps: maps.length, courses: courses.length }
    return {
      outcome: { ...brought, unchanged: all - arcs.length - maps.length - courses.length },
      toWake: [...carried, ...begun],
    }
  }

  /** Whether an arc of the file is the learner's already, as it was or brought before. */
  #isHere({ arcs }: Owned, arc: Row<'arcs'>): boolean {
    const here = [arc.id, this.#ids.id(arc.id)].find((id) => arcs.has(id))
    if (here === undefined) return false
    this.#ids.standsFor(arc.id, here)
    this.#ids.standsFor(arc.mind_map_id, arcs.get(here) ?? '')
    return true
  }

  /** Settings and what is remembered, the first time that something comes from there. */
  async #learnerRows(): Promise<void> {
    const { id: source, handle: _, chosen, ...settings } = this.#file.learner
    const { id } = this.#learner
    if (source === id || !(await noteImport(this.#trx, id, source))) return
    // What was only the default there is no wish here.
    const wishes = Object.entries(settings).filter(([name]) => chosen.includes(name))
    await updateLearner(this.#trx, id, Object.fromEntries(wishes))
    const facts = this.#tables.learner_facts.filter(({ arc_id }) => arc_id === null)
    await this.#insert('learner_facts', facts, this.#ofLearner)
  }

  /** @param here what a row is given here, beside what it brings */
  async #insert<R extends object>(
    table: ImportedTable,
    rows: readonly R[],
    here: (row: R) => object = () => ({}),
  ): Promise<void> {
    const moved = rows.map((row) => ({ ...this.#ids.row(row, WORDS), ...here(row) }))
    await insertRows(this.#trx, table, moved)
    await pause()
  }

  #ofLearner = () => ({ learner_id: this.#learner.id })

  async #mapRows(mapIds: readonly string[]): Promise<void> {
    const wanted = new Set(mapIds)
    const of = <R extends { mind_map_id: string | null }>(rows: readonly R[]) =>
      rows.filter(({ mind_map_id }) => mind_map_id !== null && wanted.has(mind_map_id))
    const tables = this.#tables
    const owners = new Set(tables.arcs.map(({ mind_map_id }) => mind_map_id))
    await this.#insert(
      'mind_maps',
      tables.mind_maps.filter(({ id }) => wanted.has(id)),
      ({ id }) => ({ learner_id: owners.has(id) ? null : this.#learner.id }),
    )
    await this.#insert('mind_map_nodes', of(tables.mind_map_nodes))
    await this.#insert('mind_map_edges', of(tables.mind_map_edges))
    await this.#insert('quiz_responses', of(tables.quiz_responses))
    await this.#insert('analytics_snapshots', of(tables.analytics_snapshots))
    await this.#insert('diagnostic_results', of(tables.diagnostic_results), ({ user_id }) => ({
      user_id: user_id && this.#learner.id,
    }))
  }

  async #arcRows(arcs: readonly Row<'arcs'>[]): Promise<EntityToWake[]> {
    const tables = this.#tables
    const entities = new Map(tables.entities.map((entity) => [entity.id, entity]))
    const questions = grouped(tables.arc_questions, ({ arc_id }) => arc_id)
    const nodes = grouped(tables.mind_map_nodes, ({ mind_map_id }) => mind_map_id)
    const known = new Set(tables.arcs.map(({ id }) => id))
    const toWake: EntityToWake[] = []
    const questionRows: object[] = []
    const dropped = new Set<string>()
    const byStart = [...arcs].sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))
    for (const arc of byStart) {
      const course = this.#dependencies.courses.find(({ courseId }) => courseId === arc.course_id)
      const find = finder(course)
      const asked = questions.get(arc.id) ?? []
      const nodeIds = new Set((nodes.get(arc.mind_map_id) ?? []).map(({ id }) => id))
      const carried = carriedArc(arc, entities.get(arc.id), asked, nodeIds, find)
      if (carried.dropped !== null) dropped.add(`${arc.id} ${carried.dropped}`)
      questionRows.push(...asked.map((row) => questionRow(row, find, carried, this.#at)))
      toWake.push(...(await this.#arcRow(arc, carried, course !== undefined, known)))
      await pause()
    }
    const wanted = new Set(arcs.map(({ id }) => id))
    const of = <R extends { arc_id: string | null }>(rows: readonly R[]) =>
      rows.filter(({ arc_id }) => arc_id !== null && wanted.has(arc_id))
    const bySession = <R extends { session_id: string }>(rows: readonly R[]) =>
      rows.filter(({ session_id }) => wanted.has(session_id))
    await this.#insert('learner_facts', of(tables.learner_facts), this.#ofLearner)
    await this.#insert('arc_messages', of(tables.arc_messages))
    await this.#insert('arc_questions', questionRows)
    await this.#insert('plan_refusals', of(tables.plan_refusals))
    await this.#insert('replan_proposals', of(tables.replan_proposals))
    await this.#insert('agent_transitions', bySession(tables.agent_transitions))
    await this.#insert('learning_cycles', bySession(tables.learning_cycles), () => ({
      user_id: this.#learner.id,
    }))
    await this.#insert(
      'inbox',
      tables.inbox
        .filter(({ entity_id }) => wanted.has(entity_id))
        .map((row) =>
          dropped.has(`${row.entity_id} ${row.id}`) ? { ...row, answered_at: this.#at } : row,
        ),
    )
    return toWake
  }

  async #arcRow(
    arc: Row<'arcs'>,
    { state }: CarriedArc,
    hasCourse: boolean,
    known: ReadonlySet<string>,
  ): Promise<EntityToWake[]> {
    const { phase, subPhase } = state
    const isOver = isTerminal(phase)
    const { generation = 0, created_at = this.#at } =
      this.#tables.entities.find(({ id }) => id === arc.id) ?? {}
    const entity = this.#entity('arc', arc.id, {
      ...{ workflow: workflowId.arc, course_id: arc.course_id, version: ARC_VERSION },
      ...{ generation, created_at, state, is_over: isOver },
    })
    await insertRows(this.#trx, 'entities', [entity])
    // Without a model here, a course that is installed is taught from its own pages.
    const teachesItself = hasCourse && this.#dependencies.config.model === null
    const row = {
      ...arc,
      tutor: teachesItself ? 'offline' : arc.tutor,
      pending_question: state.question?.id ?? null,
      revived_from: arc.revived_from && known.has(arc.revived_from) ? arc.revived_from : null,
    }
    await this.#insert('arcs', [row], this.#ofLearner)
    await appendEvents(this.#trx, entity.id, [{ type: 'phase', data: { phase, subPhase } }])
    return isOver ? [] : [{ ...entity, product: 'arc' }]
  }

  /** The row of an entity as it begins here: looked at as soon as it is written. */
  #entity(
    product: 'arc' | 'course' | 'practice',
    oldId: string,
    row: {
      workflow: (id: string) => string
      course_id: string | null
      version: number
      generation: number
      created_at: string
      state: unknown
      is_over: boolean
    },
  ) {
    const id = this.#ids.id(oldId)
    const { workflow, state, is_over, ...rest } = row
    return {
      ...rest,
      ...{ id, product, workflow_id: workflow(id), learner_id: this.#learner.id, is_over },
      state: this.#ids.row({ state }).state,
      wake_at: is_over ? null : this.#at,
      last_event: 0,
      signals: 0,
      updated_at: this.#at,
    }
  }

  /** Practice of the arcs, as far as it is over: a session that is open holds keys that stayed behind. */
  async #practiceRows(arcs: readonly Row<'arcs'>[]): Promise<void> {
    const tables = this.#tables
    const wanted = new Set(arcs.map(({ id }) => id))
    const sessions = tables.tutoring_sessions.filter(
      ({ arc_id, status }) => arc_id !== null && wanted.has(arc_id) && status === 'completed',
    )
    const entities = new Map(tables.entities.map((entity) => [entity.id, entity]))
    const rows = sessions.map(({ session_id, created_at }) => {
      const { state = null, generation = 0 } = entities.get(session_id) ?? {}
      return this.#entity('practice', session_id, {
        ...{ workflow: workflowId.practice, course_id: null, version: 2, generation, created_at },
        ...{ is_over: true, state: overState(state) },
      })
    })
    await insertRows(this.#trx, 'entities', rows)
    await this.#insert('tutoring_sessions', sessions, ({ session_id }) => ({
      ...{ integration_id: null, student_id: this.#learner.handle, delivery: 'none' },
      external_session_id: `arc_${this.#ids.id(session_id)}`,
    }))
    const done = new Set(sessions.map(({ session_id }) => session_id))
    const of = <R extends { session_id: string }>(all: readonly R[]) =>
      all.filter(({ session_id }) => done.has(session_id))
    await this.#insert('problem_attempts', of(tables.problem_attempts), () => ({
      correct_answer: '',
      hints: [],
    }))
    await this.#insert('conversation_turns', of(tables.conversation_turns))
    await this.#insert('practice_alerts', of(tables.practice_alerts))
  }

  /** Courses, with their threads and exams. What was in hand elsewhere is asked again by whoever wants it. */
  async #courseRows(courses: readonly Row<'course_snapshots'>[]): Promise<EntityToWake[]> {
    const tables = this.#tables
    const wanted = new Set(courses.map(({ course_id }) => course_id))
    const of = <R extends { course_id: string }>(rows: readonly R[]) =>
      rows.filter(({ course_id }) => wanted.has(course_id))
    const entities = courses.map(({ id, course_id, snapshot, blocker, locks, started_at }) => {
      const old = tables.entities.find((entity) => entity.id === id)
      return this.#entity('course', id, {
        ...{ workflow: () => workflowId.course(course_id, this.#learner.id), course_id },
        ...{ version: COURSE_VERSION, generation: old?.generation ?? 0, created_at: started_at },
        ...{ state: { snapshot, blocker, locks, done: doneIn(old?.state), told: {}, work: null } },
        is_over: false,
      })
    })
    await insertRows(this.#trx, 'entities', entities)
    await this.#insert('course_snapshots', courses, this.#ofLearner)
    const threads = of(tables.course_threads)
    await this.#insert('course_threads', threads, this.#ofLearner)
    const open = new Set(threads.map(({ id }) => id))
    await this.#insert(
      'course_messages',
      tables.course_messages.filter(({ thread_id }) => open.has(thread_id)),
    )
    const evidence = of(tables.course_evidence)
    await this.#insert('course_evidence', evidence, this.#ofLearner)
    const requests = new Set(evidence.map(({ request_id }) => request_id))
    await this.#insert(
      'course_drills_graded',
      tables.course_drills_graded.filter(({ request_id }) => requests.has(request_id)),
      this.#ofLearner,
    )
    await this.#insert('exam_states', of(tables.exam_states), () => ({
      student_id: this.#learner.id,
    }))
    const ids = new Set(courses.map(({ id }) => id))
    await this.#insert(
      'inbox',
      tables.inbox.filter(
        ({ entity_id, answered_at }) => ids.has(entity_id) && answered_at !== null,
      ),
    )
    return entities.map((entity) => ({ ...entity, product: 'course' }))
  }
}

function grouped<R>(rows: readonly R[], keyOf: (row: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}

const Progress = z.object({ progress: z.looseObject({}) })

/** The state of a practice session that is over: nothing is open in it. */
const overState = (state: unknown) => ({
  v: 2,
  progress: Progress.safeParse(state).data?.progress ?? {},
  ...{ smaller: null, turn: null, asked: [], delivery: null },
})

const doneIn = (state: unknown): number =>
  z.object({ done: z.int().min(0) }).safeParse(state).data?.done ?? 0
