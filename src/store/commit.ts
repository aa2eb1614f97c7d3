import { randomUUID } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { ArcCommit, Effect } from '../domain/arc/commit.ts'
import { isTerminal } from '../domain/arc/phase.ts'
import type { MindMapNode } from '../domain/mind-map/mind-map.ts'
import type { Db, Trx } from './database.ts'
import { type ArcEventType, insertEvents } from './events.ts'
import { messageView } from './messages.ts'
import { writeEdges, writeNodes } from './mind-maps.ts'
import type { Database } from './schema.ts'

type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>

/** A question as a model step wrote it, ready to be stored under the id of its asking. */
export interface QuestionToStore {
  concept: string
  text: string
  format: 'multiple_choice' | 'short_answer'
  options: { id: string; text: string }[] | null
  key: unknown | null
  expected: string
  criteria: string
  difficulty: string
  hints: string[]
  solution: string | null
  mistakes: { answer: string; tag: string }[]
  source: string | null
}

/** The texts that a commit's effects point to, found before the transaction begins. */
export interface CommitTexts {
  say: Map<Effect, string>
  question: Map<Effect, QuestionToStore>
  descriptions: Map<string, string>
  facts: string[]
  diagnosis: { level: string; gaps: string[]; recommendations: string[] } | null
}

/**
 * Writes one step of an arc in one transaction.
 * @returns `written`; `repeated` when this very write was made before; `superseded` when the stored
 *   generation is another: nothing was written, the writer must load the arc again
 */
export async function writeCommit(
  db: Db,
  commit: ArcCommit,
  texts: CommitTexts,
): Promise<'written' | 'repeated' | 'superseded'> {
  return db.transaction().execute(async (trx) => {
    const arc = await claimGeneration(trx, commit)
    if (typeof arc === 'string') return arc
    const write = new CommitWriter(trx, commit, texts, arc)
    await write.all()
    return 'written' as const
  })
}

interface ClaimedArc {
  id: string
  mind_map_id: string
  learner_id: string
  topic: string
  last_event: number
}

async function claimGeneration(
  trx: Trx,
  commit: ArcCommit,
): Promise<ClaimedArc | 'repeated' | 'superseded'> {
  const { flow } = commit
  const arc = await trx
    .updateTable('arcs')
    .set({
      generation: commit.generation,
      commit_key: commit.key,
      snapshot: JSON.stringify(flow),
      phase: flow.phase,
      sub_phase: flow.subPhase,
      current_node_id: currentNodeId(commit),
      pending_question: flow.question?.id ?? null,
      paused: flow.paused,
      blocked: flow.blocked
        ? JSON.stringify({
            reason: flow.blocked.reason,
            since: new Date(flow.blocked.since).toISOString(),
            retryAt: new Date(flow.blocked.retryAt).toISOString(),
          })
        : null,
      session_count: flow.sessionCount,
      last_session_at: flow.lastMessageAt === null ? null : new Date(flow.lastMessageAt),
      next_review_at: commit.nextReviewAt === null ? null : new Date(commit.nextReviewAt),
      updated_at: new Date(commit.at),
    })
    .where('id', '=', commit.arcId)
    .where('generation', '=', commit.generation - 1)
    .returning(['id', 'mind_map_id', 'learner_id', 'topic', 'last_event'])
    .executeTakeFirst()
  if (arc) return arc
  const stored = await trx
    .selectFrom('arcs')
    .select(['generation', 'commit_key'])
    .where('id', '=', commit.arcId)
    .executeTakeFirst()
  return stored?.generation === commit.generation && stored.commit_key === commit.key
    ? 'repeated'
    : 'superseded'
}

/** The concept in hand: the lesson's, or the open review question's. */
function currentNodeId({ flow }: ArcCommit): string | null {
  if (isTerminal(flow.phase)) return null
  if (flow.phase === 'REVIEWING') return flow.question?.nodeId ?? null
  return flow.lesson?.nodeId ?? null
}

class CommitWriter {
  readonly #trx: Trx
  readonly #commit: ArcCommit
  readonly #texts: CommitTexts
  readonly #arc: ClaimedArc
  readonly #at: Date
  readonly #events: { type: ArcEventType; data: unknown }[] = []
  readonly #messages: (Insertable<Database['arc_messages']> & { id: string; effect: Effect })[] = []

  constructor(trx: Trx, commit: ArcCommit, texts: CommitTexts, arc: ClaimedArc) {
    this.#trx = trx
    this.#commit = commit
    this.#texts = texts
    this.#arc = arc
    this.#at = new Date(commit.at)
  }

  async all(): Promise<void> {
    const effects = this.#commit.effects
    const of = <T extends Effect['type']>(type: T) =>
      effects.filter((effect): effect is EffectOf<T> => effect.type === type)
    for (const plan of of('plan')) await this.#plan(plan)
    for (const extension of of('extend')) await this.#extend(extension)
    await this.#nodes(effects)
    for (const { status } of of('map-status')) await this.#mapStatus(status)
    await this.#closings(of('close'))
    await this.#askings(of('ask'))
    await this.#responses(of('respond'))
    await this.#probeResponses(of('probe-response'))
    for (const regrade of of('regrade')) await this.#regrade(regrade)
    await this.#handOvers(of('hand-over'))
    await this.#cycles(of('cycle'))
    for (const diagnosis of of('diagnosis')) await this.#diagnosis(diagnosis)
    await this.#facts(of('remember').length > 0)
    await this.#say(effects)
    await this.#take()
    this.#announce(effects)
    if (this.#events.length === 0) return
    await this.#trx
      .updateTable('arcs')
      .set({ last_event: this.#arc.last_event + this.#events.length })
      .where('id', '=', this.#arc.id)
      .execute()
    await insertEvents(this.#trx, this.#arc.id, this.#arc.last_event, this.#events)
  }

  async #plan(plan: EffectOf<'plan'>): Promise<void> {
    const mapId = this.#arc.mind_map_id
    await writeNodes(this.#trx, mapId, plan.map.nodes, {
      descriptions: this.#texts.descriptions,
      inferred: new Map(Object.entries(plan.inferred)),
    })
    await writeEdges(this.#trx, mapId, plan.map.edges)
    await this.#trx
      .updateTable('mind_maps')
      .set({
        status: plan.map.status,
        root_node_id: plan.map.rootNodeId,
        updated_at: this.#at,
        ...(plan.goal ? { metadata: JSON.stringify({ goal: plan.goal }) } : {}),
      })
      .where('id', '=', mapId)
      .execute()
  }

  async #extend(extension: EffectOf<'extend'>): Promise<void> {
    const mapId = this.#arc.mind_map_id
    await writeNodes(this.#trx, mapId, extension.map.nodes, {
      descriptions: this.#texts.descriptions,
    })
    await writeEdges(this.#trx, mapId, extension.map.edges)
    if (extension.goal) {
      await sql`
        update mind_maps set metadata = metadata || ${JSON.stringify({ goal: extension.goal })}::jsonb
        where id = ${mapId}
      `.execute(this.#trx)
    }
  }

  /** Probes asked before there was a map become responses of the nodes they found. */
  async #probeResponses(responses: EffectOf<'probe-response'>[]): Promise<void> {
    for (const { id, nodeId, label, quality } of responses) {
      await sql`
        insert into quiz_responses
          (id, node_id, mind_map_id, question_text, user_answer, quality, response_type, session_id, question_id, responded_at)
        select ${id}::uuid, ${nodeId}::uuid, ${this.#arc.mind_map_id}::uuid, question.text,
               (select text from arc_messages message
                where message.arc_id = question.arc_id and message.role = 'learner'
                  and message.created_at >= question.opened_at
                order by message.position limit 1),
               ${quality}::int, 'diagnostic', ${this.#arc.id}::uuid, question.id, ${this.#at}::timestamptz
        from arc_questions question
        where question.arc_id = ${this.#arc.id} and question.kind = 'diagnostic'
          and lower(btrim(question.concept)) = lower(btrim(${label}))
        order by question.opened_at desc limit 1
        on conflict (question_id) do nothing
      `.execute(this.#trx)
    }
  }

  /** Nodes as they were last set; a map that was written whole holds what was set before it. */
  async #nodes(effects: readonly Effect[]): Promise<void> {
    const whole = effects.findLastIndex(({ type }) => type === 'plan' || type === 'extend')
    const latest = new Map<string, MindMapNode>()
    for (const effect of effects.slice(whole + 1)) {
      if (effect.type === 'node') latest.set(effect.node.id, effect.node)
    }
    await writeNodes(this.#trx, this.#arc.mind_map_id, [...latest.values()])
  }

  async #mapStatus(status: string): Promise<void> {
    await this.#trx
      .updateTable('mind_maps')
      .set({ status: status as 'completed', updated_at: this.#at })
      .where('id', '=', this.#arc.mind_map_id)
      .execute()
  }

  async #closings(closings: EffectOf<'close'>[]): Promise<void> {
    for (const { questionId, quality } of closings) {
      await this.#trx
        .updateTable('arc_questions')
        .set({ closed_at: this.#at, quality })
        .where('id', '=', questionId)
        .execute()
    }
  }

  async #askings(askings: EffectOf<'ask'>[]): Promise<void> {
    const rows = askings.map((ask) => {
      const question = this.#questionOf(ask)
      return {
        id: ask.id,
        arc_id: this.#arc.id,
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
        opened_at: this.#at,
      }
    })
    if (rows.length > 0) await this.#trx.insertInto('arc_questions').values(rows).execute()
  }

  #questionOf(ask: Effect): QuestionToStore {
    const question = this.#texts.question.get(ask)
    if (!question) throw new Error('a question to ask has no text')
    return question
  }

  async #responses(responses: EffectOf<'respond'>[]): Promise<void> {
    for (const response of responses) {
      await this.#trx
        .insertInto('quiz_responses')
        .columns([
          'id',
          'node_id',
          'mind_map_id',
          'question_text',
          'user_answer',
          'quality',
          'response_type',
          'session_id',
          'question_id',
          'attempt_number',
          'time_taken_seconds',
          'evaluator_notes',
          'responded_at',
        ])
        .expression((where) =>
          where
            .selectFrom('arc_questions as question')
            .leftJoin('arc_messages as message', (join) =>
              join
                .on('message.arc_id', '=', this.#arc.id)
                .on('message.id', '=', response.messageId ?? ''),
            )
            .select([
              sql<string>`${response.id}::uuid`.as('id'),
              sql<string>`${response.nodeId}::uuid`.as('node_id'),
              sql<string>`${this.#arc.mind_map_id}::uuid`.as('mind_map_id'),
              'question.text',
              'message.text as user_answer',
              sql<number>`${response.quality}::int`.as('quality'),
              sql<string>`${response.responseType}`.as('response_type'),
              sql<string>`${this.#arc.id}::uuid`.as('session_id'),
              'question.id as question_id',
              sql<number>`${response.attempt}::int`.as('attempt_number'),
              sql<number>`extract(epoch from message.created_at - question.opened_at)`.as('time'),
              sql<string | null>`${response.notes}::text`.as('notes'),
              sql<Date>`${this.#at}::timestamptz`.as('responded_at'),
            ])
            .where('question.id', '=', response.questionId),
        )
        .onConflict((conflict) => conflict.column('question_id').doNothing())
        .execute()
    }
  }

  async #regrade({ responseId, quality, notes }: EffectOf<'regrade'>): Promise<void> {
    await this.#trx
      .updateTable('quiz_responses')
      .set({ quality, evaluator_notes: notes })
      .where('id', '=', responseId)
      .execute()
    await sql`
      update arc_questions set quality = ${quality}
      where id = (select question_id from quiz_responses where id = ${responseId})
    `.execute(this.#trx)
  }

  async #handOvers(handOvers: EffectOf<'hand-over'>[]): Promise<void> {
    if (handOvers.length === 0) return
    await this.#trx
      .insertInto('agent_transitions')
      .values(
        handOvers.map((handOver) => ({
          session_id: this.#arc.id,
          from_agent: handOver.from,
          to_agent: handOver.to,
          reason: handOver.reason,
          message_excerpt: handOver.messageId
            ? sql<string>`(select left(text, 100) from arc_messages where arc_id = ${this.#arc.id} and id = ${handOver.messageId})`
            : null,
          timestamp: this.#at,
        })),
      )
      .execute()
  }

  async #cycles(cycles: EffectOf<'cycle'>[]): Promise<void> {
    if (cycles.length === 0) return
    await this.#trx
      .insertInto('learning_cycles')
      .values(
        cycles.map((cycle) => ({
          user_id: this.#arc.learner_id,
          session_id: this.#arc.id,
          node_id: cycle.nodeId,
          topic: cycle.topic,
          cycle_number: cycle.number,
          quiz_score: cycle.score,
          mastery_achieved: cycle.achieved,
          started_at: new Date(cycle.startedAt),
          completed_at: this.#at,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['session_id', 'node_id', 'started_at']).doUpdateSet((row) => ({
          quiz_score: row.ref('excluded.quiz_score'),
          mastery_achieved: row.ref('excluded.mastery_achieved'),
        })),
      )
      .execute()
  }

  async #diagnosis(diagnosis: EffectOf<'diagnosis'>): Promise<void> {
    const { diagnosis: summary } = this.#texts
    const values = {
      inventory: JSON.stringify(diagnosis.inventory),
      probes: JSON.stringify(diagnosis.probes),
      prerequisite_gaps: summary ? JSON.stringify(summary.gaps) : null,
      learner_level: summary?.level ?? null,
      recommendations: summary ? JSON.stringify(summary.recommendations) : null,
      timestamp: this.#at,
    }
    await this.#trx
      .insertInto('diagnostic_results')
      .values({
        user_id: this.#arc.learner_id,
        session_id: this.#arc.id,
        mind_map_id: this.#arc.mind_map_id,
        topic: this.#arc.topic,
        ...values,
      })
      .onConflict((conflict) => conflict.column('session_id').doUpdateSet(values))
      .execute()
  }

  async #facts(remember: boolean): Promise<void> {
    const { facts } = this.#texts
    if (!remember) return
    for (const fact of facts) {
      await sql`
        insert into learner_facts (learner_id, arc_id, fact, created_at)
        select ${this.#arc.learner_id}::uuid, ${this.#arc.id}::uuid, ${fact}::text, ${this.#at}::timestamptz
        where not exists (
          select from learner_facts where learner_id = ${this.#arc.learner_id} and fact = ${fact})
      `.execute(this.#trx)
    }
  }

  async #say(effects: readonly Effect[]): Promise<void> {
    for (const effect of effects) {
      if (effect.type !== 'say' && effect.type !== 'ask') continue
      const question = effect.type === 'ask' ? this.#questionOf(effect) : null
      const text = question ? question.text : this.#texts.say.get(effect)
      if (!text) continue
      this.#messages.push({
        effect,
        arc_id: this.#arc.id,
        id: randomUUID(),
        role: effect.type === 'say' ? effect.from : 'tutor',
        text,
        card: question
          ? JSON.stringify({
              type: 'QUESTION',
              format: question.format,
              ...(question.options ? { options: question.options } : {}),
            })
          : null,
        node_id: effect.nodeId,
        question_id: effect.type === 'ask' ? effect.id : null,
        phase: effect.phase,
        turn: this.#commit.flow.turn,
        step_key: effect.type === 'say' ? stepOf(effect) : null,
        replaces: effect.type === 'say' ? effect.replaces : null,
        created_at: this.#at,
      })
    }
    if (this.#messages.length === 0) return
    const rows = await this.#trx
      .insertInto('arc_messages')
      .values(this.#messages.map(({ effect: _, ...row }) => row))
      .returningAll()
      .execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const { id, effect } of this.#messages) {
      const row = byId.get(id)
      if (row) this.#viewOf.set(effect, messageView(row))
    }
  }

  readonly #viewOf = new Map<Effect, unknown>()

  /** The turn's message belongs to it from its first write on, and is answered with its last. */
  async #take(): Promise<void> {
    const { messageId, endsTurn, arcId, flow } = this.#commit
    await sql`
      update arc_messages
      set turn = coalesce(turn, ${flow.turn}), taken_at = case when ${endsTurn} then ${this.#at}::timestamptz end
      where arc_id = ${arcId} and role = 'learner' and taken_at is null
        and (turn is not null or id = ${messageId ?? ''})
    `.execute(this.#trx)
  }

  #announce(effects: readonly Effect[]): void {
    let asked = false
    let closed = false
    for (const effect of effects) {
      if (effect.type === 'say' || effect.type === 'ask') {
        const view = this.#viewOf.get(effect)
        if (view) this.#events.push({ type: 'message', data: view })
      }
      if (effect.type === 'ask') {
        const { text, format, options } = this.#questionOf(effect)
        asked = true
        this.#events.push({
          type: 'question',
          data: {
            id: effect.id,
            kind: effect.kind,
            text,
            format,
            ...(options ? { options } : {}),
            ...(effect.nodeId ? { nodeId: effect.nodeId } : {}),
          },
        })
      }
      if (effect.type === 'close') closed = true
      if (effect.type === 'phase') {
        this.#events.push({
          type: 'phase',
          data: { phase: effect.phase, subPhase: effect.subPhase },
        })
      }
      if (effect.type === 'node') {
        this.#events.push({ type: 'node', data: nodeView(effect.node) })
      }
      if (effect.type === 'plan' || effect.type === 'extend') {
        this.#events.push({ type: 'reset', data: {} })
      }
      if (effect.type === 'review-open') {
        this.#events.push({ type: 'review', data: { nodeIds: effect.nodeIds } })
      }
    }
    if (closed && !asked) this.#events.push({ type: 'question', data: null })
  }
}

/** The model step that wrote the message, if one did. */
function stepOf({ say }: EffectOf<'say'>): string | null {
  for (const part of say) if ('step' in part) return part.step
  return null
}

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

/** A node of the map as events and HTTP show it, without its description. */
export const nodeView = (node: MindMapNode) => ({
  id: node.id,
  label: node.label,
  depth: node.depth,
  sequence: node.sequence,
  masteryStatus: node.masteryStatus,
  masteryScore: node.masteryScore,
  easeFactor: node.easeFactor,
  repetitions: node.repetitions,
  intervalDays: node.intervalDays,
  nextReviewAt: iso(node.nextReviewAt),
  effortMinutes: node.effortMinutes,
  unitId: node.unitId,
  metadata: node.metadata,
})
