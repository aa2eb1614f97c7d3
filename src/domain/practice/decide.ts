import { writtenLanguage } from '../language/written-language.ts'
import type { Input, StoredInput } from '../spine/decision.ts'
import { wakeAt } from './clock.ts'
import { isDue, newDelivery, notDelivered } from './delivery.ts'
import { helpOf, nextSmaller, type ProblemInHand } from './help.ts'
import { keyOf, keyOfProblem } from './key-of.ts'
import { next } from './next.ts'
import { expiresAt, isCompleted } from './position.ts'
import { type MessageToRead, type Reading, readMessage } from './read-message.ts'
import { currentProblem, modeOf, type ProblemState } from './session.ts'
import type {
  AskedMessage,
  Delivery,
  OpenTurn,
  Practice,
  PracticeReply,
  Problem,
  SessionState,
  SmallerQuestion,
  TakenMessage,
  TakenTurn,
} from './state.ts'
import { stepsOf } from './steps.ts'
import type { PracticeEvent, Turn } from './turn.ts'

/** A student waits this long for a verdict; then the answer stays unjudged until it is there. */
const VERDICT_MS = 8_000
/** The whole turn takes no longer than this; what is left after the verdict is the reply's. */
const TURN_MS = 9_000
const MIN_REPLY_MS = 1_000
const MAX_REPLY_MS = 6_000

/** What a decision leads to outside of the session's state. */
export type PracticeEffect =
  /** A problem that came with a message. */
  | { type: 'problem-added'; index: number; problem: Problem }
  | { type: 'problem-changed'; index: number; state: ProblemState }
  | TurnEnded
  /** The session's place has changed, for teachers. */
  | { type: 'moved' }
  | { type: 'report'; delivery: 'none' | 'pending' | 'delivered' | 'given_up' }
  /** The arc is told how its session went. */
  | { type: 'outcome' }
  /** An input is done; `closed`: it came after the end. */
  | { type: 'done'; inputId: string; closed: boolean }

/** A message is answered. */
export interface TurnEnded {
  type: 'turn-ended'
  message: TakenMessage
  /** Late verdicts first, then the message's own turn; that is missing where a late verdict ended the session. */
  taken: TakenTurn[]
  /** The model's words; null where code has to find them. */
  reply: PracticeReply | null
  /** The smaller question of the problem's own that the reply asks; null where it asks none, or the model has its own. */
  smaller: SmallerQuestion | null
  /** What the material says to the question that was asked; null where nothing was looked up. */
  passage: string | null
}

/** The rules of practice sessions: pure, `practice` is left as it is. */
export function decide(
  practice: Practice,
  input: Input,
  at: number,
): { practice: Practice; effects: PracticeEffect[] } {
  const decision = new Decision(practice, at)
  decision.take(input)
  return decision.made()
}

class Decision {
  readonly #before: Practice
  readonly #at: number
  readonly #added: PracticeEffect[] = []
  readonly #effects: PracticeEffect[] = []
  #problems: readonly Problem[]
  #state: SessionState

  constructor(practice: Practice, at: number) {
    this.#before = practice
    this.#at = at
    this.#problems = practice.problems
    this.#state = practice.state
  }

  made(): { practice: Practice; effects: PracticeEffect[] } {
    this.#forget()
    const { problems: before } = this.#before.state.progress
    const changed = this.#state.progress.problems.flatMap((state, index): PracticeEffect[] => {
      const isSame = JSON.stringify(before[index]) === JSON.stringify(state)
      return isSame ? [] : [{ type: 'problem-changed', index, state }]
    })
    return { practice: this.#practice, effects: [...this.#added, ...changed, ...this.#effects] }
  }

  get #practice(): Practice {
    return { ...this.#before, problems: [...this.#problems], state: this.#state }
  }

  take(input: Input): void {
    switch (input.type) {
      case 'input':
        this.#input(input.input)
        break
      case 'answer':
        this.#answer(input.key, input.output)
        break
      case 'no-answer':
        this.#noAnswer(input.key, input.reason, input.fault === 'refused')
        break
      case 'clock':
        this.#clock()
        break
      // A student waits for the clock, not for the model.
      case 'slow':
        break
    }
  }

  #input({ type, id, payload }: StoredInput): void {
    const closed = isCompleted(this.#state)
    if (type === 'message' && !closed) {
      const { text, problem = null } = payload as { text: string; problem?: Problem | null }
      this.#message(id, text, problem)
      return
    }
    if (type === 'complete' && !closed) {
      this.#apply({ type: 'complete', at: this.#at })
      this.#effects.push({ type: 'moved' })
      this.#completed()
    }
    if (type === 'deliver-again' && closed) this.#deliver()
    this.#effects.push({ type: 'done', inputId: id, closed: closed && type === 'message' })
  }

  #message(messageId: string, text: string, brought: Problem | null): void {
    const language = writtenLanguage(text)
    if (language) this.#change({ language })
    const taken = this.#applyLateVerdicts()
    const { status, implicit } = this.#state.progress
    if (status !== 'completed' && brought && implicit) this.#append(brought)
    const message = this.#takenMessage(messageId, text)
    if (status === 'completed') this.#end(message, taken, null)
    else this.#read(message, taken)
  }

  #read(message: TakenMessage, taken: TakenTurn[]): void {
    const read = readMessage(messageToRead(this.#practice, message))
    if (read.by === 'code') this.#judged(message, taken, read.reading, 'code')
    else if (!this.#before.hasModel) this.#unread(message, taken, read.without)
    else {
      const { without } = read
      this.#change({
        turn: { message, taken, waitsFor: 'verdict', until: this.#at + VERDICT_MS },
        asked: [...this.#state.asked, { ...message, without, verdict: null }],
      })
    }
  }

  #takenMessage(messageId: string, text: string): TakenMessage {
    const { progress, smaller } = this.#state
    return {
      messageId,
      text,
      at: this.#at,
      turn: progress.turns + 1,
      mode: modeOf(progress),
      invited: progress.invited !== null,
      problemIndex: progress.index,
      smaller: currentProblem(progress)?.scaffolding.asked ? smaller : null,
      memory: progress.memory,
    }
  }

  /** Verdicts that have come in since are applied first, each with the time of its message. */
  #applyLateVerdicts(): TakenTurn[] {
    return this.#state.asked.flatMap((asked) => {
      const { messageId, verdict } = asked
      if (verdict === null) return []
      const turn = this.#apply({ type: 'late', messageId, classification: verdict })
      this.#change({ asked: this.#state.asked.filter((other) => other !== asked) })
      return turn ? [this.#takenTurn(turn, asked, verdict, 'model')] : []
    })
  }

  /** A caller that sends its problems along has gone on to another one. */
  #append(problem: Problem): void {
    if (this.#problems.some(({ id }) => id === problem.id)) return
    this.#apply({ type: 'append', at: this.#at, problemId: problem.id })
    this.#problems = [...this.#problems, problem]
    this.#added.push({ type: 'problem-added', index: this.#problems.length - 1, problem })
  }

  /** No model has read the message in time, or none is there: what code guesses holds. */
  #unread(message: TakenMessage, taken: TakenTurn[], without: Reading): void {
    this.#judged(message, taken, without, without.category === 'unjudged' ? 'nobody' : 'code')
  }

  #judged(
    message: TakenMessage,
    taken: TakenTurn[],
    reading: Reading,
    judgedBy: TakenTurn['judgedBy'],
  ): void {
    const { messageId, at } = message
    const turn = this.#apply({ type: 'message', at, messageId, classification: reading })
    const all = turn ? [...taken, this.#takenTurn(turn, message, reading, judgedBy)] : taken
    if (!turn || turn.category === 'unjudged' || turn.talk || !this.#before.hasModel) {
      this.#endInCode(message, all)
      return
    }
    const left = at + TURN_MS - this.#at
    const until = this.#at + Math.min(MAX_REPLY_MS, Math.max(MIN_REPLY_MS, left))
    this.#change({ turn: { message, taken: all, waitsFor: 'reply', until } })
  }

  #takenTurn(
    turn: Turn,
    { text }: TakenMessage,
    { value }: Reading,
    judgedBy: TakenTurn['judgedBy'],
  ): TakenTurn {
    const problemIndex = turn.problemIndex ?? this.#problems.length - 1
    const inHand = this.#inHand(problemIndex)
    const filed = { problemIndex, problemId: inHand?.problem.id ?? '', judgedBy }
    if (!inHand) return { ...filed, turn, misconception: null, remedy: null, solution: null }
    const { changes, ...help } = helpOf(inHand, turn, { text, value }, this.#before.isOfArc)
    this.#changeProblem(problemIndex, changes)
    return { ...filed, ...help }
  }

  #inHand(index: number): ProblemInHand | null {
    const problem = this.#problems[index]
    const state = this.#state.progress.problems[index]
    return problem && state ? { problem, state } : null
  }

  /** The message is answered; the smaller question that the reply asks is open from now on. */
  #end(
    message: TakenMessage,
    taken: TakenTurn[],
    reply: PracticeReply | null,
    passage: string | null = null,
  ): void {
    const last = taken.at(-1)
    const index = last?.turn.problemIndex ?? null
    this.#change({ turn: null })
    const smaller = reply || !last ? null : this.#smallerOf(last)
    const asked = reply?.scaffold ?? smaller
    if (asked && index !== null) this.#ask(index, asked)
    this.#effects.push({ type: 'turn-ended', message, taken, reply, smaller, passage })
    this.#effects.push({ type: 'moved' })
    if (this.#state.progress.status === 'completed') this.#completed()
  }

  /** Ends the turn in code's words; a question of the student's is answered with what the material says to it. */
  #endInCode(message: TakenMessage, taken: TakenTurn[]): void {
    const turn = taken.at(-1)?.turn
    const asks = turn?.category === 'conceptual_question' && turn.problemIndex !== null
    if (!asks) this.#end(message, taken, null)
    else {
      const until = this.#at + MAX_REPLY_MS
      this.#change({ turn: { message, taken, waitsFor: 'passage', until } })
    }
  }

  #smallerOf(taken: TakenTurn): SmallerQuestion | null {
    const inHand = this.#inHand(taken.problemIndex)
    const next = inHand && nextSmaller(inHand, taken)
    if (!next) return null
    this.#changeProblem(taken.problemIndex, next.changes)
    return next.smaller
  }

  #ask(index: number, smaller: SmallerQuestion): void {
    const scaffolding = this.#state.progress.problems[index]?.scaffolding
    if (scaffolding?.active) {
      this.#changeProblem(index, { scaffolding: { ...scaffolding, asked: true } })
    }
    this.#change({ smaller })
  }

  #changeProblem(index: number, changes: Partial<ProblemState>): void {
    const { progress } = this.#state
    const problems = progress.problems.map((problem, place) =>
      place === index ? { ...problem, ...changes } : problem,
    )
    this.#change({ progress: { ...progress, problems } })
  }

  /** The session is over: its report goes to the LMS, or its outcome to the arc. */
  #completed(): void {
    const { isOfArc, delivers } = this.#before
    if (isOfArc) this.#effects.push({ type: 'outcome' })
    if (!isOfArc && delivers) this.#deliver()
    else this.#effects.push({ type: 'report', delivery: 'none' })
  }

  /** Sends the report, as a delivery of its own. */
  #deliver(): void {
    this.#delivery(newDelivery(this.#before.sessionId, this.#at))
  }

  #delivery(delivery: Delivery): void {
    this.#change({ delivery })
    this.#effects.push({ type: 'moved' }, { type: 'report', delivery: delivery.status })
  }

  #answer(key: string, output: unknown): void {
    const wanted = this.#wanted(key)
    switch (wanted?.kind) {
      case 'verdict':
        this.#verdict(wanted.message, output as Reading)
        break
      case 'reply':
        this.#end(wanted.open.message, wanted.open.taken, output as PracticeReply)
        break
      case 'passage': {
        const { message, taken } = wanted.open
        this.#end(message, taken, null, output as string | null)
        break
      }
      case 'deliver':
        this.#delivery({ ...wanted.delivery, status: 'delivered', note: null })
        break
    }
  }

  #noAnswer(key: string, reason: string, isFinal: boolean): void {
    const wanted = this.#wanted(key)
    switch (wanted?.kind) {
      case 'verdict':
        this.#noVerdict(wanted.message)
        break
      case 'reply':
        this.#endInCode(wanted.open.message, wanted.open.taken)
        break
      case 'passage':
        this.#end(wanted.open.message, wanted.open.taken, null)
        break
      case 'deliver': {
        const delivery = notDelivered(wanted.delivery, reason, isFinal, this.#at)
        if (delivery.status === 'given_up') this.#delivery(delivery)
        else this.#change({ delivery })
        break
      }
    }
  }

  #wanted(key: string) {
    return stepsOf(this.#practice).find(({ step }) => step.key === key)
  }

  /** The open turn, if it waits for the verdict on that message. */
  #waitingFor({ turn }: AskedMessage) {
    const open = this.#state.turn
    return open?.waitsFor === 'verdict' && open.message.turn === turn ? open : null
  }

  #verdict(message: AskedMessage, verdict: Reading): void {
    const open = this.#waitingFor(message)
    const others = this.#state.asked.filter((asked) => asked !== message)
    this.#change({ asked: open ? others : [...others, { ...message, verdict }] })
    if (open) this.#judged(open.message, open.taken, verdict, 'model')
  }

  #noVerdict(message: AskedMessage): void {
    const open = this.#waitingFor(message)
    this.#change({ asked: this.#state.asked.filter((asked) => asked !== message) })
    if (open) this.#unread(open.message, open.taken, message.without)
  }

  #clock(): void {
    const { turn, progress } = this.#state
    const due = turn ? turn.until : wakeAt(progress)
    if (due !== null && due <= this.#at) {
      if (turn) this.#waitedEnough(turn)
      else this.#timePassed()
    }
    const { delivery } = this.#state
    if (isDue(delivery, this.#at)) this.#change({ delivery: { ...delivery, nextAt: null } })
  }

  #timePassed(): void {
    this.#apply({ type: 'clock', at: this.#at })
    this.#effects.push({ type: 'moved' })
    if (this.#state.progress.status === 'completed') this.#completed()
  }

  /** What no model has said by now, code says. */
  #waitedEnough({ message, taken, waitsFor }: OpenTurn): void {
    const asked = this.#state.asked.find(({ turn }) => turn === message.turn)
    if (waitsFor === 'verdict' && asked) this.#unread(message, taken, asked.without)
    else if (waitsFor === 'reply') this.#endInCode(message, taken)
    else this.#end(message, taken, null)
  }

  /** Verdicts that cannot count any more are not waited for: too old, on a problem left behind, or on a turn that stands. */
  #forget(): void {
    const { progress, asked } = this.#state
    const counts = (message: AskedMessage): boolean => {
      if (this.#waitingFor(message)) return true
      if (progress.status === 'completed' || message.problemIndex !== progress.index) return false
      if (message.verdict === null && expiresAt(message) <= this.#at) return false
      return progress.unjudged.some(({ turn }) => turn === message.turn)
    }
    const kept = asked.filter(counts)
    const unjudged = progress.unjudged.filter(({ turn }) =>
      kept.some((message) => message.turn === turn),
    )
    if (kept.length === asked.length && unjudged.length === progress.unjudged.length) return
    this.#change({ asked: kept, progress: { ...progress, unjudged } })
  }

  #apply(event: PracticeEvent): Turn | null {
    const { state: progress, turn } = next(this.#state.progress, event)
    this.#change({ progress })
    return turn
  }

  #change(changes: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...changes }
  }
}

/** A message with what is needed to read it. */
export function messageToRead(
  { problems, isOfArc }: Pick<Practice, 'problems' | 'isOfArc'>,
  { text, mode, invited, problemIndex, smaller }: TakenMessage,
): MessageToRead {
  const problem = problems[problemIndex]
  return {
    text,
    mode,
    invited,
    problem: problem ? { text: problem.text, key: keyOfProblem(problem) } : null,
    scaffold: smaller && {
      question: smaller.question,
      key: smaller.key ?? keyOf(smaller.expected),
    },
    showsSolution: isOfArc && (problem?.help?.solution ?? null) !== null,
  }
}
