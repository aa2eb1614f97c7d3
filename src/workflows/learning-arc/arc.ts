import { uuid4 } from '@temporalio/workflow'
import type { ArcCommit, Card, Effect, Say } from '../../domain/arc/commit.ts'
import type { ArcFlow, Lesson, QuestionKind, QuestionSource, Role } from '../../domain/arc/flow.ts'
import type { ArcRules, LoadedArc } from '../../domain/arc/loaded-arc.ts'
import { type Activity, earliestReview, nextActivity } from '../../domain/arc/next-activity.ts'
import { type ArcPhase, isTerminal, moveTo, type SubPhase } from '../../domain/arc/phase.ts'
import type { BarePhrase } from '../../domain/arc/phrase.ts'
import type { NodeHistory, ResponseContext } from '../../domain/mastery/status.ts'
import { emptyHistory } from '../../domain/mastery/status.ts'
import type { MindMap, MindMapNode } from '../../domain/mind-map/mind-map.ts'
import { showToOperator } from './operator-view.ts'
import { store } from './proxies.ts'

const SITTING_GAP_MS = 30 * 60_000

/** Thrown when the store holds another generation than this workflow thought: load and go on from there. */
export class Superseded extends Error {}

/** Work that is done at once or, where a model is asked, later: what is done at once makes no promises to wait for. */
export type Work = void | Promise<void>

/**
 * An arc in the hands of its workflow: the flow state and the map as they are now, and the effects
 * that the next commit will write. Everything is changed through here, and nowhere else.
 */
export class Arc {
  readonly arcId: string
  readonly mindMapId: string
  readonly learnerId: string
  readonly topic: string
  readonly courseId: string | null
  readonly tutor: 'anthropic' | 'offline'
  readonly rules: ArcRules
  readonly dayMs: number
  goal: string | null
  flow: ArcFlow
  map: MindMap
  #histories: Record<string, NodeHistory>
  #generation: number
  #effects: Effect[] = []
  #cause = ''
  #messageId: string | null = null
  #commitsOfTurn = 0
  #closedQuestion = false

  constructor(loaded: LoadedArc) {
    this.arcId = loaded.arcId
    this.mindMapId = loaded.mindMapId
    this.learnerId = loaded.learnerId
    this.topic = loaded.topic
    this.goal = loaded.goal
    this.courseId = loaded.courseId
    this.tutor = loaded.tutor
    this.rules = loaded.rules
    this.dayMs = loaded.dayMs
    this.flow = loaded.flow
    this.map = loaded.map
    this.#histories = loaded.histories
    this.#generation = loaded.generation
  }

  get isOver(): boolean {
    return isTerminal(this.flow.phase)
  }

  get hasMap(): boolean {
    return this.map.nodes.length > 0
  }

  get nextReviewAt(): number | null {
    return this.isOver ? null : earliestReview(this.map)
  }

  /** What the arc would do now if nothing is asked of the learner. */
  get activity(): Activity {
    return nextActivity(this.flow, this.map, this.rules, Date.now())
  }

  /** Whether the arc has nothing to do until a message or a date. */
  get waits(): boolean {
    const { flow } = this
    if (this.isOver || flow.question || flow.paused || flow.blocked) return true
    return this.hasMap && flow.phase === 'REVIEWING' && this.activity.do === 'sleep'
  }

  /**
   * Opens a new turn, or goes on with one that was written in part; all that is said until the next one belongs to it.
   * `cause` tells it from any other.
   */
  beginTurn(cause: string, messageId: string | null = null): void {
    const { flow } = this
    if (!flow.openTurn) {
      flow.turn += 1
      flow.openTurn = { messageId, steps: {} }
    }
    this.#cause = cause
    this.#messageId = flow.openTurn.messageId
    this.#commitsOfTurn = 0
    this.#closedQuestion = false
  }

  /** The key of a model step of this turn: what it is about, and a number where the turn has run it before. */
  stepKey(kind: string, subject: string): string {
    const name = `${kind}:${subject}`
    const before = this.flow.openTurn?.steps[name] ?? 0
    return `${this.arcId}/${this.flow.turn}/${name}${before > 0 ? `#${before + 1}` : ''}`
  }

  /** The step has run: another of that name in this turn is another step. */
  countStep(kind: string, subject: string): void {
    const { openTurn } = this.flow
    const name = `${kind}:${subject}`
    if (openTurn) openTurn.steps[name] = (openTurn.steps[name] ?? 0) + 1
  }

  moveTo(phase: ArcPhase, subPhase: SubPhase | null = null): void {
    const { flow } = this
    const moved = moveTo(flow.phase, phase)
    if (moved === flow.phase && subPhase === flow.subPhase) return
    flow.phase = moved
    flow.subPhase = subPhase
    this.#effects.push({ type: 'phase', phase: moved, subPhase })
  }

  /** The tutor speaks: one message made of the parts. */
  say(...parts: (Say | BarePhrase)[]): void {
    this.#speak('tutor', parts)
  }

  /** The tutor hands the learner something to work with, and says what it is. */
  offer(card: Card, ...parts: (Say | BarePhrase)[]): void {
    this.#speak('tutor', parts, null, card)
  }

  /** The tutor says a message again, in other words. */
  sayInstead(replaces: string, ...parts: (Say | BarePhrase)[]): void {
    this.#speak('tutor', parts, replaces)
  }

  /** The product speaks, not the tutor: outages, closings. */
  notify(...parts: (Say | BarePhrase)[]): void {
    this.#speak('system', parts)
  }

  #speak(
    from: 'tutor' | 'system',
    parts: (Say | BarePhrase)[],
    replaces: string | null = null,
    card: Card | null = null,
  ): void {
    const say = parts.map((part) => (typeof part === 'string' ? { phrase: part } : part))
    const nodeId = this.flow.question?.nodeId ?? this.flow.lesson?.nodeId ?? null
    this.#effects.push({ type: 'say', from, say, nodeId, phase: this.flow.phase, replaces, card })
  }

  /** Puts a question that a model step wrote to the learner; its id is new at every asking. */
  ask(
    kind: QuestionKind,
    { step, index, format }: QuestionSource,
    about: { nodeId?: string; label: string },
  ): string {
    const id = uuid4()
    const { label } = about
    const nodeId = about.nodeId ?? null
    this.flow.question = { id, kind, nodeId, label, format, tries: 0, hints: 0 }
    const { phase } = this.flow
    this.#effects.push({ type: 'ask', id, kind, nodeId, label, step, index, phase })
    return id
  }

  /** Puts the open question once more, as it stands. */
  putAgain(): void {
    const { question } = this.flow
    if (question) this.say('open-question', { questionId: question.id, part: 'text' })
  }

  closeQuestion(quality: number | null): void {
    const { question } = this.flow
    if (!question) return
    this.#effects.push({ type: 'close', questionId: question.id, quality })
    this.flow.question = null
    this.#closedQuestion = true
  }

  record(effect: Effect): void {
    this.#effects.push(effect)
  }

  handTo(role: Role, reason: string, messageId: string | null = null): void {
    if (this.flow.role === role) return
    this.#effects.push({ type: 'hand-over', from: this.flow.role, to: role, reason, messageId })
    this.flow.role = role
  }

  node(nodeId: string): MindMapNode {
    const node = this.map.nodes.find((candidate) => candidate.id === nodeId)
    if (!node) throw new Error(`the map has no node ${nodeId}`)
    return node
  }

  /** The node as it is from now on; written with the next commit. */
  setNode(node: MindMapNode, history?: NodeHistory): void {
    this.map = {
      ...this.map,
      nodes: this.map.nodes.map((other) => (other.id === node.id ? node : other)),
    }
    if (history) this.#histories[node.id] = history
    this.#effects.push({ type: 'node', node })
  }

  setMap(map: MindMap): void {
    this.map = map
  }

  /** The map in another order: only the nodes whose place changed are written. */
  reorder(map: MindMap): void {
    const before = new Map(this.map.nodes.map((node) => [node.id, node]))
    this.map = map
    for (const node of map.nodes) {
      if (before.get(node.id) !== node) this.#effects.push({ type: 'node', node })
    }
  }

  history(nodeId: string): NodeHistory {
    return this.#histories[nodeId] ?? emptyHistory()
  }

  setHistory(nodeId: string, history: NodeHistory): void {
    this.#histories[nodeId] = history
  }

  setLesson(lesson: Lesson | null): void {
    this.flow.lesson = lesson
  }

  context(inCycle: boolean): ResponseContext {
    const { learningSteps, scheduler } = this.rules
    return { at: Date.now(), dayMs: this.dayMs, learningSteps, scheduler, inCycle }
  }

  /** A learner's message was sent at `at`: a new sitting begins after half an hour of silence. */
  noteMessage(at: number): void {
    const { flow } = this
    if (flow.lastMessageAt === null || at - flow.lastMessageAt > SITTING_GAP_MS) {
      flow.sessionCount += 1
      flow.quizzed = 0
    }
    flow.lastMessageAt = Math.max(at, flow.lastMessageAt ?? 0)
  }

  get hasNews(): boolean {
    return this.#effects.length > 0
  }

  /** Whether this turn has closed a question. */
  get closedQuestion(): boolean {
    return this.#closedQuestion
  }

  /** Writes what is left of the turn; it is answered with this. */
  endTurn(): Promise<void> {
    this.flow.openTurn = null
    return this.#write(true)
  }

  /** Writes what is known so far; the turn goes on. */
  commit(): Promise<void> {
    return this.#write(false)
  }

  /**
   * Writes everything since the last commit in one transaction.
   * @throws {Superseded} when the store has gone on without this workflow
   */
  async #write(endsTurn: boolean): Promise<void> {
    this.#commitsOfTurn += 1
    const commit: ArcCommit = {
      arcId: this.arcId,
      mindMapId: this.mindMapId,
      learnerId: this.learnerId,
      topic: this.topic,
      generation: this.#generation + 1,
      key: `turn ${this.flow.turn} by ${this.#cause}, write ${this.#commitsOfTurn}`,
      at: Date.now(),
      flow: this.flow,
      nextReviewAt: this.nextReviewAt,
      messageId: this.#messageId,
      endsTurn,
      effects: this.#effects,
    }
    const summary = `${this.flow.phase}: turn ${this.flow.turn}`
    const outcome = await store.commitArc.executeWithOptions({ summary }, [commit])
    if (outcome === 'superseded') throw new Superseded()
    if (outcome === 'repeated') await this.#adopt(commit.generation)
    this.#generation = commit.generation
    this.#effects = []
    showToOperator(this)
  }

  /**
   * This very write was made before a crash: what it stored counts, its times above all.
   * Objects that callers hold are changed in place.
   */
  async #adopt(generation: number): Promise<void> {
    const stored = await store.loadArc({ arcId: this.arcId })
    if (stored?.generation !== generation) throw new Superseded()
    const { lesson, question, diagnosis } = this.flow
    Object.assign(this.flow, stored.flow)
    if (lesson && stored.flow.lesson) this.flow.lesson = Object.assign(lesson, stored.flow.lesson)
    if (question && stored.flow.question) {
      this.flow.question = Object.assign(question, stored.flow.question)
    }
    if (diagnosis && stored.flow.diagnosis) {
      this.flow.diagnosis = Object.assign(diagnosis, stored.flow.diagnosis)
    }
    this.map = stored.map
    this.#histories = stored.histories
  }
}
