import { sql } from 'kysely'
import type { Product, StepLife, Thought } from '../../src/activities/spine/product.ts'
import type { Input, WantedStep } from '../../src/domain/spine/decision.ts'
import type { Db } from '../../src/store/database.ts'

/**
 * The smallest product that has everything: a counter that is told what to do. Its types of input: `add {by}`, `want
 * {step}`, `drop {key}`, `sleep {until}`, `send {to, id}`, `throw`, `break` (a statement that fails), `patient` (waits for
 * all steps), `end`.
 */
export interface CounterState {
  count: number
  /** Everything that was decided on, in its order. */
  heard: string[]
  wants: WantedStep[]
  answers: Record<string, unknown>
  wakeAt: number | null
  ended: boolean
  /** The time of each decision. */
  times: number[]
}

export const NEW: CounterState = {
  count: 0,
  heard: [],
  wants: [],
  answers: {},
  wakeAt: null,
  ended: false,
  times: [],
}

export type CounterEffect =
  | { type: 'note'; text: string }
  | { type: 'answer'; id: string; count: number }
  | { type: 'send'; to: string; id: string }
  | { type: 'break' }

/** What a test does to it. */
export interface CounterScript {
  /** Keys that were really asked for. */
  asked: string[]
  ask(key: string, life: StepLife): Promise<unknown>
  version: number
  /** Makes the rows of the decision fail to be read. */
  unreadable: boolean
  /** Makes the statement fail that tells a fault. */
  untellable: boolean
}

export const wanted = (key: string, changes: Partial<WantedStep> = {}): WantedStep => ({
  key,
  label: `ask: ${key}`,
  queue: 'meno-llm',
  startToCloseMs: 60_000,
  attempts: 3,
  ...changes,
})

const note = (db: Db, id: string, text: string) =>
  sql`insert into notes (entity_id, text) values (${id}::uuid, ${text})`.compile(db)

interface Loaded {
  id: string
  state: CounterState
}

export function counter(script: CounterScript): Product<Loaded, CounterEffect> {
  return {
    name: 'practice',
    get version() {
      return script.version
    },
    reads: (db, id) => [
      (script.unreadable
        ? sql`select 1 / 0`
        : sql`select count(*)::int as notes from notes where entity_id = ${id}::uuid`
      ).compile(db),
    ],
    loaded: (entity) => ({ id: entity.id, state: (entity.state as CounterState | null) ?? NEW }),
    decide,
    admits: ({ state }, type) => type !== 'patient' || state.wants.length === 0,
    position: ({ state }) => ({
      state,
      think: state.wants,
      wakeAt: state.wakeAt,
      over: state.ended,
      view: {
        phase: state.ended ? 'ENDED' : 'COUNTING',
        attributes: { MasteryPct: state.count },
        details: `It counts ${state.count}.`,
        query: { count: state.count },
      },
    }),
    statements: (db, { id }, effects) =>
      effects.flatMap((effect) => {
        if (effect.type === 'note') return [note(db, id, effect.text)]
        return effect.type === 'break' ? [sql`select 1 / 0`.compile(db)] : []
      }),
    row: () => [],
    told: ({ state }, effects) => ({
      events: [{ type: 'counted', data: { count: state.count } }],
      answered: effects.flatMap((effect) =>
        effect.type === 'answer' ? [{ id: effect.id, body: { count: effect.count } }] : [],
      ),
      sent: effects.flatMap((effect) => (effect.type === 'send' ? [adding(effect)] : [])),
    }),
    isAnsweredHere: (_, key) => key.startsWith('here'),
    answerHere: async () => 'at once',
    async ask(_, key, life): Promise<Thought> {
      script.asked.push(key)
      const output = await script.ask(key, life)
      return { output, model: 'toy', inputTokens: 3, outputTokens: 5 }
    },
    describeStep: (_, key) => ({ kind: 'toy', input: { key } }),
    tellFault: (db, id) => [
      script.untellable ? sql`select 1 / 0`.compile(db) : note(db, id, 'fault'),
    ],
    tellSetAside: (db, id, inputId) => [
      script.untellable ? sql`select 1 / 0`.compile(db) : note(db, id, `set aside ${inputId}`),
    ],
  }
}

function decide({ id, state: before }: Loaded, input: Input, at: number) {
  const effects: CounterEffect[] = []
  const state: CounterState = {
    ...before,
    heard: [...before.heard, named(input)],
    times: [...before.times, at],
  }
  const without = (key: string) => state.wants.filter((step) => step.key !== key)
  switch (input.type) {
    case 'clock':
      if (state.wakeAt !== null && at >= state.wakeAt) {
        state.wakeAt = null
        effects.push({ type: 'note', text: 'rang' })
      }
      break
    case 'answer':
      if (input.output === 'bad') throw new TypeError('a bad answer')
      state.wants = without(input.key)
      state.answers = { ...state.answers, [input.key]: input.output }
      state.ended ||= input.output === 'the last'
      if (input.output === 'one more') state.wants = [...state.wants, wanted(`${input.key} again`)]
      effects.push({ type: 'note', text: `answer ${input.key}` })
      break
    case 'no-answer':
      state.wants = without(input.key)
      break
    case 'slow':
      if (input.key.startsWith('impatient')) state.wants = without(input.key)
      break
    case 'input':
      obey(state, input.input, effects)
      effects.push(
        { type: 'note', text: input.input.id },
        { type: 'answer', id: input.input.id, count: state.count },
      )
  }
  return { loaded: { id, state }, effects }
}

function obey(
  state: CounterState,
  { type, payload }: { type: string; payload: Record<string, unknown> },
  effects: CounterEffect[],
): void {
  switch (type) {
    case 'add':
      state.count += Number(payload.by ?? 1)
      break
    case 'want':
      state.wants = [...state.wants, payload.step as WantedStep]
      break
    case 'drop':
      state.wants = state.wants.filter(({ key }) => key !== payload.key)
      break
    case 'sleep':
      state.wakeAt = Number(payload.until)
      break
    case 'send':
      effects.push({ type: 'send', to: String(payload.to), id: String(payload.id) })
      break
    case 'break':
      effects.push({ type: 'break' })
      break
    case 'end':
      state.ended = true
      break
    case 'throw':
      throw new TypeError('a fault in a rule')
  }
}

function named(input: Input): string {
  if (input.type === 'clock') return 'clock'
  if (input.type === 'input') return input.input.id
  const fault = input.type === 'no-answer' ? ` ${input.fault}` : ''
  return `${input.type}${fault} ${input.key}`
}

const adding = ({ to, id }: { to: string; id: string }) => ({
  to: toWake(to),
  input: { entityId: to, id, type: 'add', payload: {} },
})

export const toWake = (id: string) => ({
  id,
  product: 'practice' as const,
  workflow_id: `counter-${id}`,
  learner_id: null,
  course_id: null,
})
