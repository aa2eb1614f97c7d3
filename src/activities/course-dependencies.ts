import type { Course, Unit } from '../contracts/course-pack.ts'
import type { SnapshotLite } from '../contracts/course-tutor.ts'
import type { ExamStatusById } from '../domain/course-tutor/exam-availability.ts'
import type { LearningPathGraph } from '../domain/course-tutor/learning-path-graph.ts'
import { buildSnapshotLite } from '../domain/course-tutor/snapshot-lite.ts'
import type { StudentSnapshot } from '../domain/course-tutor/student-snapshot.ts'
import type { ExamAuthority } from '../exams/exam-authority.ts'
import type { CourseRequest } from '../store/course-requests.ts'
import type { StoredCourse } from '../store/course-snapshots.ts'
import type { Db } from '../store/database.ts'
import type { Mind } from '../tutor/mind.ts'
import type { DrillSealer } from '../tutor/steps/course/drill-token.ts'

export interface CourseDependencies {
  db: Db
  courses: readonly Course[]
  mind: Mind
  exams: ExamAuthority
  sealer: DrillSealer
  dayMs: number
}

/** A request in hand: its row, its course, and the course of the student as it is stored; `at` is UTC ms. */
export interface InHand {
  request: CourseRequest
  course: Course
  stored: StoredCourse
  at: number
}

/** The course's graph, by which the policy goes. */
export function pathGraph(course: Course): LearningPathGraph {
  const { entryUnitId, units, prereqEdges } = course
  return { entryUnitId, units, prereqEdges }
}

export function unitOf(course: Course, unitId: string): Unit | undefined {
  return course.units.find((unit) => unit.unitId === unitId)
}

/** The summary for the screen after a change. */
export function liteOf(
  course: Course,
  snapshot: StudentSnapshot,
  blocker: string | null,
  examStatusById: ExamStatusById,
): SnapshotLite {
  const { units } = course
  return buildSnapshotLite({ snapshot, units, prereqBlockingUnitId: blocker, examStatusById })
}
