import { setCurrentDetails } from '@temporalio/workflow'
import type { LoadedPractice, TakenTurn } from '../../domain/practice/commit.ts'
import type { MessageView } from '../../domain/practice/message-view.ts'
import { next } from '../../domain/practice/next.ts'
import { currentProblem, modeOf, type PracticeState } from '../../domain/practice/session.ts'
import type { PracticeEvent, Turn } from '../../domain/practice/turn.ts'
import { store } from './proxies.ts'

/** Thrown when the store holds another generation than this workflow thought: load and go on from there. */
export class Superseded extends Error {}

/** A session in the hands of its workflow: its state, and what the next commit will write. */
export class Session {
  readonly sessionId: string
  readonly hasModel: boolean
  state: PracticeState
  #generation: number
  #turns: TakenTurn[] = []
  #appends = false

  constructor({ sessionId, tutor, state, generation }: LoadedPractice) {
    this.sessionId = sessionId
    this.hasModel = tutor === 'anthropic'
    this.state = state
    this.#generation = generation
    this.#show()
  }

  get isOver(): boolean {
    return this.state.status === 'completed'
  }

  /** How a message is to be read now. */
  view(messageId: string): MessageView {
    const { state, sessionId } = this
    return {
      sessionId,
      messageId,
      mode: modeOf(state),
      invited: state.invited !== null,
      problemIndex: state.index,
      asked: currentProblem(state)?.scaffolding.asked ?? false,
    }
  }

  /** Lets the rules decide; a turn is written with the next commit. */
  apply(event: PracticeEvent, judgedBy: TakenTurn['judgedBy'] = 'code'): Turn | null {
    const { state, turn } = next(this.state, event)
    this.state = state
    if (event.type === 'append') this.#appends = true
    if (turn) this.#turns.push({ turn, judgedBy, replyStep: null })
    return turn
  }

  /** The reply of the turn that was taken last. */
  replied(reply: { key: string; asks: boolean }): void {
    const taken = this.#turns.at(-1)
    if (!taken) return
    taken.replyStep = reply.key
    const problem = this.state.problems[taken.turn.problemIndex ?? -1]
    if (problem?.scaffolding.active && reply.asks) problem.scaffolding.asked = true
  }

  /**
   * Writes everything since the last commit in one transaction.
   * @param messageId the message whose turn this is, for a turn
   * @throws {Superseded} when the store has gone on without this workflow
   */
  async commit(cause: string, messageId: string | null = null): Promise<void> {
    const generation = this.#generation + 1
    const outcome = await store.commitPractice({
      sessionId: this.sessionId,
      generation,
      key: cause,
      at: Date.now(),
      state: this.state,
      turns: this.#turns,
      messageId,
      appends: this.#appends,
    })
    // What was stored before a crash counts, its times above all: it is loaded like another's write.
    if (outcome !== 'written') throw new Superseded()
    this.#generation = generation
    this.#turns = []
    this.#appends = false
    this.#show()
  }

  /** The session as a person would want to read it in the Temporal UI. */
  #show(): void {
    const { state } = this
    const problem = currentProblem(state)
    const lines = [
      `**${state.status}**, problem ${Math.min(state.index + 1, state.problems.length)} of ${state.problems.length}`,
      '',
      `- Turns: ${state.turns}, attempts at this problem: ${problem?.attempts ?? 0}`,
      `- Mode: ${modeOf(state)}, scaffolding depth ${problem?.scaffolding.depth ?? 0}`,
      `- Signal: ${problem?.signal ?? 'none'}`,
    ]
    setCurrentDetails(lines.join('\n'))
  }
}
