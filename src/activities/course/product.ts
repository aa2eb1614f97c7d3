import { decide } from '../../domain/course/decide.ts'
import {
  COURSE_VERSION,
  type CourseEffect,
  type CourseState,
  coldCourse,
} from '../../domain/course/state.ts'
import { viewOf, wanted } from '../../domain/course/steps.ts'
import { type ArcOfCourse, arcOfCourse, openArc } from '../../store/course/arcs.ts'
import { setAsideInHand } from '../../store/course/requests.ts'
import { courseUpdate } from '../../store/course/snapshots.ts'
import type { Product } from '../spine/product.ts'
import type { CourseDependencies, CourseWithArc } from './dependencies.ts'
import { answerHere, ask, isAnsweredHere } from './steps.ts'
import { courseWrites } from './writes.ts'

/** A student's way through a course, however many threads are open, as a product on the spine. */
export function courseProduct(
  dependencies: CourseDependencies,
): Product<CourseWithArc, CourseEffect> {
  const { courses } = dependencies
  const { statements, told } = courseWrites(dependencies)
  return {
    name: 'course',
    version: COURSE_VERSION,
    reads: (db, id) => [arcOfCourse(db, id)],

    loaded({ id, state, learner_id, course_id }, [arcs], at) {
      const course = courses.find(({ courseId }) => courseId === course_id)
      if (!course || learner_id === null) return null
      const { courseId, entryUnitId } = course
      const [arc = null] = arcs as ArcOfCourse[]
      const stored = state as CourseState | null
      return {
        id,
        learnerId: learner_id,
        courseId,
        course,
        dayMs: dependencies.dayMs,
        knownUnitIds: arc?.knownUnitIds ?? [],
        arc: arc && openArc(arc, learner_id, courseId),
        awaited: {
          learnerId: learner_id,
          isNudged: arc?.isNudged ?? null,
          lastSeenAt: arc?.lastSeen?.getTime() ?? null,
        },
        language: { set: arc?.setLanguage ?? null, spoken: arc?.heardLanguage ?? null },
        state: stored ?? coldCourse(learner_id, courseId, entryUnitId, at),
      }
    },

    decide(loaded, input, at) {
      const decision = decide(loaded, input, at)
      return { ...decision, loaded: { ...loaded, ...decision.loaded } }
    },

    admits: ({ state }) => state.work === null,

    position: (loaded) => ({
      ...wanted(loaded),
      state: loaded.state,
      over: false,
      view: viewOf(loaded),
    }),

    statements,

    row: (db, loaded, at) => (loaded.state.work === null ? [courseUpdate(db, loaded, at)] : []),

    told,

    isAnsweredHere: ({ state }) => isAnsweredHere(dependencies, state.work),

    answerHere: (loaded, _key, transaction) => answerHere(dependencies, loaded, transaction),

    ask: (loaded, _key, life) => ask(dependencies, loaded, life),

    describeStep: ({ state: { work } }) => ({
      kind: `course-${work?.stage.step}`,
      input: work && 'request' in work ? { requestId: work.request.id } : {},
    }),

    tellFault: (db, id) => setAsideInHand(db, id),

    // Whoever waits finds it set aside.
    tellSetAside: () => [],
  }
}
