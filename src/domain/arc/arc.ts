import type { Language } from '../language/languages.ts'
import { isLong, isOwnSentence, writtenLanguage } from '../language/written-language.ts'
import type { NodeHistory, ResponseContext } from '../mastery/status.ts'
import { emptyHistory } from '../mastery/status.ts'
import type { MindMap, MindMapNode } from '../mind-map/mind-map.ts'
import { earliestReview } from '../spaced-repetition/due-reviews.ts'
import { derivedId } from '../spine/ids.ts'
import type { Card, Effect, Say, WrittenKind } from './effects.ts'
import { type Activity, nextActivity } from './next-activity.ts'
import { type ArcPhase, isTerminal, moveTo, type SubPhase } from './phase.ts'
import type { BarePhrase } from './phrase.ts'
import type { Question } from './question.ts'
import { atEveryAsking } from './shuffle.ts'
import {
  type ArcRules,
  type ArcState,
  fsrsOf,
  type Lesson,
  type LoadedArc,
  newSitting,
  phraseLanguage,
  type QuestionKind,
  type QuestionPurpose,
  type Role,
} from './state.ts'
import type { Asking, StepInputs, StepKind } from './steps.ts'

/** After so long without a message a new sitting begins. */
const SITTING_GAP_MS = 30 * 60_000

/** Something to say: a text, or a phrase. */
export type Part = Say | BarePhrase

/**
 * An arc in the hands of a decision: its own copy of the state, the map as it is now, and the effects so far. Everything
 * is changed through here, and nowhere else.
 */
export class Arc {
  readonly at: number
  readonly state: ArcState
  readonly #loaded: LoadedArc
  #map: MindMap
  #histories: Record<string, NodeHistory>
  #goal: string | null
  #question: Question | null
  #practiceSessionId: string | null
  readonly #effects: Effect[] = []

  /** @param at epoch milliseconds */
  constructor(loaded: LoadedArc, at: number) {
    this.at = at
    this.#loaded = loaded
    this.state = structuredClone(loaded.state)
    this.#map = loaded.map
    this.#histories = loaded.histories
    this.#goal = loaded.goal
    this.#question = loaded.question
    this.#practiceSessionId = loaded.practiceSessionId
  }

  /** Where the decision leads. */
  decided(): { loaded: LoadedArc; effects: Effect[] } {
    const loaded: LoadedArc = {
      ...this.#loaded,
      goal: this.#goal,
      state: this.state,
      map: this.#map,
      histories: this.#histories,
      question: this.#question,
      practiceSessionId: this.#practiceSessionId,
    }
    return { loaded, effects: this.#effects }
  }

  get arcId(): string {
    return this.#loaded.arcId
  }

  get topic(): string {
    return this.#loaded.topic
  }

  get courseId(): string | null {
    return this.#loaded.courseId
  }

  /** Whether it is taught from an installed course. */
  get isOfCourse(): boolean {
    return this.#loaded.courseId !== null
  }

  get tutor(): LoadedArc['tutor'] {
    return this.#loaded.tutor
  }

  get rules(): ArcRules {
    return this.#loaded.rules
  }

  get mindMapId(): string {
    return this.#loaded.mindMapId
  }

  get map(): MindMap {
    return this.#map
  }

  get goal(): string | null {
    return this.#goal
  }

  setGoal(goal: string): void {
    this.#goal = goal
  }

  get isOver(): boolean {
    return isTerminal(this.state.phase)
  }

  get hasMap(): boolean {
    return this.#map.nodes.length > 0
  }

  get nextReviewAt(): number | null {
    return this.isOver ? null : earliestReview(this.#map)
  }

  /** What the arc would do now if nothing is asked of the learner. */
  get activity(): Activity {
    return nextActivity(this.state, this.#map, this.rules, this.at)
  }

  /** Whether the arc has nothing to do until an input, an answer or a date. */
  get waits(): boolean {
    const { state } = this
    if (state.asking.length > 0 || this.isOver) return true
    if (state.paused || state.blocked) return true
    if (state.question) return !this.givesWay
    if (!this.hasMap) return false
    return state.sitting.resting || state.phase === 'REVIEWING'
      ? this.activity.do === 'sleep'
      : false
  }

  /** Whether the open question is the offer to stop, and a review is due, which takes its place. */
  get givesWay(): boolean {
    return this.state.question?.kind === 'choice' && this.activity.do === 'review'
  }

  /** An id that no other thing of this arc has; made again by the same decision, it is the same. */
  newId(): string {
    this.state.ids += 1
    return derivedId(this.arcId, this.state.ids)
  }

  /** Opens a turn; all that is said until it ends belongs to it. */
  beginTurn(inputId: string | null, text: string | null = null): void {
    const { state } = this
    state.turn += 1
    state.openTurn = { inputId, text, closedQuestion: false, steps: 0 }
    const { messageId } = this
    if (messageId) this.record({ type: 'took', messageId, turn: state.turn })
  }

  endTurn(): void {
    const inputId = this.state.openTurn?.inputId
    if (inputId) this.record({ type: 'answered', inputId })
    this.state.openTurn = null
  }

  /** The message that this turn answers, if it answers one. */
  get messageId(): string | null {
    const { openTurn } = this.state
    return openTurn && openTurn.text !== null ? openTurn.inputId : null
  }

  /** Asks to have a step done; its answer goes on from here. */
  ask<K extends StepKind>(kind: K, input: StepInputs[K], label: string): void {
    const { state } = this
    const { openTurn } = state
    if (!openTurn) throw new Error('a step is asked for outside a turn')
    openTurn.steps += 1
    const key = `${this.arcId}/${state.turn}/${openTurn.steps}/${kind}`
    state.asking.push({ key, kind, input, label } as Asking)
  }

  moveTo(phase: ArcPhase, subPhase: SubPhase | null = null): void {
    const { state } = this
    const moved = moveTo(state.phase, phase)
    if (moved === state.phase && subPhase === state.subPhase) return
    state.phase = moved
    state.subPhase = subPhase
    this.record({ type: 'phase', phase: moved, subPhase })
  }

  /** The tutor speaks: one message made of the parts. */
  say(...parts: Part[]): void {
    this.#speak('tutor', parts, {})
  }

  /** The tutor says what a step wrote. */
  sayWritten(stepKey: string, ...parts: Part[]): void {
    this.#speak('tutor', parts, { stepKey })
  }

  /** The tutor says, in words of its own or of a step, a verdict that can be contested. */
  sayVerdict(stepKey: string | null, ...parts: Part[]): void {
    const written = stepKey === null ? {} : { stepKey }
    this.#speak('tutor', parts, { ...written, card: { type: 'CONTESTABLE' } })
  }

  /** The tutor says a message again, in other words. */
  sayInstead(kind: WrittenKind, replaces: string, stepKey: string, ...parts: Part[]): void {
    this.#speak('tutor', parts, { stepKey, replaces, card: { type: 'WRITTEN', kind } })
  }

  /** The tutor says a lesson, or an answer to a question of the learner's own: it can be written again. */
  explain(kind: WrittenKind, stepKey: string, ...parts: Part[]): void {
    this.#speak('tutor', parts, { stepKey, card: { type: 'WRITTEN', kind } })
  }

  /** The tutor says something that comes with a card. */
  offer(card: Card, ...parts: Part[]): void {
    this.#speak('tutor', parts, { card })
  }

  /** The product speaks, not the tutor: outages, closings. */
  notify(...parts: Part[]): void {
    this.#speak('system', parts, {})
  }

  #speak(
    from: 'tutor' | 'system',
    parts: Part[],
    with_: { replaces?: string; card?: Card; stepKey?: string },
  ): void {
    const { question, lesson, phase, turn } = this.state
    const { replaces = null, card = null, stepKey = null } = with_
    const say = parts.map((part) => (typeof part === 'string' ? { phrase: part } : part))
    const nodeId = question?.nodeId ?? lesson?.nodeId ?? null
    const id = this.newId()
    this.record({ type: 'say', id, turn, from, say, nodeId, phase, replaces, card, stepKey })
  }

  /** Puts a question to the learner; its id is new at every asking, and so is the order of its options. */
  put(
    kind: QuestionKind,
    question: Question,
    about: { nodeId?: string; label: string; purpose?: QuestionPurpose },
  ): string {
    const id = this.newId()
    const { label, purpose = 'plain' } = about
    const nodeId = about.nodeId ?? null
    this.state.question = {
      ...{ id, kind, purpose, nodeId, label },
      ...{ attempt: 1, hintsGiven: 0, unread: 0, first: null },
    }
    this.#question = kind === 'choice' ? question : atEveryAsking(question, id)
    this.#ask()
    return id
  }

  /** Asks the open question a second time: another asking, without the option that was tried. */
  putSecond(answer: { messageId: string; answer: string }, tried: string | null): string {
    const { question: open } = this.state
    const question = this.#question
    if (!open || !question) throw new Error('no question is open')
    this.record({ type: 'close', questionId: open.id, quality: null })
    const id = this.newId()
    const options = question.options?.filter((option) => option.id !== tried) ?? null
    const option = question.options?.find((option) => option.id === tried)?.text ?? null
    const first = { ...answer, option }
    this.state.question = { ...open, id, attempt: 2, unread: 0, first }
    this.#question = atEveryAsking({ ...question, options }, id)
    this.#ask()
    return id
  }

  #ask(): void {
    const { question: open, phase, turn } = this.state
    const question = this.#question
    if (!open || !question) return
    const { id, kind, nodeId, label, attempt, hintsGiven } = open
    const messageId = this.newId()
    const asked = { id, messageId, turn, kind, nodeId, label, question, phase }
    this.record({ type: 'ask', ...asked, attempt, hintsGiven })
  }

  /** The open question in full. */
  get question(): Question | null {
    return this.state.question ? this.#question : null
  }

  /** Leads back to the open question, once: it is not said again, since whoever shows the arc shows it. */
  leadBack(): void {
    const open = this.state.question
    if (!this.question || !open || open.kind === 'choice' || open.isRecalled) return
    open.isRecalled = true
    this.say('open-question')
  }

  /** Leads back to the open question after a break, whether it was recalled before or not. */
  leadBackAgain(): void {
    if (this.state.question) this.state.question.isRecalled = false
    this.leadBack()
  }

  /** A hint of the open question is given. */
  giveHint(): string | null {
    const open = this.state.question
    const hint = this.question?.hints[open?.hintsGiven ?? 0] ?? null
    if (!open || hint === null || open.kind === 'diagnostic') return null
    open.hintsGiven += 1
    this.record({ type: 'hint', questionId: open.id, given: open.hintsGiven })
    return hint
  }

  closeQuestion(quality: number | null): void {
    const { state } = this
    const { question } = state
    if (!question) return
    this.record({ type: 'close', questionId: question.id, quality })
    state.question = null
    if (state.openTurn) state.openTurn.closedQuestion = true
  }

  record(effect: Effect): void {
    this.#effects.push(effect)
  }

  /** Another role acts from here on; the message that the turn answers goes with it. */
  handTo(role: Role, reason: string): void {
    const { state } = this
    if (state.role === role) return
    const { messageId } = this
    this.record({ type: 'hand-over', from: state.role, to: role, reason, messageId })
    state.role = role
  }

  node(nodeId: string): MindMapNode {
    const node = this.#map.nodes.find((candidate) => candidate.id === nodeId)
    if (!node) throw new Error(`the map has no node ${nodeId}`)
    return node
  }

  /** The node as it is from now on. */
  setNode(node: MindMapNode, history?: NodeHistory): void {
    const nodes = this.#map.nodes.map((other) => (other.id === node.id ? node : other))
    this.#map = { ...this.#map, nodes }
    if (history) this.setHistory(node.id, history)
    this.record({ type: 'node', node })
  }

  setMap(map: MindMap): void {
    this.#map = map
  }

  /** The map in another order: only the nodes whose place changed are written. */
  reorder(map: MindMap): void {
    const before = new Map(this.#map.nodes.map((node) => [node.id, node]))
    this.#map = map
    for (const node of map.nodes) {
      if (before.get(node.id) !== node) this.record({ type: 'node', node })
    }
  }

  history(nodeId: string): NodeHistory {
    return this.#histories[nodeId] ?? emptyHistory()
  }

  setHistory(nodeId: string, history: NodeHistory): void {
    this.#histories = { ...this.#histories, [nodeId]: history }
  }

  setLesson(lesson: Lesson | null): void {
    this.state.lesson = lesson
  }

  get practiceSessionId(): string | null {
    return this.#practiceSessionId
  }

  setPractice(sessionId: string | null): void {
    this.#practiceSessionId = sessionId
  }

  context(inCycle: boolean): ResponseContext {
    const { learningSteps, scheduler, maxInterval } = this.rules
    return {
      at: this.at,
      dayMs: this.#loaded.dayMs,
      learningSteps,
      scheduler,
      maxInterval,
      ...fsrsOf(this),
      inCycle,
    }
  }

  /**
   * Takes note of the language that the learner writes. The first one that is found stays until a whole sentence, or two
   * messages in a row, are in another: words of a subject are often answered in the language of a course.
   */
  hear(text: string): void {
    const { state } = this
    const language = writtenLanguage(text)
    if (!language) return
    const isSure = state.language === undefined || isOwnSentence(text)
    if (isSure || language === state.language || language === state.otherLanguage) {
      state.language = language
      delete state.otherLanguage
    } else if (isLong(text)) state.otherLanguage = language
  }

  get language(): Language {
    return phraseLanguage(this)
  }

  /** A learner's message is taken up: a new sitting begins after half an hour of silence. */
  noteMessage(): void {
    const { state, at } = this
    if (state.lastMessageAt === null || at - state.lastMessageAt > SITTING_GAP_MS) {
      state.sessionCount += 1
      state.sitting = newSitting()
    }
    state.lastMessageAt = at
  }
}
