import { expectedAnswer } from '../../courses/asked-question.ts'
import { shownAs } from '../../domain/course/drills/drill-grade.ts'
import { spokenIn } from '../../domain/course/spoken.ts'
import type { LoadedCourse, OpenedDrill } from '../../domain/course/state.ts'
import { hashText } from '../../domain/random/seeded-random.ts'
import { drillGrading } from '../../store/course/records.ts'
import { lastDrill } from '../../store/course/threads.ts'
import type { Transaction } from '../../store/spine/transaction.ts'
import { drawDrills, drillFrom } from '../../tutor/steps/course/course-drills.ts'
import { gradeCourseDrill, gradeMadeUpDrill } from '../../tutor/steps/course/drill-grading.ts'
import type { CourseDependencies } from './dependencies.ts'
import { courseOf, inHand, requestIn } from './steps.ts'

/** Opens the token of a drill and grades its answer as far as code can. */
export async function openDrill(
  { db, sealer, courses }: CourseDependencies,
  loaded: LoadedCourse,
  transaction: Transaction,
): Promise<OpenedDrill> {
  const { id, threadId, payload } = requestIn(inHand(loaded), 'drill_grade')
  const { studentAnswer } = payload
  const sealed = sealer.open(payload.token)
  const nothing = { isGraded: false, code: null, expectedAnswer: '', another: null }
  if (!sealed) return { drill: null, ...nothing }
  const [gradings, [shown]] = await transaction.read(
    drillGrading(db, sealed.id),
    lastDrill(db, loaded.id, threadId),
  )
  const hinted = shown?.card.token === payload.token && shown.hintsGiven > 0
  const drill = { ...sealed, hinted }
  const isGraded = gradings.length > 0
  const course = courseOf(courses, loaded)
  const unit = course.units.find(({ unitId }) => unitId === drill.unitId)
  if (!unit) return { drill, ...nothing, isGraded }
  const drawn = drill.source === null ? null : drillFrom(unit, drill.source)
  const language = spokenIn(loaded)
  const asked = `${drill.prompt}\n$${drill.questionLatex}$`
  const code = drawn
    ? gradeCourseDrill(course, unit, drawn, studentAnswer, language)
    : gradeMadeUpDrill(drill.key, asked, studentAnswer, language)
  const [next] = drawDrills(unit, hashText(id), 1, new Set([shownAs(drill)]))
  const another = next && {
    prompt: next.prompt,
    questionLatex: next.questionLatex,
    expectedAnswer: expectedAnswer(next.question),
    source: next.source,
  }
  return {
    drill,
    isGraded,
    code,
    expectedAnswer: drawn ? expectedAnswer(drawn.question) : drill.expectedAnswer,
    another: another ?? null,
  }
}
