import { type CompiledQuery, sql } from 'kysely'
import type { Question } from '../../domain/arc/question.ts'
import type { LoadedArc } from '../../domain/arc/state.ts'
import type { Asking, StepKind } from '../../domain/arc/steps.ts'
import { currentNodeId } from '../../domain/arc/view.ts'
import type { Db } from '../database.ts'
import { askedOn, practisedOn } from './asked.ts'

const RESPONSES = 10
const FACTS = 10
/** Said before a fact that is not so, but believed. */
const MISTAKE_MET = 'A mistake that came back: '
/** Steps that write questions must know those that were asked. */
const ASKING: readonly StepKind[] = ['probe', 'lesson', 'quiz', 'review', 'exercises']

/** A question that was put to the learner. */
export interface AskedQuestion extends Question {
  id: string
  nodeId: string | null
  kind: string
  quality: number | null
}

/** What the store knows for a step besides the arc itself; bounded, and never the whole transcript. */
export interface StepRows {
  /** Of the concept that the step is about. */
  description: string
  nodeId: string | null
  /** The last ten responses on the concept, oldest first. */
  responses: { question: string; answer: string; quality: number }[]
  facts: string[]
  /** Questions already asked on the concept, oldest first. */
  asked: { id: string; source: string | null; text: string; quality: number | null }[]
  /** The questions that the input names, in its order. */
  questions: AskedQuestion[]
  message: { id: string; text: string } | null
}

/** What a step names, whatever its kind. */
interface Named {
  nodeId?: string | null
  nodeIds?: string[]
  questionId?: string | null
  questionIds?: string[]
  missed?: string[]
  messageId?: string
  label?: string
}

const questionIdsOf = ({ questionIds = [], missed = [], questionId }: Named): string[] => [
  ...questionIds,
  ...missed,
  ...(questionId ? [questionId] : []),
]

/** The concept that a step is about: the one it names, that of the open question, else the one in hand. */
function nodeOf(arc: LoadedArc, named: Named): string | null {
  const { question } = arc.state
  if (named.nodeId) return named.nodeId
  if (named.nodeIds?.[0]) return named.nodeIds[0]
  if (named.questionId && named.questionId === question?.id) return question.nodeId
  return currentNodeId(arc)
}

/** The reads of what a step may be told, in the order of `stepRows`. */
export function stepReads(db: Db, arc: LoadedArc, { kind, input }: Asking): CompiledQuery[] {
  const named = input as Named
  const nodeId = sql<string>`${nodeOf(arc, named)}::uuid`
  const asks = ASKING.includes(kind)
  return [
    db
      .selectFrom('mind_map_nodes')
      .select(sql<string>`coalesce(description, '')`.as('description'))
      .where('id', '=', nodeId)
      .compile(),
    db
      .selectFrom('quiz_responses')
      .select('question_text as question')
      .select([sql<string>`coalesce(user_answer, '')`.as('answer'), 'quality'])
      .where('node_id', '=', nodeId)
      .orderBy('position', 'desc')
      .limit(RESPONSES)
      .compile(),
    db
      .selectFrom('learner_facts')
      .select(
        sql<string>`case when source = 'mistake' then ${MISTAKE_MET} || fact else fact end`.as(
          'fact',
        ),
      )
      .where('learner_id', '=', arc.learnerId)
      .orderBy('created_at', 'desc')
      .limit(FACTS)
      .compile(),
    questionsById(db, questionIdsOf(named)),
    db
      .selectFrom('arc_messages')
      .select(['id', 'text'])
      .where('arc_id', '=', arc.arcId)
      .where('id', '=', named.messageId ?? '')
      .compile(),
    ...(asks
      ? [
          askedOn(db, arc.arcId, nodeId, named.label ?? null).compile(),
          practisedOn(db, arc.arcId, nodeId).compile(),
        ]
      : []),
  ]
}

/** What the rows of `stepReads` say. */
export function stepRows(arc: LoadedArc, { input }: Asking, rows: readonly unknown[][]): StepRows {
  const [[concept], responses, facts, questions, [message], asked = [], practised = []] =
    rows as never as [
      { description: string }[],
      StepRows['responses'],
      { fact: string }[],
      AskedQuestion[],
      { id: string; text: string }[],
      StepRows['asked']?,
      StepRows['asked']?,
    ]
  const named = input as Named
  return {
    description: concept?.description ?? '',
    nodeId: nodeOf(arc, named),
    responses: [...responses].reverse(),
    facts: facts.map(({ fact }) => fact),
    asked: [...asked, ...practised],
    questions: questionIdsOf(named).flatMap((id) =>
      questions.filter((question) => question.id === id),
    ),
    message: message ?? null,
  }
}

function questionsById(db: Db, ids: string[]): CompiledQuery {
  return db
    .selectFrom('arc_questions')
    .select(['id', 'node_id as nodeId', 'kind', 'quality', 'concept', 'text', 'format', 'options'])
    .select((question) => [
      question.ref('answer_key').$castTo<Question['key']>().as('key'),
      'expected',
      'criteria',
      'difficulty',
      'hints',
      'solution',
      'mistakes',
      'source',
    ])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .compile()
}
