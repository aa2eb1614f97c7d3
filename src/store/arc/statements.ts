import { type CompiledQuery, sql } from 'kysely'
import type { Effect } from '../../domain/arc/effects.ts'
import type { LoadedArc } from '../../domain/arc/state.ts'
import { currentNodeId } from '../../domain/arc/view.ts'
import type { MindMapNode } from '../../domain/mind-map/mind-map.ts'
import { earliestReview } from '../../domain/spaced-repetition/due-reviews.ts'
import type { Db } from '../database.ts'
import { edgesInsert, nodesUpsert } from '../maps/rows.ts'
import type { ViewedMessage } from './messages.ts'
import { practiceResponseInsert } from './practice.ts'
import { sideResponseInsert } from './side-responses.ts'

export type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>

/** A message that a decision stores. */
export type MessageToStore = ViewedMessage & { turn: number; step_key: string | null }

/** A statement, built and not yet compiled. */
interface Write {
  compile(db: Db): CompiledQuery
}

interface Scope {
  db: Db
  arc: LoadedArc
  at: Date
}

/** Effects of a decision in SQL, in the order in which they are to be written. */
export function effectStatements(
  db: Db,
  arc: LoadedArc,
  effects: readonly Effect[],
  messages: readonly MessageToStore[],
  at: number,
): CompiledQuery[] {
  const scope = { db, arc, at: new Date(at) }
  const writes = [
    ...mapWrites(effects, scope),
    ...effects.flatMap((effect) => effectWrites(effect, scope)),
    ...messagesInsert(messages, scope),
  ]
  return writes.map((write) => write.compile(db))
}

/** The map first: all else refers to its nodes. */
function mapWrites(effects: readonly Effect[], { db, arc, at }: Scope): Write[] {
  const mapId = arc.mindMapId
  const writes: Write[] = []
  for (const effect of effects) {
    if (effect.type !== 'plan' && effect.type !== 'extend') continue
    const { nodes, edges, status, rootNodeId } = effect.map
    const descriptions = new Map(
      effect.descriptions.map(({ nodeId, description }) => [nodeId, description]),
    )
    const inferred =
      effect.type === 'plan' ? { inferred: new Map(Object.entries(effect.inferred)) } : {}
    writes.push(nodesUpsert(db, mapId, nodes, { descriptions, ...inferred }))
    if (edges.length > 0) writes.push(edgesInsert(db, mapId, edges))
    const metadata = JSON.stringify(effect.goal ? { goal: effect.goal } : {})
    if (effect.type === 'plan') {
      writes.push(sql`
        update mind_maps
        set status = ${status}, root_node_id = ${rootNodeId}, updated_at = ${at},
            metadata = metadata || ${metadata}::jsonb
        where id = ${mapId}`)
    } else if (effect.goal) {
      writes.push(sql`
        update mind_maps set metadata = metadata || ${metadata}::jsonb where id = ${mapId}`)
    }
  }
  const nodes = lastSetNodes(effects)
  return nodes.length > 0 ? [...writes, nodesUpsert(db, mapId, nodes)] : writes
}

/** Nodes as they were last set; a map that was written whole holds what was set before it. */
function lastSetNodes(effects: readonly Effect[]): MindMapNode[] {
  const whole = effects.findLastIndex(({ type }) => type === 'plan' || type === 'extend')
  const latest = new Map<string, MindMapNode>()
  for (const effect of effects.slice(whole + 1)) {
    if (effect.type === 'node') latest.set(effect.node.id, effect.node)
  }
  return [...latest.values()]
}

function effectWrites(effect: Effect, scope: Scope): Write[] {
  const { db, arc, at } = scope
  switch (effect.type) {
    case 'took':
      return [
        sql`
          update arc_messages set turn = ${effect.turn}
          where arc_id = ${arc.arcId} and id = ${effect.messageId}`,
      ]
    case 'map-status':
      return [
        sql`update mind_maps set status = ${effect.status}, updated_at = ${at} where id = ${arc.mindMapId}`,
      ]
    case 'abandoned':
      return [
        sql`update arcs set abandon_reason = nullif(${effect.reason}, '') where id = ${arc.arcId}`,
      ]
    case 'plan-refused':
      return [
        sql`
          insert into plan_refusals (arc_id, step_key, violations, refused_at)
          values (${arc.arcId}, ${effect.stepKey}, ${JSON.stringify(effect.violations)}::jsonb, ${at})
          on conflict do nothing`,
      ]
    case 'close':
      return [
        sql`update arc_questions set closed_at = ${at}, quality = ${effect.quality} where id = ${effect.questionId}`,
      ]
    case 'ask':
      return [questionInsert(effect, scope)]
    case 'hint':
      return [
        sql`update arc_questions set hints_given = ${effect.given} where id = ${effect.questionId}`,
      ]
    case 'respond':
      return [responseInsert(effect, scope)]
    case 'practice-response':
      return [practiceResponseInsert(effect, { arcId: arc.arcId, mindMapId: arc.mindMapId, at })]
    case 'side-response':
      return [sideResponseInsert(effect, { arcId: arc.arcId, mindMapId: arc.mindMapId, at })]
    case 'practised':
      return [
        sql`update tutoring_sessions set arc_turn = ${effect.turn} where session_id = ${effect.sessionId}`,
      ]
    case 'probe-response':
      return [probeResponseInsert(effect, scope)]
    case 'regrade':
      return [
        sql`
          with response as (
            update quiz_responses set quality = ${effect.quality}, evaluator_notes = ${effect.notes}
            where id = ${effect.responseId} returning question_id)
          update arc_questions set quality = ${effect.quality}
          where id = (select question_id from response)`,
      ]
    case 'hand-over':
      return [
        sql`
          insert into agent_transitions
            (session_id, from_agent, to_agent, reason, message_excerpt, timestamp)
          values (${arc.arcId}, ${effect.from}, ${effect.to}, ${effect.reason},
            (select left(text, 100) from arc_messages
             where arc_id = ${arc.arcId} and id = ${effect.messageId}), ${at})`,
      ]
    case 'cycle':
      return [
        sql`
          insert into learning_cycles (user_id, session_id, node_id, topic, cycle_number, quiz_score,
            mastery_achieved, started_at, completed_at)
          values (${arc.learnerId}, ${arc.arcId}, ${effect.nodeId}, ${effect.topic}, ${effect.number},
            ${effect.score}, ${effect.achieved}, ${new Date(effect.startedAt)}, ${at})
          on conflict (session_id, node_id, started_at) do update
          set quiz_score = excluded.quiz_score, mastery_achieved = excluded.mastery_achieved`,
      ]
    case 'diagnosis':
      return [diagnosisUpsert(db, effect, scope)]
    case 'remember':
      return effect.facts.map(
        (fact) => sql`
          insert into learner_facts (learner_id, arc_id, fact, source, created_at)
          select ${arc.learnerId}::uuid, ${arc.arcId}::uuid, ${fact}::text, ${effect.source}::text,
            ${at}::timestamptz
          where not exists (
            select from learner_facts where learner_id = ${arc.learnerId} and fact = ${fact})`,
      )
    case 'forget':
      return [
        sql`
          delete from learner_facts
          where learner_id = ${arc.learnerId} and fact = ${effect.fact} and source = 'mistake'`,
      ]
    default:
      return []
  }
}

function questionInsert(
  { id, nodeId, label, kind, question, attempt, hintsGiven }: EffectOf<'ask'>,
  { db, arc, at }: Scope,
): Write {
  return db.insertInto('arc_questions').values({
    id,
    arc_id: arc.arcId,
    node_id: nodeId,
    concept: label,
    kind,
    text: question.text,
    format: question.format,
    options: question.options ? JSON.stringify(question.options) : null,
    answer_key: question.key ? JSON.stringify(question.key) : null,
    expected: question.expected,
    criteria: question.criteria,
    difficulty: question.difficulty,
    hints: JSON.stringify(question.hints),
    solution: question.solution,
    mistakes: JSON.stringify(question.mistakes),
    source: question.source,
    attempt,
    hints_given: hintsGiven,
    opened_at: at,
  })
}

function responseInsert(response: EffectOf<'respond'>, { arc, at }: Scope): Write {
  return sql`
    insert into quiz_responses
      (id, node_id, mind_map_id, question_text, user_answer, quality, response_type, session_id,
       question_id, attempt_number, time_taken_seconds, evaluator_notes, responded_at)
    select ${response.id}::uuid, ${response.nodeId}::uuid, ${arc.mindMapId}::uuid, question.text,
           message.text, ${response.quality}::int, ${response.responseType}, ${arc.arcId}::uuid,
           question.id, ${response.attempt}::int,
           extract(epoch from message.created_at - question.opened_at), ${response.notes}::text,
           ${at}::timestamptz
    from arc_questions question
    left join arc_messages message
      on message.arc_id = ${arc.arcId} and message.id = ${response.messageId}
    where question.id = ${response.questionId}
    on conflict (question_id) do nothing`
}

/** A probe asked before there was a map becomes a response of the node it found. */
function probeResponseInsert(
  { id, nodeId, label, quality }: EffectOf<'probe-response'>,
  { arc, at }: Scope,
): Write {
  return sql`
    insert into quiz_responses
      (id, node_id, mind_map_id, question_text, user_answer, quality, response_type, session_id, question_id, responded_at)
    select ${id}::uuid, ${nodeId}::uuid, ${arc.mindMapId}::uuid, question.text,
           (select text from arc_messages message
            where message.arc_id = question.arc_id and message.role = 'learner'
              and message.created_at >= question.opened_at
            order by message.position limit 1),
           ${quality}::int, 'diagnostic', ${arc.arcId}::uuid, question.id, ${at}::timestamptz
    from arc_questions question
    where question.arc_id = ${arc.arcId} and question.kind = 'diagnostic'
      and lower(btrim(question.concept)) = lower(btrim(${label}))
    order by question.opened_at desc limit 1
    on conflict (question_id) do nothing`
}

function diagnosisUpsert(
  db: Db,
  { inventory, probes, summary }: EffectOf<'diagnosis'>,
  { arc, at }: Scope,
): Write {
  const values = {
    inventory: JSON.stringify(inventory),
    probes: JSON.stringify(probes),
    prerequisite_gaps: summary ? JSON.stringify(summary.gaps) : null,
    learner_level: summary?.level ?? null,
    recommendations: summary ? JSON.stringify(summary.recommendations) : null,
    timestamp: at,
  }
  return db
    .insertInto('diagnostic_results')
    .values({
      user_id: arc.learnerId,
      session_id: arc.arcId,
      mind_map_id: arc.mindMapId,
      topic: arc.topic,
      ...values,
    })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
}

function messagesInsert(messages: readonly MessageToStore[], { db, arc }: Scope): Write[] {
  if (messages.length === 0) return []
  const rows = messages.map(({ card, ...message }) => ({
    ...message,
    arc_id: arc.arcId,
    card: card ? JSON.stringify(card) : null,
  }))
  return [db.insertInto('arc_messages').values(rows)]
}

const date = (time: number | null) => (time === null ? null : new Date(time))

/** What screens read of the arc as it stands now. */
export function arcUpdate(db: Db, arc: LoadedArc, at: number): CompiledQuery {
  const { state } = arc
  const isOver = state.phase === 'COMPLETED' || state.phase === 'ABANDONED'
  return db
    .updateTable('arcs')
    .set({
      goal: arc.goal,
      phase: state.phase,
      sub_phase: state.subPhase,
      current_node_id: currentNodeId(arc),
      pending_question: state.question?.id ?? null,
      paused: state.paused,
      blocked: state.blocked ? JSON.stringify(blockedView(state.blocked)) : null,
      session_count: state.sessionCount,
      last_session_at: date(state.lastMessageAt),
      next_review_at: isOver ? null : date(earliestReview(arc.map)),
      updated_at: new Date(at),
    })
    .where('id', '=', arc.arcId)
    .compile()
}

/** What holds an arc up, as HTTP and events show it. */
export const blockedView = ({
  reason,
  since,
  retryAt,
}: {
  reason: string
  since: number
  retryAt: number
}) => ({
  reason,
  since: new Date(since).toISOString(),
  retryAt: new Date(retryAt).toISOString(),
})
