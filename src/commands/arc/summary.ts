import type { ArcSummary } from '../../contracts/arc.ts'
import { nextTopics } from '../../courses/next-topics.ts'
import { isMet } from '../../domain/mind-map/frontier.ts'
import { isSkipped } from '../../domain/mind-map/mind-map.ts'
import type { ArcRow } from '../../store/arc/arcs.ts'
import { begunCourses, readSummary } from '../../store/arc/summary.ts'
import type { Dependencies } from '../context.ts'

/** A topic looked back upon, from the learner's own answers, and what the installed courses have for afterwards. */
export async function summariseArc(
  { db, courses }: Dependencies,
  arc: ArcRow,
): Promise<ArcSummary> {
  const [read, begun] = await Promise.all([readSummary(db, arc), begunCourses(db, arc.learner_id)])
  // What was set aside was not learned: it may come next itself, and nothing builds on it.
  const nodes = (read?.map.nodes ?? []).filter((node) => !isSkipped(node))
  const unitsOf = (all: typeof nodes) => new Set(all.flatMap(({ unitId }) => unitId ?? []))
  return {
    ...(read?.summary ?? { concepts: [], hardest: [], improved: [] }),
    next: nextTopics(courses, {
      courseId: arc.course_id,
      unitIds: unitsOf(nodes),
      known: unitsOf(nodes.filter((node) => isMet(node, 'reviewing'))),
      begunCourseIds: begun,
    }),
  }
}
