import { setTimeout as sleep } from 'node:timers/promises'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import type { AnswerKey } from '../../src/domain/answers/answer-key.ts'
import { type ArcPhase, ForbiddenMove, moveTo } from '../../src/domain/arc/phase.ts'
import type { MenoProcess } from '../support/meno-process.ts'
import type { Journey } from '../support/scripted-learner.ts'
import type { RecordedCall } from '../support/scripted-model.ts'

/** A learner who knows the answers: they are read where the teacher keeps them. */
export function knowingAnswers(meno: MenoProcess) {
  return async ({ id }: PendingQuestion): Promise<string> => {
    const [row] = await meno.rows<{ answer_key: AnswerKey }>(
      'select answer_key from arc_questions where id = $1',
      [id],
    )
    if (!row) throw new Error(`no question ${id}`)
    return inWords(row.answer_key)
  }
}

function inWords(key: AnswerKey): string {
  switch (key.type) {
    case 'choice':
      return key.correct
    case 'set':
      return key.values.join(', ')
    case 'text':
      return key.accepted[0] ?? ''
    default:
      return key.value
  }
}

/**
 * What is wrong with the record of an arc, as sentences: a message lost or doubled, a response stored twice or not at
 * all, a phase out of order, an event missing. None for an arc that kept its place.
 */
export async function faultsOfRecord(meno: MenoProcess, journey: Journey): Promise<string[]> {
  return [
    ...(await faultsOfMessages(meno, journey)),
    ...(await faultsOfResponses(meno, journey.arcId)),
    ...(await faultsOfEvents(meno, journey.arcId)),
  ]
}

async function faultsOfMessages(meno: MenoProcess, { arcId, sent }: Journey): Promise<string[]> {
  const faults: string[] = []
  const rows = await meno.rows<{
    id: string
    role: string
    text: string
    turn: number | null
    taken: boolean
  }>(
    `select message.id, role, text, turn, taken_at is not null and failure is null as taken
     from arc_messages message left join inbox on entity_id = arc_id and inbox.id = message.id
     where arc_id = $1 order by message.position`,
    [arcId],
  )
  const learners = rows.filter(({ role }) => role === 'learner')
  for (const { messageId, text, status } of sent) {
    const found = learners.filter(({ id }) => id === messageId)
    // What is said to an arc that is over is refused, and said so.
    const wanted = status === 409 ? 0 : 1
    if (found.length !== wanted) {
      faults.push(`message "${text}" (${status}) is ${found.length} times in the transcript`)
    }
    if (found.some((row) => row.text !== text)) faults.push(`message "${text}" was changed`)
  }
  if (learners.length > sent.length) faults.push('the transcript has messages nobody sent')
  for (const { text, taken } of learners) if (!taken) faults.push(`message "${text}" was not taken`)
  const told = new Set<string>()
  for (const { role, turn, text } of rows) {
    if (role === 'learner') continue
    const telling = `${turn}: ${text}`
    if (told.has(telling)) faults.push(`told twice in turn ${telling}`)
    told.add(telling)
  }
  return faults
}

/** Every quiz and review question that was graded has one response, every probe at most one. */
async function faultsOfResponses(meno: MenoProcess, arcId: string): Promise<string[]> {
  const rows = await meno.rows<{ kind: string; text: string; graded: boolean; responses: number }>(
    `select kind, text, quality is not null as graded,
            (select count(*)::int from quiz_responses where question_id = question.id) as responses
     from arc_questions question where arc_id = $1`,
    [arcId],
  )
  const faults = rows.flatMap(({ kind, text, graded, responses }) => {
    const least = graded && (kind === 'quiz' || kind === 'review') ? 1 : 0
    const most = graded && kind !== 'teach' ? 1 : 0
    if (responses >= least && responses <= most) return []
    return [`${kind} question "${text}" (graded: ${graded}) has ${responses} responses`]
  })
  const [nameless] = await meno.rows<{ count: number }>(
    // What the course tutor has graded comes as an input, and has no question of the arc.
    `select count(*)::int - (
       select count(*)::int from inbox where entity_id = $1 and type = 'side-response') as count
     from quiz_responses where session_id = $1 and question_id is null`,
    [arcId],
  )
  if (nameless?.count !== 0) faults.push(`${nameless?.count} responses have no question`)
  return faults
}

async function faultsOfEvents(meno: MenoProcess, arcId: string): Promise<string[]> {
  const faults: string[] = []
  const events = await meno.rows<{ seq: number; type: string; data: { phase: ArcPhase } }>(
    'select seq::int, type, data from events where stream = $1 order by seq',
    [arcId],
  )
  const [arc] = await meno.rows<{ last_event: number; phase: ArcPhase }>(
    'select last_event, phase from arcs join entities using (id) where id = $1',
    [arcId],
  )
  if (events.some(({ seq }, index) => seq !== index + 1)) faults.push('events have gaps')
  if (events.length !== arc?.last_event) {
    faults.push(`${events.length} events, and the arc counts ${arc?.last_event}`)
  }
  let phase: ArcPhase = 'PENDING'
  for (const { type, data } of events) {
    if (type !== 'phase') continue
    try {
      phase = moveTo(phase, data.phase)
    } catch (error) {
      if (!(error instanceof ForbiddenMove)) throw error
      faults.push(error.message)
      phase = data.phase
    }
  }
  if (phase !== arc?.phase) faults.push(`events end in ${phase}, the arc is ${arc?.phase}`)
  return faults
}

/** An arc that is over still says where to go from there. */
export async function untilTurnEnded(meno: MenoProcess, arcId: string): Promise<void> {
  const ended = `select 1 from entities where id = $1 and is_over and state->>'openTurn' is null`
  while ((await meno.rows(ended, [arcId])).length === 0) await sleep(100)
}

/** Step kinds that the scripted model knows by another name. */
const STEP_OF_KIND: Record<string, string> = {
  probe: 'question',
  review: 'question',
  'practice-verdict': 'other',
  'practice-reply': 'help',
  'course-turn': 'other',
  'course-drill-grade': 'other',
}

export interface CallsOfRecord {
  faults: string[]
  /** Model steps in the record; each was paid for once. */
  recorded: number
  /** Calls that were broken off, or answered and not yet recorded, when something was killed: asked again. */
  unrecorded: number
}

/**
 * Holds the calls that reached the model against the steps in the record: each step was returned by
 * one call, and nothing that was on record was asked for again.
 */
export async function callsOfRecord(
  meno: MenoProcess,
  calls: readonly RecordedCall[],
): Promise<CallsOfRecord> {
  const steps = await meno.rows<{ step_key: string; kind: string; at: Date }>(
    `select step_key, kind, created_at as at from model_steps where model <> 'offline' order by created_at`,
  )
  const faults: string[] = []
  const owner = new Map<RecordedCall, { key: string; recordedAt: number }>()
  for (const { step_key: key, kind, at } of steps) {
    const name = STEP_OF_KIND[kind] ?? kind
    const call = calls.findLast(
      (candidate) =>
        candidate.step === name &&
        !owner.has(candidate) &&
        (candidate.answeredAt ?? Number.POSITIVE_INFINITY) <= at.getTime() + CLOCK_MS,
    )
    if (call) owner.set(call, { key, recordedAt: at.getTime() })
    else faults.push(`step ${key} was recorded without a call`)
  }
  const rest = calls.filter((call) => !owner.has(call))
  for (const call of rest) {
    const paid = [...owner].find(
      ([other, { recordedAt }]) =>
        promptOf(other) === promptOf(call) && call.startedAt > recordedAt + CLOCK_MS,
    )
    if (paid) faults.push(`${call.step} was asked for again after ${paid[1].key} was recorded`)
  }
  return { faults, recorded: steps.length, unrecorded: rest.length }
}

/** Both clocks are this machine's; they are read a moment apart. */
const CLOCK_MS = 5

const promptOf = ({ step, messages }: RecordedCall) =>
  `${step} ${messages.map(({ text }) => text).join('\n')}`
