import type { CompiledQuery } from 'kysely'
import type { CourseEffect, LoadedCourse, NewMessage } from '../../domain/course/state.ts'
import { agendaInsert } from '../../store/agenda/entity.ts'
import { drillGradedInsert, evidenceInsert, turnInsert } from '../../store/course/records.ts'
import { invitationInsert, type MessageToStore, messageInsert } from '../../store/course/threads.ts'
import type { Db } from '../../store/database.ts'
import { cardOf } from '../../tutor/steps/course/card.ts'
import { seen, toAgenda } from '../agenda/seen.ts'
import type { Told } from '../spine/product.ts'
import type { CourseDependencies, CourseWithArc } from './dependencies.ts'
import { courseOf } from './steps.ts'

type Answer = Extract<CourseEffect, { type: 'answer' }>
type Side = Extract<CourseEffect, { type: 'side-response' }>

/** The answer as an input of the open arc of the course; told twice, it counts once. */
function sideInput({ arc }: CourseWithArc, { type, requestId, ...payload }: Side): Told['sent'] {
  if (!arc) return []
  return [{ to: arc, input: { entityId: arc.id, id: `course/${requestId}`, type, payload } }]
}

const isInvitation = ({ type }: CourseEffect): boolean => type === 'invitation'

/** What decisions come to in SQL, and for whoever has asked. */
export function courseWrites({ courses, mind, sealer }: CourseDependencies) {
  // A drill is sealed once: whoever asked is told the card that is stored.
  const made = new WeakMap<NewMessage, MessageToStore>()

  function toStore(message: NewMessage, loaded: LoadedCourse, at: number): MessageToStore {
    const { shown, ...rest } = message
    const known = made.get(message)
    if (known) return known
    const course = courseOf(courses, loaded)
    const makings = shown && { course, sealer, threadId: message.threadId, at, ...shown }
    const card = makings && cardOf(makings.move, makings)
    const stored: MessageToStore = {
      ...rest,
      action: shown?.move.action ?? null,
      unitId: shown?.move.targetUnitId ?? null,
      ...(card ? { card } : {}),
      createdAt: new Date(at).toISOString(),
    }
    made.set(message, stored)
    return stored
  }

  const shownBy = (loaded: LoadedCourse, effects: readonly CourseEffect[], at: number) =>
    effects
      .filter((effect) => effect.type === 'message')
      .map(({ message }) => {
        const { action: _, unitId: __, turnId: ___, ...shown } = toStore(message, loaded, at)
        return shown
      })

  function bodyOf({ body, shows }: Answer, messages: ReturnType<typeof shownBy>) {
    if (shows === 'turn') return { ...body, messages }
    const [message] = messages
    return shows === 'fresh-drill' ? { ...body, card: message?.card, message } : body
  }

  function statementOf(
    db: Db,
    loaded: LoadedCourse,
    effect: Exclude<CourseEffect, Answer | Side>,
    at: number,
  ): CompiledQuery {
    switch (effect.type) {
      case 'message':
        return messageInsert(db, toStore(effect.message, loaded, at))
      case 'evidence':
        return evidenceInsert(db, loaded, effect)
      case 'drill-graded':
        return drillGradedInsert(db, loaded.learnerId, effect, at)
      case 'turn':
        return turnInsert(db, mind.name, effect, at)
      case 'invitation':
        return invitationInsert(db, loaded, effect, at)
    }
  }

  return {
    statements: (db: Db, loaded: LoadedCourse, effects: readonly CourseEffect[], at: number) => [
      // Who has begun no topic has no agenda yet.
      ...(effects.some(isInvitation) ? [agendaInsert(db, loaded.learnerId).compile()] : []),
      ...effects
        .filter((effect) => effect.type !== 'answer' && effect.type !== 'side-response')
        .map((effect) => statementOf(db, loaded, effect, at)),
    ],

    told(loaded: CourseWithArc, effects: readonly CourseEffect[], at: number): Told {
      const messages = shownBy(loaded, effects, at)
      const answers = effects.filter((effect) => effect.type === 'answer')
      return {
        events: [],
        answered: answers.map((answer) => {
          const { requestId: id, status, told = false } = answer
          const body = { status, body: bodyOf(answer, messages) }
          return { id, body: told ? { ...body, told } : body }
        }),
        sent: [
          ...effects
            .filter((effect) => effect.type === 'side-response')
            .flatMap((effect) => sideInput(loaded, effect)),
          // The agenda calls the learner back to what is open again; which questions these are it reads.
          ...(effects.some(isInvitation)
            ? [toAgenda(loaded.learnerId, 'exam-open', loaded.courseId, at)]
            : []),
          ...(answers.length > 0 ? seen(loaded.awaited, loaded.id, at) : []),
        ],
      }
    },
  }
}
