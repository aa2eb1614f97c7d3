import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { wakeEntity } from '../../src/commands/wake.ts'
import type { ArcView, MessageAction, PendingQuestion } from '../../src/contracts/arc.ts'
import {
  FLOW_STATE_QUERY,
  type FlowState,
  SIGNAL,
  workflowId,
} from '../../src/contracts/temporal.ts'
import { type ArcRow, arcToWake, arcViews, findArc } from '../../src/store/arc/arcs.ts'
import { readTurn, storeMessage } from '../../src/store/arc/messages.ts'
import type { ArcWorld } from './arc-world.ts'
import { calm } from './calm.ts'
import { allRuns, type HistoryJson } from './histories.ts'

/** How long a test waits, by the wall clock, for something that has to happen. */
const PATIENCE_MS = 60_000

export interface Sent {
  messageId?: string
  questionId?: string
  action?: MessageAction
  /** UTC ms. */
  sentAt?: number
}

export type View = ArcView & { generation: number }

/** One arc as a test holds it: what a learner and an operator can do, and what the store says. */
export class ArcHand {
  readonly world: ArcWorld
  readonly arcId: string
  readonly mindMapId: string
  readonly workflowId: string

  constructor(world: ArcWorld, { id, mind_map_id }: Pick<ArcRow, 'id' | 'mind_map_id'>) {
    this.world = world
    this.arcId = id
    this.mindMapId = mind_map_id
    this.workflowId = workflowId.arc(id)
  }

  async row(): Promise<ArcRow> {
    const row = await findArc(this.world.db, this.arcId)
    if (!row) throw new Error('the arc is gone')
    return row
  }

  async view(): Promise<View> {
    const row = await this.row()
    const [view] = await arcViews(this.world.db, [row])
    const { generation } = await this.entity()
    return { ...(view as ArcView), generation }
  }

  /** Where the arc stands, as the spine keeps it. */
  async entity() {
    return this.world.db
      .selectFrom('entities')
      .selectAll()
      .where('id', '=', this.arcId)
      .executeTakeFirstOrThrow()
  }

  async nodes() {
    return this.world.db
      .selectFrom('mind_map_nodes')
      .selectAll()
      .where('mind_map_id', '=', this.mindMapId)
      .orderBy('sequence')
      .execute()
  }

  async responses() {
    return this.world.db
      .selectFrom('quiz_responses')
      .selectAll()
      .where('mind_map_id', '=', this.mindMapId)
      .orderBy('position')
      .execute()
  }

  async transcript() {
    return this.world.db
      .selectFrom('arc_messages')
      .selectAll()
      .where('arc_id', '=', this.arcId)
      .orderBy('position')
      .execute()
  }

  async events(type?: string) {
    const all = await this.world.db
      .selectFrom('events')
      .selectAll()
      .where('stream', '=', this.arcId)
      .orderBy('seq')
      .execute()
    return type ? all.filter((event) => event.type === type) : all
  }

  /** The phases the arc went through, by its stored events, without repeats. */
  async phases(): Promise<string[]> {
    const phases: string[] = []
    for (const { data } of await this.events('phase')) {
      const { phase } = data as { phase: string }
      if (phases.at(-1) !== phase) phases.push(phase)
    }
    return phases
  }

  /** Waits, by the wall clock, until the stored arc is as wanted. */
  async until(wanted: (view: View) => boolean, what = 'the arc is as wanted'): Promise<View> {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const view = await this.view()
      if (wanted(view)) return view
      if (Date.now() > deadline) {
        throw new Error(`waited in vain until ${what}: ${JSON.stringify(view)}`)
      }
      await pause(10)
    }
  }

  async question(kind?: PendingQuestion['kind']): Promise<PendingQuestion> {
    const view = await this.until(
      ({ pendingQuestion }) => pendingQuestion !== null && (!kind || pendingQuestion.kind === kind),
      `a ${kind ?? ''} question is open`,
    )
    return view.pendingQuestion as PendingQuestion
  }

  /** Stores a message as of the server's time, or of `sentAt`; nobody hears of it yet. */
  async store(text: string, more: Sent = {}) {
    const { db } = this.world
    const stored = await storeMessage(db, {
      arcId: this.arcId,
      id: more.messageId ?? randomUUID(),
      text,
      action: more.action ?? null,
      questionId: more.questionId ?? null,
      channel: 'web',
    })
    const { row, isNew } = stored
    if (!row) throw new Error('the arc is gone, or closed')
    if (!isNew) return row
    const created_at = new Date(more.sentAt ?? (await this.world.now()))
    await db
      .updateTable('arc_messages')
      .set({ created_at })
      .where('arc_id', '=', this.arcId)
      .where('id', '=', row.id)
      .execute()
    return { ...row, created_at }
  }

  /** Stores a message and signals it; does not wait. */
  async send(text: string, more: Sent = {}): Promise<string> {
    const row = await this.store(text, more)
    await this.wake()
    return row.id
  }

  /** Waits for the turn of a message; returns what was replied in it. */
  async turnOf(messageId: string): Promise<string[]> {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const turn = await readTurn(this.world.db, this.arcId, messageId)
      if (turn?.done) return turn.replies.map(({ text }) => text)
      if (Date.now() > deadline) {
        throw new Error(`no turn took up ${messageId}: ${JSON.stringify(await this.view())}`)
      }
      await pause(10)
    }
  }

  /** Sends a message and waits for its turn. */
  async say(text: string, more: Sent = {}): Promise<string[]> {
    return this.turnOf(await this.send(text, more))
  }

  async act(action: MessageAction): Promise<string[]> {
    return this.say('', { action })
  }

  /** The stored right answer of the open question. */
  async rightAnswer(): Promise<string> {
    const { pendingQuestion } = await this.view()
    const row = await this.world.db
      .selectFrom('arc_questions')
      .select('expected')
      .where('id', '=', pendingQuestion?.id ?? '')
      .executeTakeFirstOrThrow()
    return row.expected
  }

  /** Answers the open question, right or wrong at every try, and waits for the turns. */
  async answer(right = true): Promise<string[]> {
    const question = await this.question()
    if (right) return this.say(await this.rightAnswer(), { questionId: question.id })
    const replies = await this.answerWrong(question)
    const next = (await this.view()).pendingQuestion
    const isAgain = question.attempt === 1 && next?.attempt === 2
    return isAgain ? [...replies, ...(await this.answerWrong(next))] : replies
  }

  /** Answers a question wrong, once. */
  async answerWrong({ id, options }: PendingQuestion): Promise<string[]> {
    const expected = await this.rightAnswer()
    const wrong = options?.find(({ text }) => text !== expected)?.text ?? '987654'
    return this.say(wrong, { questionId: id })
  }

  /** Answers right whatever is asked until nothing is open or `stop` holds. */
  async answerUntil(stop: (view: View) => boolean, right = true): Promise<View> {
    for (let guard = 0; guard < 200; guard += 1) {
      const view = await this.settled()
      if (stop(view) || view.pendingQuestion === null) return view
      await this.answer(right)
    }
    throw new Error('200 answers led nowhere')
  }

  /** Waits until the arc waits for the learner, for a date, or is over. */
  async settled(): Promise<View> {
    return this.until(
      (view) =>
        view.pendingQuestion !== null ||
        view.blocked !== null ||
        view.paused ||
        view.resting ||
        view.phase === 'COMPLETED' ||
        view.phase === 'ABANDONED' ||
        view.phase === 'REVIEWING',
      'the arc settles',
    )
  }

  async signal(name: (typeof SIGNAL)[keyof typeof SIGNAL], ...args: unknown[]): Promise<void> {
    const { client } = this.world.env
    await wakeEntity(client, arcToWake(await this.row()), { name, args })
  }

  /** Wakes the arc's workflow, or starts it. */
  async wake(): Promise<void> {
    await wakeEntity(this.world.env.client, arcToWake(await this.row()))
  }

  abandon = (reason = '') => this.signal(SIGNAL.abandon, { reason })
  replan = (why: { reason?: string; goal?: string } = {}) => this.signal(SIGNAL.replan, why)
  pause = () => this.signal(SIGNAL.pause)
  resume = () => this.signal(SIGNAL.resume)
  reviewNow = () => this.signal(SIGNAL.reviewNow)

  /** Loses the workflow, as a Temporal without its data would. */
  async terminate(): Promise<void> {
    await calm(this.world)
    await this.world.env.client.workflow.getHandle(this.workflowId).terminate('lost')
  }

  /** The workflow's status, as Temporal has it, once it is no longer running; else RUNNING. */
  async status(): Promise<string> {
    const handle = this.world.env.client.workflow.getHandle(this.workflowId)
    for (let look = 0; look < 100; look += 1) {
      const { status } = await handle.describe()
      if (status.name !== 'RUNNING') return status.name
      await pause(20)
    }
    return 'RUNNING'
  }

  /** The search attribute, as operators find it. */
  async searchAttribute(name: string): Promise<unknown> {
    const handle = this.world.env.client.workflow.getHandle(this.workflowId)
    const { typedSearchAttributes } = await handle.describe()
    return typedSearchAttributes.getAll().find(({ key }) => key.name === name)?.value
  }

  /** The query's answer; while a run is still loading its arc there is none, so it is asked again. */
  async flowState(tries = 100): Promise<FlowState> {
    const handle = this.world.env.client.workflow.getHandle(this.workflowId)
    try {
      return await handle.query<FlowState>(FLOW_STATE_QUERY)
    } catch (error) {
      if (tries === 1) throw error
      await pause(20)
      return this.flowState(tries - 1)
    }
  }

  /** Lets time pass until the next review is due, and a minute, in which those learned with it fall due too. */
  async sleepUntilDue(): Promise<number> {
    const { nextReviewAt } = await this.view()
    if (nextReviewAt === null) throw new Error('no review is planned')
    const due = Date.parse(nextReviewAt)
    await this.world.sleep(Math.max(0, due - (await this.world.now())) + 60_000)
    return due
  }

  /** The histories of all runs, oldest first, as JSON. */
  async runs(): Promise<HistoryJson[]> {
    return allRuns(this.world.env.client.workflow, this.workflowId)
  }
}
