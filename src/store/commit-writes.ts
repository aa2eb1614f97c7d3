import { type CompiledQuery, sql } from 'kysely'
import type { ArcCommit, Effect } from '../domain/arc/commit.ts'
import type { MindMapNode } from '../domain/mind-map/mind-map.ts'
import { practiceResponseInsert } from './arc-practice.ts'
import { type CommitTexts, questionOf, type ToldMessage, toldIn } from './commit-events.ts'
import type { Db } from './database.ts'
import { eventsInsert } from './events.ts'
import { edgesInsert, nodesUpsert } from './maps/rows.ts'

type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>

/** A statement, built and not yet run. */
interface Write {
  compile(db: Db): CompiledQuery
}

interface Scope {
  db: Db
  commit: ArcCommit
  texts: CommitTexts
  at: Date
}

/**
 * The statements that write a commit's effects once its generation is claimed, in the order they are to run in, and
 * the number of events they store.
 */
export function commitWrites(
  db: Db,
  commit: ArcCommit,
  texts: CommitTexts,
): { writes: CompiledQuery[]; events: number } {
  const scope = { db, commit, texts, at: new Date(commit.at) }
  const { messages, events } = toldIn(commit, texts)
  const answered = commit.endsTurn ? commit.messageId : null
  const writes = [
    ...mapWrites(scope),
    ...commit.effects.flatMap((effect) => effectWrites(effect, scope)),
    ...messagesInsert(messages, scope),
    takeMessages(scope),
    eventsInsert(commit.arcId, events, answered),
  ]
  return { writes: writes.map((write) => write.compile(db)), events: events.length }
}

/** The map first: all else refers to its nodes. */
function mapWrites({ db, commit, texts, at }: Scope): Write[] {
  const { effects } = commit
  const mapId = commit.mindMapId
  const { descriptions } = texts
  const writes: Write[] = []
  for (const effect of effects) {
    if (effect.type !== 'plan' && effect.type !== 'extend') continue
    const { nodes, edges, status, rootNodeId } = effect.map
    const inferred = effect.type === 'plan' ? new Map(Object.entries(effect.inferred)) : undefined
    writes.push(nodesUpsert(db, mapId, nodes, { descriptions, ...(inferred ? { inferred } : {}) }))
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
  const { db, commit, texts, at } = scope
  switch (effect.type) {
    case 'map-status':
      return [
        sql`update mind_maps set status = ${effect.status}, updated_at = ${at} where id = ${commit.mindMapId}`,
      ]
    case 'close':
      return [
        sql`update arc_questions set closed_at = ${at}, quality = ${effect.quality} where id = ${effect.questionId}`,
      ]
    case 'ask':
      return [questionInsert(effect, scope)]
    case 'respond':
      return [responseInsert(effect, scope)]
    case 'practice-response':
      return [
        practiceResponseInsert(effect, { arcId: commit.arcId, mindMapId: commit.mindMapId, at }),
      ]
    case 'practised':
      return [
        sql`update tutoring_sessions set arc_turn = ${scope.commit.flow.turn} where session_id = ${effect.sessionId}`,
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
          values (${commit.arcId}, ${effect.from}, ${effect.to}, ${effect.reason},
            (select left(text, 100) from arc_messages
             where arc_id = ${commit.arcId} and id = ${effect.messageId}), ${at})`,
      ]
    case 'cycle':
      return [
        sql`
          insert into learning_cycles (user_id, session_id, node_id, topic, cycle_number, quiz_score,
            mastery_achieved, started_at, completed_at)
          values (${commit.learnerId}, ${commit.arcId}, ${effect.nodeId}, ${effect.topic}, ${effect.number},
            ${effect.score}, ${effect.achieved}, ${new Date(effect.startedAt)}, ${at})
          on conflict (session_id, node_id, started_at) do update
          set quiz_score = excluded.quiz_score, mastery_achieved = excluded.mastery_achieved`,
      ]
    case 'diagnosis':
      return [diagnosisUpsert(db, effect, scope)]
    case 'remember':
      return texts.facts.map(
        (fact) => sql`
          insert into learner_facts (learner_id, arc_id, fact, created_at)
          select ${commit.learnerId}::uuid, ${commit.arcId}::uuid, ${fact}::text, ${at}::timestamptz
          where not exists (
            select from learner_facts where learner_id = ${commit.learnerId} and fact = ${fact})`,
      )
    default:
      return []
  }
}

function questionInsert(ask: EffectOf<'ask'>, { db, commit, texts, at }: Scope): Write {
  const question = questionOf(texts, ask)
  return db.insertInto('arc_questions').values({
    id: ask.id,
    arc_id: commit.arcId,
    node_id: ask.nodeId,
    concept: ask.label,
    kind: ask.kind,
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
    opened_at: at,
  })
}

function responseInsert(response: EffectOf<'respond'>, { commit, at }: Scope): Write {
  return sql`
    insert into quiz_responses
      (id, node_id, mind_map_id, question_text, user_answer, quality, response_type, session_id,
       question_id, attempt_number, time_taken_seconds, evaluator_notes, responded_at)
    select ${response.id}::uuid, ${response.nodeId}::uuid, ${commit.mindMapId}::uuid, question.text,
           message.text, ${response.quality}::int, ${response.responseType}, ${commit.arcId}::uuid,
           question.id, ${response.attempt}::int,
           extract(epoch from message.created_at - question.opened_at), ${response.notes}::text,
           ${at}::timestamptz
    from arc_questions question
    left join arc_messages message
      on message.arc_id = ${commit.arcId} and message.id = ${response.messageId}
    where question.id = ${response.questionId}
    on conflict (question_id) do nothing`
}

/** A probe asked before there was a map becomes a response of the node it found. */
function probeResponseInsert(
  { id, nodeId, label, quality }: EffectOf<'probe-response'>,
  { commit, at }: Scope,
): Write {
  return sql`
    insert into quiz_responses
      (id, node_id, mind_map_id, question_text, user_answer, quality, response_type, session_id, question_id, responded_at)
    select ${id}::uuid, ${nodeId}::uuid, ${commit.mindMapId}::uuid, question.text,
           (select text from arc_messages message
            where message.arc_id = question.arc_id and message.role = 'learner'
              and message.created_at >= question.opened_at
            order by message.position limit 1),
           ${quality}::int, 'diagnostic', ${commit.arcId}::uuid, question.id, ${at}::timestamptz
    from arc_questions question
    where question.arc_id = ${commit.arcId} and question.kind = 'diagnostic'
      and lower(btrim(question.concept)) = lower(btrim(${label}))
    order by question.opened_at desc limit 1
    on conflict (question_id) do nothing`
}

function diagnosisUpsert(
  db: Db,
  { inventory, probes }: EffectOf<'diagnosis'>,
  { texts: { diagnosis: summary }, commit, at }: Scope,
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
      user_id: commit.learnerId,
      session_id: commit.arcId,
      mind_map_id: commit.mindMapId,
      topic: commit.topic,
      ...values,
    })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
}

function messagesInsert(messages: ToldMessage[], { db, commit }: Scope): Write[] {
  if (messages.length === 0) return []
  const rows = messages.map(({ card, ...message }) => ({
    ...message,
    arc_id: commit.arcId,
    card: card ? JSON.stringify(card) : null,
    turn: commit.flow.turn,
  }))
  return [db.insertInto('arc_messages').values(rows)]
}

/** The turn's message belongs to it from its first write on, and is answered with its last. */
function takeMessages({ commit, at }: Scope): Write {
  const { messageId, endsTurn, flow } = commit
  return sql`
    update arc_messages
    set turn = coalesce(turn, ${flow.turn}), taken_at = case when ${endsTurn} then ${at}::timestamptz end
    where arc_id = ${commit.arcId} and role = 'learner' and taken_at is null
      and (turn is not null or id = ${messageId ?? ''})`
}
