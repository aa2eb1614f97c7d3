import type { StepInputs, StepKind } from '../domain/arc/model-step.ts'
import { frontier } from '../domain/mind-map/frontier.ts'
import type { MindMap, UnlockAt } from '../domain/mind-map/mind-map.ts'
import { readPractised } from './arc-practice.ts'
import { findArc } from './arcs.ts'
import type { Db } from './database.ts'
import { readMap } from './mind-maps.ts'

const RESPONSES = 10
const FACTS = 10

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

/** Everything a step of that kind may be told, or null if the arc is gone. */
export async function readStepContext<K extends StepKind>(
  db: Db,
  arcId: string,
  input: StepInputs[K],
): Promise<StoredContext | null> {
  const arc = await findArc(db, arcId)
  if (!arc) return null
  const settings = arc.settings as {
    language: string
    level: string
    unlockAt: UnlockAt
    maxNodes: number
    maxDepth: number
  }
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
  const { messageId, label = null } = named
  const [map, questions, facts, message] = await Promise.all([
    readMap(db, arc.mind_map_id),
    readQuestions(db, questionIds),
    readFacts(db, arc.learner_id),
    messageId ? readMessage(db, arcId, messageId) : null,
  ])
  const nodeId = named.nodeId ?? questions[0]?.nodeId ?? arc.current_node_id
  const [concept, responses, asked, practised] = await Promise.all([
    nodeId ? readConcept(db, nodeId) : null,
    nodeId ? readResponses(db, nodeId) : [],
    readAsked(db, arcId, nodeId, label),
    nodeId ? readPractised(db, arcId, nodeId) : [],
  ])
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
    concept,
    responses,
    facts,
    ...diagnosisOf(arc.snapshot),
    asked: [...asked, ...practised],
    questions,
    message,
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

async function readConcept(db: Db, nodeId: string): Promise<StoredContext['concept']> {
  const row = await db
    .selectFrom('mind_map_nodes')
    .select(['id', 'label', 'description', 'unit_id'])
    .where('id', '=', nodeId)
    .executeTakeFirst()
  return row
    ? { id: row.id, label: row.label, description: row.description ?? '', unitId: row.unit_id }
    : null
}

async function readResponses(db: Db, nodeId: string): Promise<StoredContext['responses']> {
  const rows = await db
    .selectFrom('quiz_responses')
    .select(['question_text', 'user_answer', 'quality'])
    .where('node_id', '=', nodeId)
    .orderBy('position', 'desc')
    .limit(RESPONSES)
    .execute()
  return rows.reverse().map((row) => ({
    question: row.question_text,
    answer: row.user_answer ?? '',
    quality: row.quality,
  }))
}

async function readFacts(db: Db, learnerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('learner_facts')
    .select('fact')
    .where('learner_id', '=', learnerId)
    .orderBy('created_at', 'desc')
    .limit(FACTS)
    .execute()
  return rows.map((row) => row.fact)
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

/** Questions asked before on the concept: by node, or by label while there is no map. */
async function readAsked(
  db: Db,
  arcId: string,
  nodeId: string | null,
  label: string | null,
): Promise<StoredContext['asked']> {
  if (!nodeId && !label) return []
  return db
    .selectFrom('arc_questions')
    .select(['id', 'source', 'text', 'quality'])
    .where('arc_id', '=', arcId)
    .where((where) =>
      where.or([
        where('node_id', '=', nodeId),
        where('concept', '=', label),
        where('concept', 'in', (nodes) =>
          nodes.selectFrom('mind_map_nodes').select('label').where('id', '=', nodeId),
        ),
      ]),
    )
    .orderBy('opened_at')
    .execute()
}

async function readQuestions(db: Db, ids: string[]): Promise<StoredQuestion[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('arc_questions').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    return [
      {
        id: row.id,
        nodeId: row.node_id,
        kind: row.kind,
        quality: row.quality,
        concept: row.concept,
        text: row.text,
        format: row.format,
        options: row.options,
        key: row.answer_key,
        expected: row.expected,
        criteria: row.criteria,
        difficulty: row.difficulty,
        hints: row.hints,
        solution: row.solution,
        mistakes: row.mistakes,
        source: row.source,
      },
    ]
  })
}

async function readMessage(db: Db, arcId: string, id: string): Promise<StoredContext['message']> {
  const row = await db
    .selectFrom('arc_messages')
    .select(['id', 'text'])
    .where('arc_id', '=', arcId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
