import { decide } from '../../domain/course/decide.ts'
import {
  COURSE_VERSION,
  type CourseEffect,
  type CourseState,
  coldCourse,
  type LoadedCourse,
} from '../../domain/course/state.ts'
import { viewOf, wanted } from '../../domain/course/steps.ts'
import { setAsideInHand } from '../../store/course/requests.ts'
import { courseUpdate } from '../../store/course/snapshots.ts'
import type { Product } from '../spine/product.ts'
import type { CourseDependencies } from './dependencies.ts'
import { answerHere, ask, isAnsweredHere } from './steps.ts'
import { courseWrites } from './writes.ts'

/** A student's way through a course, however many threads are open, as a product on the spine. */
export function courseProduct(
  dependencies: CourseDependencies,
): Product<LoadedCourse, CourseEffect> {
  const { courses } = dependencies
  const { statements, told } = courseWrites(dependencies)
  return {
    name: 'course',
    version: COURSE_VERSION,
    reads: () => [],

    loaded({ id, state, learner_id, course_id }, _rows, at) {
      const course = courses.find(({ courseId }) => courseId === course_id)
      if (!course || learner_id === null) return null
      const { courseId, entryUnitId } = course
      const stored = state as CourseState | null
      return {
        id,
        learnerId: learner_id,
        courseId,
        course,
        dayMs: dependencies.dayMs,
        state: stored ?? coldCourse(learner_id, courseId, entryUnitId, at),
      }
    },

    decide,

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
