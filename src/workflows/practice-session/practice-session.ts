import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { PracticeInput } from '../../contracts/practice-messages.ts'
import { wakeAt } from '../../domain/practice/clock.ts'
import { Desk, type Request } from './desk.ts'
import { ModelSteps } from './model-steps.ts'
import { arc, delivery, store } from './proxies.ts'
import { Session, Superseded } from './session.ts'

const MAX_EVENTS = 2_000
/** A report that could not be delivered for so long is given up. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000

/**
 * The life of one practice session (seed 002): turns one at a time, the clock between them, the report at the end. It
 * begins from what the store holds, whether for the first time, after continue-as-new, or to deliver a report again.
 */
export async function practiceSession({ sessionId }: PracticeInput): Promise<void> {
  const desk = new Desk()
  let arcId: string | null = null
  for (;;) {
    const loaded = await store.loadPractice({ sessionId })
    if (!loaded) break
    arcId = loaded.arcId ?? null
    const life = new Life(new Session(loaded), desk)
    try {
      await life.live()
      break
    } catch (error) {
      if (!(error instanceof Superseded)) throw error
      life.putBack()
    }
  }
  desk.close()
  if (arcId !== null) {
    await arc.tellArc.executeWithOptions({ summary: 'outcome to the arc' }, [{ sessionId }])
  }
  await deliver(sessionId, desk)
  await condition(allHandlersFinished)
}

/** One run of a session from the moment it is loaded. */
class Life {
  readonly #session: Session
  readonly #desk: Desk
  readonly #steps = new ModelSteps()
  #request: Request | null = null
  #alarm: { at: number; scope: CancellationScope } | null = null

  constructor(session: Session, desk: Desk) {
    this.#session = session
    this.#desk = desk
  }

  /** A turn that was superseded is done again from what the store holds. */
  putBack(): void {
    this.#steps.stop()
    this.#alarm?.scope.cancel()
    if (this.#request) this.#desk.putBack(this.#request)
  }

  async live(): Promise<void> {
    const session = this.#session
    for (const { messageId, problemIndex } of session.state.unjudged) {
      const view = { ...session.view(messageId), problemIndex }
      this.#steps.resume(view, session.state.memory)
    }
    while (!session.isOver) {
      this.#request = this.#desk.take()
      if (this.#request) await this.#takeUp(this.#request)
      else await this.#wait()
    }
    this.#steps.stop()
    this.#alarm?.scope.cancel()
  }

  async #takeUp(request: Request): Promise<void> {
    if (request.type === 'complete') {
      this.#session.apply({ type: 'complete', at: Date.now() })
      await this.#session.commit('complete')
      request.outcome = 'answered'
    } else if (request.messageId !== null) {
      request.outcome = await this.#turn(request.messageId)
    }
    this.#request = null
  }

  async #turn(messageId: string): Promise<'answered' | 'closed'> {
    const session = this.#session
    const began = Date.now()
    await this.#applyLateVerdicts()
    if (!session.isOver) {
      const view = session.view(messageId)
      const read = await store.readPracticeMessage(view)
      if (read.taken) return 'answered'
      const { at, appends } = read
      if (appends !== null) session.apply({ type: 'append', at, problemId: appends })
      await this.#classified(messageId, read, began)
    }
    await session.commit(`message ${messageId}`, messageId)
    return 'answered'
  }

  /** Verdicts that have come in since are applied first, each with the time of its message. */
  async #applyLateVerdicts(): Promise<void> {
    const session = this.#session
    for (const { messageId } of [...session.state.unjudged]) {
      const { sessionId } = session
      const classification = await store.readLateVerdict({ sessionId, messageId })
      if (classification) session.apply({ type: 'late', messageId, classification }, 'model')
    }
  }

  async #classified(
    messageId: string,
    read: Extract<Awaited<ReturnType<typeof store.readPracticeMessage>>, { taken: false }>,
    began: number,
  ): Promise<void> {
    const session = this.#session
    const view = session.view(messageId)
    const { memory } = session.state
    const needsModel = read.by === 'model' && session.hasModel
    const verdict = needsModel ? await this.#steps.classify(view, memory) : null
    const classification = verdict ?? read.classification
    const byCode = classification.category === 'unjudged' ? 'nobody' : 'code'
    const judgedBy = verdict ? 'model' : byCode
    const { at } = read
    const turn = session.apply({ type: 'message', at, messageId, classification }, judgedBy)
    if (!turn) return
    if (!session.hasModel) this.#forget(messageId)
    if (!session.hasModel || turn.category === 'unjudged') return
    const nextIndex = session.state.index
    const own = { ...view, problemIndex: turn.problemIndex ?? view.problemIndex }
    const reply = await this.#steps.reply({ view: own, memory, turn, nextIndex }, began)
    if (reply) session.replied(reply)
  }

  /** Without a model no verdict will ever come. */
  #forget(messageId: string): void {
    const { state } = this.#session
    state.unjudged = state.unjudged.filter((unjudged) => unjudged.messageId !== messageId)
  }

  /** Waits for a message, or for the next moment the clock matters. */
  async #wait(): Promise<void> {
    const session = this.#session
    const wanted = () => this.#desk.size > 0
    const { historyLength, continueAsNewSuggested } = workflowInfo()
    if (continueAsNewSuggested || historyLength > MAX_EVENTS) {
      await condition(allHandlersFinished)
      if (wanted()) return
      await continueAsNew<typeof practiceSession>({ sessionId: session.sessionId })
    }
    const until = wakeAt(session.state)
    if (until !== null) this.#setAlarm(until)
    await condition(() => wanted() || (until !== null && this.#alarm === null))
    if (wanted() || until === null || Date.now() < until) return
    session.apply({ type: 'clock', at: Date.now() })
    await session.commit(`clock ${until}`)
  }

  /** One that is set for earlier stays: what it wakes for is looked at again, and turns need no timer each. */
  #setAlarm(until: number): void {
    if (this.#alarm !== null && this.#alarm.at <= until) return
    this.#alarm?.scope.cancel()
    const scope = new CancellationScope()
    const alarm = { at: until, scope }
    this.#alarm = alarm
    const delay = Math.max(1, until - Date.now())
    scope
      .run(() => sleep(delay, { summary: 'until the clock matters' }))
      .then(
        () => {
          if (this.#alarm === alarm) this.#alarm = null
        },
        () => {},
      )
  }
}

/** Sends a completed session's report until it is delivered, or given up; asked to send it again, it begins at once. */
async function deliver(sessionId: string, desk: Desk): Promise<void> {
  for (;;) {
    const loaded = await store.loadPractice({ sessionId })
    const since = loaded?.deliverySince ?? null
    if (loaded?.delivery !== 'pending' || since === null) return
    const outcome = await tryToDeliver(sessionId, desk, since)
    if (outcome !== 'asked again') await store.settleDelivery({ sessionId, since, outcome })
  }
}

async function tryToDeliver(
  sessionId: string,
  desk: Desk,
  since: number,
): Promise<'delivered' | 'given_up' | 'asked again'> {
  const options = {
    scheduleToCloseTimeout: Math.max(1_000, since + GIVE_UP_AFTER_MS - Date.now()),
    summary: 'report to the LMS',
  }
  const scope = new CancellationScope()
  let outcome: 'delivered' | 'given_up' | null = null
  scope
    .run(() => delivery.deliverReport.executeWithOptions(options, [{ sessionId }]))
    .then(
      () => {
        outcome = 'delivered'
      },
      () => {
        outcome = 'given_up'
      },
    )
  await condition(() => outcome !== null || desk.resendSince > since)
  if (outcome !== null) return outcome
  scope.cancel()
  await condition(() => outcome !== null)
  return outcome === 'delivered' ? 'delivered' : 'asked again'
}
