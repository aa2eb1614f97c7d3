import type { LmsSettings } from '../../channels/lms-webhook.ts'
import { decide } from '../../domain/practice/decide.ts'
import { admits, isOver, viewOf, wakeAt } from '../../domain/practice/position.ts'
import { newState, type Practice, type Problem, upgraded } from '../../domain/practice/state.ts'
import { type SessionStep, stepsOf } from '../../domain/practice/steps.ts'
import { problemsOf, type SessionFacts, sessionFacts } from '../../store/practice/reads.ts'
import {
  effectStatements,
  type StoredEffect,
  sessionRow,
  teacherEvents,
} from '../../store/practice/writes.ts'
import type { EntityToWake } from '../../store/spine/entities.ts'
import type { InputAnswer } from '../../store/spine/inbox.ts'
import { type Mind, TutorFailure } from '../../tutor/mind.ts'
import { type Awaited, seen } from '../agenda/seen.ts'
import type { Product, StepLife, Thought } from '../spine/product.ts'
import { deliverReport } from './errands.ts'
import { judge, word } from './model-steps.ts'
import { type Material, passageFor } from './passage.ts'
import { answerOf } from './response.ts'

export interface PracticeDependencies extends Material {
  /** Who reads and words; null: code alone. */
  mind: Mind | null
  /** Where reports go; null: nowhere. */
  lms: LmsSettings | null
}

/** A session with what is written and told of it. */
interface Loaded {
  practice: Practice
  externalId: string
  studentId: string
  /** The arc whose concept is practised. */
  arc: EntityToWake | null
  /** The learner of that arc, as their agenda knows them. */
  awaited: Awaited | null
}

/** Practice sessions (seed 002) on the spine. */
export function practiceProduct(dependencies: PracticeDependencies): Product<Loaded, StoredEffect> {
  const { mind, lms } = dependencies
  return {
    name: 'practice',
    version: 2,

    reads: (db, id) => [sessionFacts(db, id), problemsOf(db, id)],

    loaded({ id, version, state }, [facts, known], at) {
      const [session] = facts as SessionFacts[]
      if (!session) return null
      const { external_session_id, student_id, tutor, implicit } = session
      const problems = known as Problem[]
      const arc = arcOf(session)
      return {
        practice: {
          sessionId: id,
          hasModel: tutor === 'anthropic' && mind !== null,
          delivers: lms !== null,
          isOfArc: arc !== null,
          hasTeacher: session.has_teacher,
          language: { set: session.set_language, spoken: session.heard_language },
          problems,
          state: state === null ? newState(problems, implicit, at) : upgraded(version, state),
        },
        externalId: external_session_id,
        studentId: student_id,
        arc,
        awaited: awaitedIn(session),
      }
    },

    decide(loaded, input, at) {
      const { practice, effects } = decide(loaded.practice, input, at)
      const answered = effects.map(
        (effect): StoredEffect =>
          effect.type === 'turn-ended'
            ? { ...effect, ...answerOf(practice, loaded.externalId, effect) }
            : effect,
      )
      return { loaded: { ...loaded, practice }, effects: answered }
    },

    admits: ({ practice }) => admits(practice.state),

    position: ({ practice }) => ({
      state: practice.state,
      think: stepsOf(practice).map(({ step }) => step),
      wakeAt: wakeAt(practice.state),
      over: isOver(practice.state),
      view: viewOf(practice),
    }),

    statements: (db, { practice }, effects, at) =>
      effectStatements(db, practice.sessionId, effects, at),

    row: (db, { practice }) => [sessionRow(db, practice.sessionId, practice.state)],

    told: (loaded, effects, at) => ({
      events: [],
      answered: effects.flatMap((effect): InputAnswer[] => {
        if (effect.type === 'turn-ended') {
          const { message, response, debug } = effect
          return [{ id: message.messageId, body: { response, debug } }]
        }
        if (effect.type !== 'done') return []
        return [{ id: effect.inputId, body: effect.closed ? { closed: true } : {} }]
      }),
      sent: [
        ...(effects.some(({ type }) => type === 'outcome') ? outcomeInput(loaded) : []),
        ...(effects.some(({ type }) => type === 'turn-ended')
          ? seen(loaded.awaited, loaded.practice.sessionId, at)
          : []),
      ],
      teachers: teacherEvents(loaded.practice, loaded, effects, at),
    }),

    isAnsweredHere: ({ practice }, key) => stepOf(practice, key).kind === 'passage',
    answerHere: ({ practice }, key, transaction) => {
      const step = stepOf(practice, key)
      if (step.kind !== 'passage') throw new Error(`${key} is not answered here`)
      return passageFor(dependencies, transaction, practice, step.open.message)
    },

    ask: ({ practice }, key, life) => ask(dependencies, practice, stepOf(practice, key), life),

    describeStep({ practice }, key) {
      const found = stepOf(practice, key)
      const kind = `practice-${found.kind}`
      if (found.kind === 'verdict') return { kind, input: { turn: found.message.turn } }
      if (found.kind !== 'deliver') return { kind, input: { turn: found.open.message.turn } }
      return { kind, input: {} }
    },

    // Whoever waits for an answer looks at the entity, and teachers cannot help.
    tellFault: () => [],
    tellSetAside: () => [],
  }
}

function arcOf({
  arc_id,
  arc_workflow_id,
  arc_learner_id,
  arc_course_id,
}: SessionFacts): EntityToWake | null {
  if (arc_id === null || arc_workflow_id === null) return null
  const arc = { id: arc_id, product: 'arc', workflow_id: arc_workflow_id } as const
  return { ...arc, learner_id: arc_learner_id, course_id: arc_course_id }
}

const awaitedIn = ({ arc_learner_id: learnerId, is_nudged, last_seen }: SessionFacts) =>
  learnerId === null
    ? null
    : { learnerId, isNudged: is_nudged, lastSeenAt: last_seen?.getTime() ?? null }

/** The outcome as an input of the arc; told twice, it counts once. */
function outcomeInput({ arc, practice: { sessionId } }: Loaded) {
  if (!arc) return []
  const input = { id: `practice/${sessionId}`, type: 'practice-outcome', payload: { sessionId } }
  return [{ to: arc, input: { entityId: arc.id, ...input } }]
}

function stepOf(practice: Practice, key: string): SessionStep {
  const found = stepsOf(practice).find(({ step }) => step.key === key)
  if (!found) throw new Error(`the session does not want ${key}`)
  return found
}

async function ask(
  dependencies: PracticeDependencies,
  practice: Practice,
  step: SessionStep,
  life: StepLife,
): Promise<Thought> {
  const { db, mind, lms } = dependencies
  switch (step.kind) {
    case 'verdict':
      return judge(db, required(mind), practice, step.message, life)
    case 'reply':
      return word(dependencies, required(mind), practice, step.open, life)
    case 'passage':
      throw new Error('a passage is looked up where it is wanted')
    case 'deliver':
      await deliverReport({ db, lms }, practice.sessionId, step.delivery.id, life.signal)
      return DONE
  }
}

const DONE: Thought = { output: {}, model: 'none', inputTokens: 0, outputTokens: 0 }

function required(mind: Mind | null): Mind {
  if (!mind) throw new TutorFailure('refused', 'no model is connected')
  return mind
}
