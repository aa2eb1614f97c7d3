import { type Expression, sql } from 'kysely'
import type { ModelStep, StepKind } from '../domain/arc/model-step.ts'
import { frontier } from '../domain/mind-map/frontier.ts'
import type { MindMap, UnlockAt } from '../domain/mind-map/mind-map.ts'
import { type ArcRow, arcById } from './arcs.ts'
import { askedOn, practisedOn } from './asked.ts'
import { type Db, queryTogether } from './database.ts'
import { mapOf, mapReads } from './maps/rows.ts'
import { stepsByKey } from './model-steps.ts'

const RESPONSES = 10
const FACTS = 10
/** Steps that write questions must know those that were asked. */
const ASKING: readonly StepKind[] = ['probe', 'lesson', 'quiz', 'review']

/** What the store knows for a model step; bounded, and never the whole transcript. */
export interface StoredContext {
  arc: {
    topic: string
    goal: string | null
    courseId: string | null
    goalUnitIds: string[]
    language: string
    level: string
    phase: string
    tutor: string
    limits: { maxNodes: number; maxDepth: number }
  }
  frontier: { label: string; status: string }[]
  concepts: { id: string; label: string; status: string; score: number; prerequisites: string[] }[]
  concept: { id: string; label: string; description: string; unitId: string | null } | null
  responses: { question: string; answer: string; quality: number }[]
  facts: string[]
  probes: { label: string; quality: number }[]
  inventory: string[]
  asked: { id: string; source: string | null; text: string; quality: number | null }[]
  questions: StoredQuestion[]
  message: { id: string; text: string } | null
}

export interface StoredQuestion {
  id: string
  nodeId: string | null
  kind: string
  quality: number | null
  concept: string
  text: string
  format: 'multiple_choice' | 'short_answer' | 'free_text'
  options: { id: string; text: string }[] | null
  key: unknown
  expected: string
  criteria: string
  difficulty: string
  hints: string[]
  solution: string | null
  mistakes: { answer: string; tag: string }[]
  source: string | null
}

/**
 * Everything a step of that kind may be told, or null if the arc is gone; and what the step of that key returned, or
 * null if it has not been run to its end.
 */
export async function readStepContext<K extends StepKind>(
  db: Db,
  { arcId, key, kind, input }: Pick<ModelStep<K>, 'arcId' | 'key' | 'kind' | 'input'>,
): Promise<{ context: StoredContext | null; kept: unknown | null }> {
  const named = input as {
    nodeId?: string | null
    questionId?: string | null
    questionIds?: string[]
    missed?: string[]
    messageId?: string
    label?: string
  }
  const questionIds = [
    ...(named.questionIds ?? []),
    ...(named.missed ?? []),
    ...(named.questionId ? [named.questionId] : []),
  ]
  const mapId = sql<string>`(select mind_map_id from arcs where id = ${arcId})`
  const nodeId = sql<string>`coalesce(
    ${named.nodeId ?? null}::uuid,
    (select node_id from arc_questions where id = ${questionIds[0] ?? null}::uuid),
    (select current_node_id from arcs where id = ${arcId}))`
  const [map, nodes, edges] = mapReads(db, mapId)
  const asks = ASKING.includes(kind)
  const [
    kept,
    [arc],
    maps,
    nodeRows,
    edgeRows,
    questions,
    facts,
    messages,
    concepts,
    responses,
    asked,
    practised,
  ] = await queryTogether(
    db,
    stepsByKey(db, [key]).compile(),
    arcById(db, arcId).compile(),
    map.compile(),
    nodes.compile(),
    edges.compile(),
    questionIds.length > 0 ? questionsById(db, questionIds) : null,
    lastFacts(db, arcId),
    named.messageId ? messageById(db, arcId, named.messageId) : null,
    conceptById(db, nodeId),
    lastResponses(db, nodeId),
    asks ? askedOn(db, arcId, nodeId, named.label ?? null).compile() : null,
    asks ? practisedOn(db, arcId, nodeId).compile() : null,
  )
  const context = arc
    ? contextOf(arc, mapOf(maps, nodeRows, edgeRows), {
        concept: concepts[0] ?? null,
        responses: responses.reverse(),
        facts: facts.map(({ fact }) => fact),
        asked: [...asked, ...practised],
        questions: questionIds.flatMap((id) => questions.filter((question) => question.id === id)),
        message: messages[0] ?? null,
      })
    : null
  return { context, kept: kept[0]?.output ?? null }
}

function contextOf(
  arc: ArcRow,
  map: MindMap | null,
  read: Pick<StoredContext, 'concept' | 'responses' | 'facts' | 'asked' | 'questions' | 'message'>,
): StoredContext {
  const settings = arc.settings as {
    language: string
    level: string
    unlockAt: UnlockAt
    maxNodes: number
    maxDepth: number
  }
  return {
    arc: {
      topic: arc.topic,
      goal: arc.goal,
      courseId: arc.course_id,
      goalUnitIds: arc.goal_unit_ids,
      language: settings.language,
      level: settings.level,
      phase: arc.phase,
      tutor: arc.tutor,
      limits: { maxNodes: settings.maxNodes, maxDepth: settings.maxDepth },
    },
    frontier: map
      ? frontier(map, settings.unlockAt).map((node) => ({
          label: node.label,
          status: node.masteryStatus,
        }))
      : [],
    concepts: map ? conceptsOf(map) : [],
    ...diagnosisOf(arc.snapshot),
    ...read,
  }
}

function conceptsOf(map: MindMap): StoredContext['concepts'] {
  const label = new Map(map.nodes.map((node) => [node.id, node.label]))
  return map.nodes.map((node) => ({
    id: node.id,
    label: node.label,
    status: node.masteryStatus,
    score: node.masteryScore,
    prerequisites: map.edges
      .filter((edge) => edge.childNodeId === node.id && edge.edgeType === 'prerequisite')
      .map((edge) => label.get(edge.parentNodeId) ?? ''),
  }))
}

function conceptById(db: Db, nodeId: Expression<string>) {
  return db
    .selectFrom('mind_map_nodes')
    .select(['id', 'label', sql<string>`coalesce(description, '')`.as('description')])
    .select('unit_id as unitId')
    .where('id', '=', nodeId)
    .compile()
}

function lastResponses(db: Db, nodeId: Expression<string>) {
  return db
    .selectFrom('quiz_responses')
    .select('question_text as question')
    .select([sql<string>`coalesce(user_answer, '')`.as('answer'), 'quality'])
    .where('node_id', '=', nodeId)
    .orderBy('position', 'desc')
    .limit(RESPONSES)
    .compile()
}

function lastFacts(db: Db, arcId: string) {
  return db
    .selectFrom('learner_facts')
    .select('fact')
    .where('learner_id', '=', sql<string>`(select learner_id from arcs where id = ${arcId})`)
    .orderBy('created_at', 'desc')
    .limit(FACTS)
    .compile()
}

/** The diagnosis lives in the flow until the plan is made; the flow keeps it after that. */
function diagnosisOf(snapshot: unknown) {
  const diagnosis = (
    snapshot as {
      diagnosis?: {
        concepts: { label: string }[]
        probes: { label: string; quality: number }[]
      } | null
    } | null
  )?.diagnosis
  return {
    probes: diagnosis?.probes ?? [],
    inventory: diagnosis?.concepts.map((concept) => concept.label) ?? [],
  }
}

function questionsById(db: Db, ids: string[]) {
  return db
    .selectFrom('arc_questions')
    .select(['id', 'node_id as nodeId', 'kind', 'quality', 'concept', 'text', 'format', 'options'])
    .select(['answer_key as key', 'expected', 'criteria', 'difficulty', 'hints', 'solution'])
    .select(['mistakes', 'source'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .compile()
}

function messageById(db: Db, arcId: string, id: string) {
  return db
    .selectFrom('arc_messages')
    .select(['id', 'text'])
    .where('arc_id', '=', arcId)
    .where('id', '=', id)
    .compile()
}
