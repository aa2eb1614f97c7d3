import { condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow'
import type { ArcInput, FlowState } from '../../contracts/temporal.ts'
import { Arc, Superseded, type Work } from './arc.ts'
import { takeUpMessage } from './conversation.ts'
import { begin, diagnose } from './diagnosing.ts'
import { Inbox, type Request } from './inbox.ts'
import { flowState } from './messages.ts'
import { Abandoned, ModelSteps } from './model-steps.ts'
import { flowStateOf, showToOperator } from './operator-view.ts'
import { plan, replan } from './planning.ts'
import { takeUpOutcome } from './practising.ts'
import { store } from './proxies.ts'
import { regenerate } from './regenerating.ts'
import { review } from './reviewing.ts'
import { goOnTeaching, takeInHand } from './teaching.ts'

/** A run is rolled over at this many events, and before it sleeps for a day or more. */
const MAX_EVENTS = 2_000

/**
 * The life of one learning arc (seed 000 D3): diagnose, plan, teach, quiz, review, until the map is
 * mastered. It begins from what the store holds, whether for the first time, after continue-as-new,
 * or because everything but the store was lost.
 */
export async function learningArc({ arcId }: ArcInput): Promise<FlowState | null> {
  const inbox = new Inbox()
  let arc: Arc | null = null
  setHandler(flowState, () => {
    if (!arc) throw new Error('the arc is still loading')
    return flowStateOf(arc)
  })
  for (;;) {
    const loaded = await store.loadArc({ arcId })
    if (!loaded) return null
    arc = new Arc(loaded)
    showToOperator(arc)
    const life = new Life(arc, inbox)
    try {
      await life.live()
      return flowStateOf(arc)
    } catch (error) {
      if (!(error instanceof Superseded)) throw error
      life.putBack()
    }
  }
}

/** One run of an arc from the moment it is loaded. */
class Life {
  readonly #arc: Arc
  readonly #inbox: Inbox
  readonly #steps: ModelSteps
  #request: Request | null = null
  #inTurn = false
  #turns = 0

  constructor(arc: Arc, inbox: Inbox) {
    this.#arc = arc
    this.#inbox = inbox
    this.#steps = new ModelSteps(arc, inbox)
  }

  /** A turn that was superseded is done again from what the store holds. */
  putBack(): void {
    if (this.#request) this.#inbox.putBack(this.#request)
  }

  async live(): Promise<void> {
    const arc = this.#arc
    while (!arc.isOver) {
      if (this.#inbox.abandoned) await this.#abandon()
      else if (arc.flow.openTurn || this.#inbox.size > 0 || !arc.waits) await this.#turn()
      else await this.#wait()
    }
    await this.#leaveNothingBehind()
  }

  /** One turn: take up what was asked, then go on until the arc waits again; one commit at its end. */
  async #turn(): Promise<void> {
    const arc = this.#arc
    // A turn that was written in part before a crash is brought to its end before anything else.
    const request = arc.flow.openTurn ? null : this.#inbox.take()
    this.#request = request
    this.#inTurn = true
    this.#turns += 1
    const message = request?.type === 'message' ? request.message : null
    arc.beginTurn(causeOf(request), message?.messageId)
    try {
      if (request) await this.#takeUp(request)
      while (!arc.waits) {
        const going = this.#goOn()
        if (going) await going
      }
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error
      return
    }
    if (arc.flow.phase === 'REVIEWING' && !arc.flow.question && arc.closedQuestion) {
      arc.say({ phrase: 'sleeping', params: { at: arc.nextReviewAt, now: Date.now() } })
    }
    await this.#endTurn()
  }

  /** The turn is done: its message is answered, all that happened in it is stored. */
  async #endTurn(): Promise<void> {
    await this.#arc.endTurn()
    this.#request = null
    this.#inTurn = false
  }

  #takeUp(request: Request): Work {
    const arc = this.#arc
    arc.flow.blocked = null
    switch (request.type) {
      case 'message':
        return takeUpMessage(arc, this.#steps, request.message)
      case 'replan':
        return this.#replan(request.replan)
      case 'regenerate':
        return regenerate(arc, this.#steps, request.messageId)
      case 'practice-outcome':
        return takeUpOutcome(arc, request.sessionId)
      case 'review-now':
        return this.#reviewNow()
      case 'pause':
        arc.flow.paused = true
        return arc.say('paused')
      case 'resume':
        arc.flow.paused = false
        arc.say('resumed')
        return arc.putAgain()
    }
  }

  #goOn(): Work {
    const arc = this.#arc
    switch (arc.flow.phase) {
      case 'PENDING':
        return begin(arc)
      case 'DIAGNOSING':
        return diagnose(arc, this.#steps)
      case 'PLANNING':
        return arc.hasMap ? this.#next() : plan(arc, this.#steps)
      default:
        return this.#next()
    }
  }

  #next(): Work {
    const arc = this.#arc
    const { activity } = arc
    switch (activity.do) {
      case 'complete':
        return this.#complete()
      case 'review':
        return review(arc, this.#steps, activity.nodeIds)
      case 'teach':
        return takeInHand(arc, activity.nodeId)
      case 'go-on':
        return goOnTeaching(arc, this.#steps)
      case 'sleep':
        return arc.moveTo('REVIEWING')
    }
  }

  /** The map is mastered: said and stored at once, then where to go from here. */
  async #complete(): Promise<void> {
    const arc = this.#arc
    const mastered = arc.map.nodes.filter((node) => node.masteryStatus === 'mastered').length
    arc.setMap({ ...arc.map, status: 'completed' })
    arc.record({ type: 'map-status', status: 'completed' })
    arc.moveTo('COMPLETED')
    const params = { topic: arc.topic, mastered, total: arc.map.nodes.length }
    arc.say({ phrase: 'completed', params })
    await this.#arc.commit()
    const path = await this.#steps.tryOnce('path', 'completed', {}, 'what comes after')
    if (path) arc.say({ step: path.key, part: 'path_reasoning' })
  }

  async #replan(why: { reason?: string; goal?: string }): Promise<void> {
    const arc = this.#arc
    if (why.goal) arc.goal = why.goal
    if (!arc.hasMap) {
      if (arc.flow.phase !== 'PLANNING') arc.say('replan-early')
      return
    }
    const added = await replan(arc, this.#steps, {
      reason: why.reason ?? null,
      goal: why.goal ?? null,
      nodeId: null,
    })
    arc.say({ phrase: 'replan-done', params: { added } })
    arc.putAgain()
  }

  #reviewNow(): void {
    const arc = this.#arc
    arc.flow.paused = false
    if (arc.flow.question) arc.putAgain()
    else if (arc.hasMap && arc.activity.do === 'sleep') {
      arc.say({ phrase: 'nothing-due', params: { at: arc.nextReviewAt, now: Date.now() } })
    }
  }

  async #abandon(): Promise<void> {
    const arc = this.#arc
    // A turn that was broken off ends here, with what it had done so far.
    if (!this.#inTurn) arc.beginTurn('abandon')
    this.#inTurn = true
    arc.closeQuestion(null)
    arc.setLesson(null)
    arc.flow.blocked = null
    arc.record({ type: 'map-status', status: 'abandoned' })
    arc.moveTo('ABANDONED')
    arc.notify('abandoned')
    await this.#endTurn()
  }

  /** Waits for a message, or until a date: the next review, or the next try while something is blocked. */
  async #wait(): Promise<void> {
    const arc = this.#arc
    const { flow } = arc
    const wanted = () => this.#inbox.isWanted
    const until = this.#wakeAt()
    const sleepMs = until === null ? Number.POSITIVE_INFINITY : until - Date.now()
    const isLong = sleepMs >= arc.dayMs
    const tooLong =
      workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > MAX_EVENTS
    if (this.#turns > 0 && (tooLong || (isLong && !flow.question))) {
      if (!wanted()) await continueAsNew<typeof learningArc>({ arcId: arc.arcId })
      return
    }
    if (until === null) {
      await condition(wanted)
      return
    }
    const summary = flow.blocked ? 'until it is tried again' : `until the next review`
    await condition(wanted, Math.max(1, sleepMs), { summary })
    if (flow.blocked && Date.now() >= flow.blocked.retryAt) flow.blocked = null
  }

  #wakeAt(): number | null {
    const { flow, nextReviewAt } = this.#arc
    if (flow.blocked) return flow.blocked.retryAt
    if (flow.question || flow.paused) return null
    return nextReviewAt
  }

  /** Messages and outcomes that came too late are acknowledged, so that nobody waits for them. */
  async #leaveNothingBehind(): Promise<void> {
    for (let request = this.#inbox.take(); request; request = this.#inbox.take()) {
      if (request.type === 'practice-outcome') {
        this.#arc.beginTurn(causeOf(request))
        await takeUpOutcome(this.#arc, request.sessionId)
        await this.#arc.endTurn()
      }
      if (request.type !== 'message') continue
      this.#arc.beginTurn(causeOf(request), request.message.messageId)
      await this.#arc.endTurn()
    }
  }
}

/** What a turn answers to; told apart so that a repeated turn is known for the same. */
function causeOf(request: Request | null): string {
  switch (request?.type) {
    case undefined:
      return 'itself'
    case 'message':
      return `message ${request?.message.messageId}`
    case 'practice-outcome':
      return `practice ${request?.sessionId}`
    default:
      return request?.type ?? ''
  }
}
