import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ArcMessage, ArcView, PendingQuestion } from '../../../src/contracts/arc.ts'
import { beginArc, patiently } from '../../support/scripted-learner.ts'
import { rightAnswer, wrongAnswer } from '../../support/scripted-world.ts'
import type { ArcKind, Cell } from './cells.ts'
import {
  faultOfText,
  neverStruck,
  rowsOf,
  TOLD_WITHIN_MS,
  type Trial,
  until,
  type WireWorld,
} from './trial.ts'

const REACHED_WITHIN_S = 240
const BY_ITSELF_WITHIN_S = 150
/** Who is to wait longer than this for the arc to try again says something meanwhile. */
const PATIENCE_MS = 60_000
const AFTER_A_MESSAGE_S = 60
/** A day is a second here. */
const SETTINGS = { learningSteps: [0.5, 2] }
const DIAGNOSED: string[] = ['inventory', 'probe', 'summary'] satisfies ArcKind[]

interface Said {
  messageId: string
  questionId: string
  text: string
  status: number
}

/** Lives an arc up to the step of its cell, through the fault, and on. */
export async function tryArc(world: WireWorld, cell: Cell): Promise<Trial & { id: string }> {
  const settings = { ...SETTINGS, skipDiagnosis: !DIAGNOSED.includes(cell.kind) }
  const arcId = await beginArc(world.url, { topic: cell.mark, settings })
  const learner = new ArcLearner(world, cell, arcId)
  const isStruck = await learner.reach()
  const trial = isStruck ? await learner.goOn() : neverStruck(cell)
  return { ...trial, id: arcId }
}

class ArcLearner {
  readonly #world: WireWorld
  readonly #cell: Cell
  readonly #arcId: string
  readonly #said: Said[] = []
  /** Whether that was done which the step needs, once. */
  #isDone = false

  constructor(world: WireWorld, cell: Cell, arcId: string) {
    this.#world = world
    this.#cell = cell
    this.#arcId = arcId
    cell.armed = !/again$/.test(cell.kind)
  }

  /** Answers whatever is asked, and does what its step needs, until the step was struck. */
  async reach(): Promise<boolean> {
    const deadline = Date.now() + REACHED_WITHIN_S * 1_000
    while (this.#cell.struck === 0 && Date.now() < deadline) {
      const arc = await this.#view()
      const { pendingQuestion: question, phase } = arc
      if (phase === 'COMPLETED') {
        await pause(1_000)
        break
      }
      if (!question) await pause(300)
      else if (!(await this.#does(arc, question))) await this.#answer(question)
    }
    return this.#cell.struck > 0
  }

  /** Waits for what the learner is told and for the arc to go on; then one more exchange. */
  async goOn(): Promise<Trial> {
    const faults: string[] = []
    const struckAt = this.#cell.firstStruckAt ?? Number.NaN
    // At its end an arc has said so before it asks what could come after.
    const since = this.#cell.kind === 'parting' ? struckAt - TOLD_WITHIN_MS : struckAt
    const told = await until(2 * (TOLD_WITHIN_MS / 1_000), () => this.#toldSince(since))
    let wentOn: Trial['wentOn'] = (await this.#recovers()) ? 'by itself' : 'no'
    if (wentOn === 'no') {
      await this.#say('Are you there?', null, 0)
      const isWell = await until(AFTER_A_MESSAGE_S, () => this.#isWell())
      if (isWell) wentOn = 'at the next message'
    }
    const text = told && faultOfText(told.text)
    if (text) faults.push(text)
    if (wentOn !== 'no') faults.push(...(await this.#oneMoreExchange()))
    faults.push(...(await this.#faultsOfMessages()))
    return { toldMs: told ? Math.max(0, told.at - struckAt) : null, wentOn, faults }
  }

  /** Whether it goes on by itself, before the learner's patience is at an end. */
  async #recovers(): Promise<boolean> {
    const found = await until(BY_ITSELF_WITHIN_S, async () => {
      if (await this.#isWell()) return 'well'
      const { blocked } = await this.#view()
      return blocked && Date.parse(blocked.retryAt) - Date.now() > PATIENCE_MS && 'held up'
    })
    return found === 'well'
  }

  /** What brings the step about, where answering does not: true where something was done at this look. */
  async #does({ phase }: ArcView, question: PendingQuestion): Promise<boolean> {
    if (this.#isDone) return false
    const isTaught = question.kind === 'teach' && phase === 'TEACHING'
    switch (this.#cell.kind as ArcKind) {
      case 'route':
      case 'help':
        if (!isTaught) return false
        await this.#say('Why would anybody need that?', question.id)
        break
      case 'help again':
        if (!isTaught) return false
        await this.#say('Why would anybody need that?', question.id, 20)
        await this.#writeAgain()
        break
      case 'lesson again':
        if (!isTaught) return false
        await this.#writeAgain()
        break
      case 'path':
        if (!isTaught) return false
        await this.#say('what comes next', question.id)
        break
      case 'replan':
        if (!isTaught) return false
        await this.#post('replan', { reason: 'It is too hard.' })
        break
      case 'regrade': {
        if (!(await this.#hasModelGrade())) return false
        await this.#say('', null, 5, 'contest')
        return true
      }
      default:
        return false
    }
    this.#isDone = true
    await pause(1_000)
    return true
  }

  async #writeAgain(): Promise<void> {
    this.#cell.armed = true
    const { items } = (await this.#get('/messages')) as { items: ArcMessage[] }
    const written = await rowsOf<{ id: string }>(
      this.#world,
      `select id from arc_messages where arc_id = $1 and step_key is not null
       order by position desc limit 1`,
      [this.#arcId],
    )
    const message = items.find(({ id }) => id === written[0]?.id)
    if (message) await this.#post('regenerate', { messageId: message.id })
  }

  async #hasModelGrade(): Promise<boolean> {
    const [row] = await rowsOf(
      this.#world,
      `select 1 from entities where id = $1 and state->'lastGrade'->>'judgedBy' = 'model'`,
      [this.#arcId],
    )
    return row !== undefined
  }

  #answer(question: PendingQuestion): Promise<number> {
    const { kind } = this.#cell
    // Feedback comes of a quiz that was not passed; who is right has nothing to contest.
    const errs = (kind === 'feedback' || kind === 'regrade') && question.kind === 'quiz'
    const text = errs ? wrongAnswer(question.text) : rightAnswer(question.text)
    return this.#say(text, question.id)
  }

  async #say(text: string, questionId: string | null, waitS = 5, action?: string): Promise<number> {
    const messageId = randomUUID()
    const sent = {
      messageId,
      ...(text ? { text } : {}),
      ...(questionId ? { questionId } : {}),
      ...(action ? { action } : {}),
    }
    const { status } = await patiently(this.#world.url, `/api/arcs/${this.#arcId}/messages`, {
      method: 'POST',
      body: JSON.stringify(sent),
      headers: { prefer: `wait=${waitS}` },
    })
    this.#said.push({ messageId, questionId: questionId ?? '', text, status })
    return status
  }

  #post(path: string, body: object) {
    const init = { method: 'POST', body: JSON.stringify(body) }
    return patiently(this.#world.url, `/api/arcs/${this.#arcId}/${path}`, init)
  }

  async #get(path: string): Promise<unknown> {
    return (await patiently(this.#world.url, `/api/arcs/${this.#arcId}${path}`)).body
  }

  #view = async () => (await this.#get('')) as ArcView

  /** The first thing the learner was told since then. */
  async #toldSince(since: number): Promise<{ at: number; text: string } | null> {
    const [row] = await rowsOf<{ at: Date; text: string }>(
      this.#world,
      `select created_at as at, data->>'text' as text from events
       where stream = $1 and type = 'message' and data->>'role' <> 'learner' and created_at >= $2
       order by seq limit 1`,
      [this.#arcId, new Date(since)],
    )
    return row ? { at: row.at.getTime(), text: row.text } : null
  }

  /** Whether nothing holds it up and nothing is owed to the learner. */
  async #isWell(): Promise<boolean> {
    const [row] = await rowsOf(
      this.#world,
      `select 1 from entities where id = $1 and thinking_since is null and fault is null
         and jsonb_typeof(state->'blocked') = 'null' and state->'asking' = '[]'
         and state->>'openTurn' is null
         and not exists (select 1 from inbox where entity_id = $1
           and answered_at is null and withdrawn_at is null)`,
      [this.#arcId],
    )
    return row !== undefined
  }

  async #oneMoreExchange(): Promise<string[]> {
    const { phase, pendingQuestion: question } = await this.#view()
    if (phase === 'COMPLETED') return []
    const text = question ? rightAnswer(question.text) : 'Hello again.'
    const status = await this.#say(text, question?.id ?? null, 30)
    return status === 200 || status === 409 ? [] : [`the next message was answered with ${status}`]
  }

  /** Every message once, as it was said, taken up and answered. */
  async #faultsOfMessages(): Promise<string[]> {
    const rows = await rowsOf<{ id: string; text: string; answered: boolean; failure: string }>(
      this.#world,
      `select message.id, text, answered_at is not null as answered, failure
       from arc_messages message join inbox on entity_id = arc_id and inbox.id = message.id
       where arc_id = $1 and role = 'learner'`,
      [this.#arcId],
    )
    const lost = this.#said.filter(
      ({ messageId, status }) => status !== 409 && !rows.some(({ id }) => id === messageId),
    )
    return [
      ...lost.map(({ text }) => `the message "${text}" is lost`),
      ...rows.filter((row) => !row.answered).map(({ text }) => `"${text}" was not answered`),
      ...rows.flatMap(({ text, failure }) => (failure ? [`"${text}" failed: ${failure}`] : [])),
    ]
  }
}
