import type { Course } from '../../contracts/course-pack.ts'
import { admits, decide } from '../../domain/arc/decide.ts'
import type { Effect } from '../../domain/arc/effects.ts'
import type { BarePhrase } from '../../domain/arc/phrase.ts'
import { ARC_VERSION, type LoadedArc } from '../../domain/arc/state.ts'
import type { Asking } from '../../domain/arc/steps.ts'
import { isOver, viewOf, wakeAt, wantedSteps } from '../../domain/arc/view.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { stepReads, stepRows } from '../../store/arc/context.ts'
import { arcReads, loadedArc } from '../../store/arc/load.ts'
import { arcUpdate, effectStatements } from '../../store/arc/statements.ts'
import { faultTold, type InEveryLanguage, inputSetAsideTold } from '../../store/arc/telling.ts'
import { type Db, queryTogether } from '../../store/database.ts'
import {
  type NewPractice,
  practiceCreation,
  practiceEntity,
} from '../../store/practice/sessions.ts'
import type { EntityToWake } from '../../store/spine/entities.ts'
import type { NewInput } from '../../store/spine/inbox.ts'
import type { Transaction } from '../../store/spine/transaction.ts'
import { phrase } from '../../tutor/phrases.ts'
import type { Product } from '../spine/product.ts'
import { toldAgenda } from './agenda.ts'
import { answerCodeStep, isOfCode } from './code-steps.ts'
import { runProgram } from './run-program.ts'
import {
  answerOffline,
  askModel,
  contextOf,
  isOffline,
  isOfTheCourse,
  type MindAsking,
  type Minds,
  withChances,
} from './steps.ts'
import { eventsIn, messagesIn } from './told.ts'

export interface ArcDependencies {
  db: Db
  minds: Minds
  courses: readonly Course[]
  sandbox: Sandbox
  /** The length of one day in milliseconds. */
  dayMs: number
}

/** Learning arcs on the spine. */
export function createArcProduct({
  db,
  minds,
  courses,
  sandbox,
  dayMs,
}: ArcDependencies): Product<LoadedArc, Effect> {
  const askingOf = (arc: LoadedArc, key: string): Asking => {
    const asking = arc.state.asking.find((step) => step.key === key)
    if (!asking) throw new Error(`the arc does not ask for ${key}`)
    return asking
  }
  const created = ({ session }: Extract<Effect, { type: 'practice-opened' }>) =>
    practiceCreation(db, session as NewPractice)
  return {
    name: 'arc',
    version: ARC_VERSION,
    reads: arcReads,
    loaded: (entity, rows) => loadedArc(entity, rows, dayMs),
    decide,
    admits,
    position: (arc) => ({
      state: arc.state,
      think: wantedSteps(arc),
      wakeAt: wakeAt(arc),
      over: isOver(arc),
      view: viewOf(arc),
    }),
    statements: (_, arc, effects, at) => [
      ...effectStatements(db, arc, effects, messagesIn(arc, effects, at), at),
      ...effects.flatMap((effect) =>
        effect.type === 'practice-opened' ? created(effect).statements : [],
      ),
    ],
    row: (_, arc, at) => [arcUpdate(db, arc, at)],
    told: (arc, effects, at) => ({
      events: eventsIn(arc, effects, at),
      answered: effects.flatMap((effect) =>
        effect.type === 'answered' ? [{ id: effect.inputId }] : [],
      ),
      sent: [...effects.flatMap((effect) => sentBy(arc, effect)), ...toldAgenda(arc, at)],
      teachers: effects.flatMap((effect) =>
        effect.type === 'practice-opened' ? created(effect).teachers : [],
      ),
      logs: effects.flatMap((effect) =>
        effect.type === 'plan-refused'
          ? [{ message: 'a plan was refused', data: { arc: arc.arcId, ...effect } }]
          : [],
      ),
    }),
    isAnsweredHere: (arc, key) => {
      const asking = askingOf(arc, key)
      if (isOfCode(asking)) return true
      if (asking.kind === 'run-program') return false
      return isOffline(arc, minds) || isOfTheCourse(arc, asking, courses)
    },
    async answerHere(arc, key, transaction: Transaction) {
      const asking = askingOf(arc, key)
      if (isOfCode(asking)) return answerCodeStep(db, courses, arc, asking, transaction)
      if (asking.kind === 'run-program') throw new Error('a program is not run in a transaction')
      const rows = await transaction.read<unknown[]>(...stepReads(db, arc, asking))
      return answerOffline(contextOf(arc, asking, rows as unknown[][], courses))
    },
    async ask(arc, key, life) {
      const asking = askingOf(arc, key)
      const rows = await queryTogether(db, ...stepReads(db, arc, asking))
      if (asking.kind === 'run-program') {
        return runProgram(sandbox, stepRows(arc, asking, rows as unknown[][]), life)
      }
      const context = contextOf(arc, asking as MindAsking, rows as unknown[][], courses)
      return askModel(minds, withChances(context, arc), life)
    },
    describeStep: (arc, key) => {
      const { kind, input } = askingOf(arc, key)
      return { kind, input }
    },
    tellFault: (_, id, { since, retryAt }) =>
      faultTold(db, id, { since, retryAt }, inEveryLanguage('blocked-internal')),
    tellSetAside: (_, id, inputId) =>
      inputSetAsideTold(db, id, inputId, inEveryLanguage('not-processed')),
  }
}

/** What no rule can say any more is said by a statement, which knows the arc's language. */
const inEveryLanguage = (said: BarePhrase): InEveryLanguage => ({
  en: phrase(said, 'en'),
  de: phrase(said, 'de'),
})

/** A session that is new is woken; one whose arc is over is completed. */
function sentBy(
  { learnerId }: LoadedArc,
  effect: Effect,
): { to: EntityToWake; input: NewInput | null }[] {
  if (effect.type !== 'practice-opened' && effect.type !== 'practice-ended') return []
  const { sessionId } = effect
  const to = practiceEntity(sessionId, learnerId)
  if (effect.type === 'practice-opened') return [{ to, input: null }]
  return [{ to, input: { entityId: sessionId, id: 'arc-ended', type: 'complete', payload: {} } }]
}
