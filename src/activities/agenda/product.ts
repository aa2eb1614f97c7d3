import type { Course } from '../../contracts/course-pack.ts'
import { decide, digestKey, stepKey, wakeAt } from '../../domain/agenda/decide.ts'
import {
  AGENDA_VERSION,
  type Agenda,
  type AgendaEffect,
  type AgendaState,
  newAgenda,
} from '../../domain/agenda/state.ts'
import { StudyCalendar } from '../../domain/agenda/study-calendar.ts'
import type { WantedStep } from '../../domain/spine/decision.ts'
import { agendaFacts, factReads } from '../../store/agenda/facts.ts'
import { agendaStatements, type WordedEffect } from '../../store/agenda/outbox.ts'
import { weekOf, weekReads } from '../../store/agenda/week.ts'
import { type Db, queryTogether } from '../../store/database.ts'
import { ask, type Live, type Mind, TutorFailure } from '../../tutor/mind.ts'
import { digestOf, noticeOf } from '../../tutor/notices.ts'
import { digestWords } from '../../tutor/steps/agenda/digest.ts'
import type { Product, Thought } from '../spine/product.ts'
import { type SendingDependencies, sendNudge, type Target, withdrawNudge } from './sending.ts'

/** A channel has so long for one try. */
const SEND_MS = 30_000
/** A model is asked twice at most, within its deadline. */
const WORDS_MS = 60_000
/** One that died in the middle is found out about by the next; more would be a fault of the channel. */
const ATTEMPTS = 3

export interface AgendaDependencies extends SendingDependencies {
  courses: readonly Pick<Course, 'courseId' | 'title' | 'units'>[]
  /** What words the digest; null: it has its lists alone. */
  mind: Mind | null
  /** The length of one day in milliseconds. */
  dayMs: number
}

/** The agendas of learners on the spine: one each, under the learner's id. */
export function agendaProduct(dependencies: AgendaDependencies): Product<Agenda, AgendaEffect> {
  const { db, channels, courses, dayMs, mind } = dependencies
  const abilities = channels.map(({ name, withdraw }) => ({
    channel: name,
    withdraws: withdraw !== undefined,
  }))
  return {
    name: 'agenda',
    version: AGENDA_VERSION,

    reads: factReads,

    loaded({ state }, rows, at) {
      const facts = agendaFacts(rows, courses)
      if (!facts) return null
      const calendar = new StudyCalendar(facts.times, dayMs)
      const stored = state as AgendaState | null
      // An agenda of before there were such nudges does not call for what has been open for long.
      const known = { toldExams: facts.exams.map(({ key }) => key) }
      return {
        ...{ facts, calendar, dayMs, abilities },
        state: stored ? { ...known, ...stored } : newAgenda(at),
      }
    },

    decide,
    admits: () => true,

    position: (agenda, at) => ({
      state: agenda.state,
      think: stepsOf(agenda, mind).map(({ step }) => step),
      wakeAt: wakeAt(agenda, at),
      over: false,
      view: {
        phase: agenda.state.nudges.some(({ over }) => over === null) ? 'NUDGED' : 'QUIET',
        attributes: {},
        details: detailsOf(agenda, at),
        query: null,
      },
    }),

    statements: (_, { facts }, effects) =>
      agendaStatements(db, facts.learnerId, effects.map(worded)),

    row: () => [],

    told: (_, effects) => ({
      events: effects.flatMap((effect) => {
        if (effect.type === 'over') return [{ type: 'nudge-over', data: { id: effect.nudgeId } }]
        if (effect.type !== 'nudge') return []
        const expiresAt = new Date(effect.expiresAt).toISOString()
        return [{ type: 'nudge', data: { ...noticeOf(effect), expiresAt } }]
      }),
      answered: effects.flatMap((effect) =>
        effect.type === 'answered' ? [{ id: effect.inputId }] : [],
      ),
      sent: [],
      logs: effects.flatMap((effect) =>
        effect.type === 'delivery' && effect.status === 'uncertain'
          ? [{ message: 'nobody knows whether a nudge was taken', data: { ...effect } }]
          : [],
      ),
    }),

    isAnsweredHere: (_, key) => mind === null && isDigest(key),

    async answerHere({ facts, state }, _, transaction) {
      if (state.digesting === null) return null
      const rows = await transaction.read(...weekReads(db, facts.learnerId, state.digesting))
      return digestOf(weekOf(rows as unknown[][]), facts.language)
    },

    async ask(agenda, key, live) {
      if (isDigest(key)) return wordedDigest(db, mind, agenda, live)
      const { signal } = live
      const { target, withdraws } = stepOf(agenda, key)
      const run = withdraws ? withdrawNudge : sendNudge
      return { ...FREE, output: await run(dependencies, target, signal) }
    },

    describeStep(agenda, key) {
      if (isDigest(key)) return { kind: 'digest', input: { week: agenda.state.digesting } }
      const { target, withdraws } = stepOf(agenda, key)
      const { nudgeId, channel } = target
      return { kind: withdraws ? 'nudge-withdraw' : 'nudge-send', input: { nudgeId, channel } }
    },

    // A learner misses a nudge, and finds on the page what is due; operators hear of the fault.
    tellFault: () => [],
    tellSetAside: () => [],
  }
}

const FREE: Omit<Thought, 'output'> = { model: 'none', inputTokens: 0, outputTokens: 0 }

const worded = (effect: AgendaEffect): WordedEffect =>
  effect.type === 'nudge' ? { ...effect, notice: noticeOf(effect) } : effect

interface AgendaStep {
  step: WantedStep
  target: Target
  withdraws: boolean
}

/** What is to be sent, taken back or composed now. */
function stepsOf({ state, facts }: Agenda, mind: Mind | null): { step: WantedStep }[] {
  const sending = deliverySteps({ state, facts })
  if (state.digesting === null) return sending
  const step = stepNamed(digestKey(facts.learnerId, state.digesting), 'digest of the week')
  return [
    { step: mind ? { ...step, queue: 'meno-llm', startToCloseMs: WORDS_MS } : step },
    ...sending,
  ]
}

const isDigest = (key: string): boolean => key.startsWith('digest/')

/**
 * The digest with a paragraph of the model's above its lists; without it where the model is away or does not hold to the
 * facts: what was counted waits for nobody's words.
 */
async function wordedDigest(
  db: Db,
  mind: Mind | null,
  { facts, state }: Agenda,
  live: Live,
): Promise<Thought> {
  if (state.digesting === null) return { ...FREE, output: null }
  const { language, learnerId } = facts
  const rows = await queryTogether(db, ...weekReads(db, learnerId, state.digesting))
  const week = weekOf(rows)
  const digest = digestOf(week, language)
  if (!digest || !mind) return { ...FREE, output: digest }
  try {
    const { output, ...thought } = await ask(mind, digestWords, { week, language }, live)
    return { ...thought, output: output.body === null ? digest : { ...digest, body: output.body } }
  } catch (error) {
    if (!(error instanceof TutorFailure)) throw error
    return { ...FREE, ...error.spent, output: digest }
  }
}

const deliverySteps = ({ state, facts }: Pick<Agenda, 'state' | 'facts'>): AgendaStep[] =>
  state.nudges.flatMap((nudge) =>
    nudge.deliveries.flatMap((delivery) => {
      const key = stepKey(nudge, delivery)
      if (key === null) return []
      const { channelId, channel } = delivery
      const withdraws = delivery.status === 'withdrawing'
      return [
        {
          step: stepNamed(key, `${withdraws ? 'take back' : 'send'}: ${nudge.kind}, ${channel}`),
          target: { learnerId: facts.learnerId, nudgeId: nudge.id, channelId, channel },
          withdraws,
        },
      ]
    }),
  )

const stepNamed = (key: string, label: string): WantedStep => ({
  ...{ key, label },
  queue: 'meno',
  startToCloseMs: SEND_MS,
  attempts: ATTEMPTS,
})

function stepOf(agenda: Agenda, key: string): AgendaStep {
  const found = deliverySteps(agenda).find(({ step }) => step.key === key)
  if (!found) throw new Error(`the agenda does not want ${key}`)
  return found
}

/** What an operator sees in the Temporal UI: counts and dates, nothing that a learner wrote. */
function detailsOf({ facts, state }: Agenda, at: number): string {
  const due = facts.reviews.filter(({ dueAt }) => dueAt <= at).length
  const out = state.nudges.filter(({ over }) => over === null).length
  return [
    `**${due}** due of ${facts.reviews.length} to come`,
    `**${out}** out, ${state.ignored.count} ignored in a row`,
  ].join('\n\n')
}
