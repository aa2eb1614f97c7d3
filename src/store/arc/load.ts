import { type CompiledQuery, sql } from 'kysely'
import type { ArcPhase } from '../../domain/arc/phase.ts'
import type { Question } from '../../domain/arc/question.ts'
import { type ArcState, type LoadedArc, newState } from '../../domain/arc/state.ts'
import { upgradeArc } from '../../domain/arc/upgrade.ts'
import { languageOfTag } from '../../domain/language/languages.ts'
import { isNudged } from '../agenda/awaiting.ts'
import type { Db } from '../database.ts'
import { historiesOf, historiesRead, mapOf, mapReads } from '../maps/rows.ts'
import type { EntityRow } from '../spine/entities.ts'
import type { ArcRow } from './arcs.ts'
import { openPractice } from './asked.ts'

/** The rows that a decision about an arc needs, in the order of `loadedArc`. */
export function arcReads(db: Db, arcId: string): CompiledQuery[] {
  const mapId = sql<string>`(select mind_map_id from arcs where id = ${arcId}::uuid)`
  return [
    db
      .selectFrom('arcs')
      .selectAll()
      .select(openPractice(db, arcId).select('session_id').as('practice'))
      .select(isNudged(sql.ref('arcs.learner_id')).as('is_nudged'))
      .select((arc) =>
        arc
          .selectFrom('learners')
          .whereRef('learners.id', '=', 'arcs.learner_id')
          .select('language')
          .as('learner_language'),
      )
      .where('id', '=', arcId)
      .compile(),
    ...mapReads(db, mapId).map((read) => read.compile()),
    historiesRead(db, nodesInQuestion(arcId)),
    db
      .selectFrom('arc_questions')
      .selectAll()
      .where('id', '=', sql<string>`(select pending_question from arcs where id = ${arcId}::uuid)`)
      .compile(),
  ]
}

/** Nodes of which a decision may need the history: in hand, asked about, practised or answered elsewhere and not taken up yet. */
const nodesInQuestion = (arcId: string) => sql<string>`
  select current_node_id from arcs where id = ${arcId}::uuid
  union select node_id from arc_questions
    where id = (select pending_question from arcs where id = ${arcId}::uuid)
  union select problem.node_id from problem_attempts as problem
    join tutoring_sessions as session using (session_id)
    where session.arc_id = ${arcId}::uuid and session.arc_turn is null
  union select node.id from mind_map_nodes as node
    join arcs on arcs.mind_map_id = node.mind_map_id and arcs.id = ${arcId}::uuid
    where node.unit_id in (
      select payload ->> 'unitId' from inbox
      where entity_id = ${arcId}::uuid and type = 'side-response' and taken_at is null)`

type Rows = readonly unknown[][]

/** The arc of the rows that `arcReads` found, its state brought up to date; null if it is gone. */
export function loadedArc(entity: EntityRow, rows: Rows, dayMs: number): LoadedArc | null {
  const [[arc], maps, nodes, edges, histories, [question]] = rows as never as [
    (ArcRow & {
      practice: string | null
      is_nudged: boolean | null
      learner_language: string | null
    })[],
    ...Parameters<typeof mapOf>,
    Parameters<typeof historiesOf>[0],
    QuestionRow[],
  ]
  const map = mapOf(maps, nodes, edges)
  if (!arc || !map) return null
  return {
    arcId: arc.id,
    mindMapId: arc.mind_map_id,
    learnerId: arc.learner_id,
    topic: arc.topic,
    goal: arc.goal,
    courseId: arc.course_id,
    goalUnitIds: arc.goal_unit_ids,
    tutor: arc.tutor as LoadedArc['tutor'],
    ...arcAsStored(arc, entity.state, arc.learner_language),
    dayMs,
    map,
    histories: historiesOf(histories),
    question: question ? questionOf(question) : null,
    practiceSessionId: arc.practice,
    agenda:
      arc.is_nudged === null
        ? null
        : {
            isNudged: arc.is_nudged,
            reviewAt: arc.next_review_at?.getTime() ?? null,
            lastMessageAt: arc.last_session_at?.getTime() ?? null,
            paused: arc.paused,
          },
  }
}

/** The rules of an arc, and where it stands, brought up to date. */
export const arcAsStored = (
  arc: ArcRow,
  state: unknown,
  language: string | null,
): Pick<LoadedArc, 'rules' | 'state'> => ({
  rules: { ...LATER_RULES, ...(arc.settings as unknown as LoadedArc['rules']) },
  state: state === null ? firstState(arc, language) : upgradeArc(state),
})

/** Settings that arcs of before do not have. */
const LATER_RULES = { maxInterval: 21, onMastered: 'complete' as const }

/**
 * Until the learner writes something it speaks the language of their settings. A revived arc has its map already: it begins
 * where reviews and lessons are chosen.
 */
function firstState(arc: ArcRow, language: string | null): ArcState {
  const state = {
    ...newState(arc.started_at.getTime()),
    ...(language === null ? {} : { language: languageOfTag(language) }),
  }
  return arc.revived_from ? { ...state, phase: arc.phase as ArcPhase, diagnosed: true } : state
}

interface QuestionRow {
  concept: string
  text: string
  format: string
  options: Question['options']
  answer_key: unknown
  expected: string
  criteria: string
  difficulty: string
  hints: string[]
  solution: string | null
  mistakes: Question['mistakes']
  source: string | null
}

const questionOf = (row: QuestionRow): Question => ({
  concept: row.concept,
  text: row.text,
  format: row.format as Question['format'],
  options: row.options,
  key: row.answer_key as Question['key'],
  expected: row.expected,
  criteria: row.criteria,
  difficulty: row.difficulty as Question['difficulty'],
  hints: row.hints,
  solution: row.solution,
  mistakes: row.mistakes,
  source: row.source,
})
