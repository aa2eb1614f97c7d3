import { sql } from 'kysely'
import type { Course } from '../../contracts/course-pack.ts'
import type { ConceptStanding } from '../../contracts/teaching.ts'
import { emptyHistory } from '../../domain/mastery/status.ts'
import { strugglingReasons } from '../../domain/mastery/struggling.ts'
import { labelKey } from '../../domain/mind-map/label.ts'
import type { DbOrTrx } from '../database.ts'
import { historiesOf, historiesRead } from '../maps/rows.ts'

/** A topic of a learner with the standing of its concepts, in learning order. */
export interface Topic {
  arcId: string
  learnerId: string
  title: string
  phase: string
  /** What learners have in common: the course, or what the topic is called where there is none. */
  course: { key: string; title: string }
  lastSessionAt: Date | null
  nextReviewAt: Date | null
  concepts: (ConceptStanding & { id: string; key: string; label: string })[]
}

/** The topics of those learners that are not closed, the latest begun first. */
export async function readTopics(
  db: DbOrTrx,
  learnerIds: readonly string[],
  courses: readonly Course[],
): Promise<Topic[]> {
  if (learnerIds.length === 0) return []
  const arcs = await db
    .selectFrom('arcs')
    .select(['id', 'learner_id', 'mind_map_id', 'topic', 'title', 'course_id', 'phase'])
    .select(['last_session_at', 'next_review_at'])
    .where('learner_id', 'in', [...learnerIds])
    .where('phase', '<>', 'ABANDONED')
    .orderBy('started_at', 'desc')
    .execute()
  const concepts = await readConcepts(
    db,
    arcs.map((arc) => arc.mind_map_id),
  )
  return arcs.map((arc) => {
    const course = courses.find(({ courseId }) => courseId === arc.course_id)
    return {
      arcId: arc.id,
      learnerId: arc.learner_id,
      title: arc.title ?? arc.topic,
      phase: arc.phase,
      course: course
        ? { key: course.courseId, title: course.title }
        : { key: `topic:${labelKey(arc.topic)}`, title: arc.topic },
      lastSessionAt: arc.last_session_at,
      nextReviewAt: arc.next_review_at,
      concepts: concepts.get(arc.mind_map_id) ?? [],
    }
  })
}

async function readConcepts(
  db: DbOrTrx,
  mapIds: readonly string[],
): Promise<Map<string, Topic['concepts']>> {
  const byMap = new Map<string, Topic['concepts']>()
  if (mapIds.length === 0) return byMap
  const nodes = await db
    .selectFrom('mind_map_nodes')
    .select(['id', 'mind_map_id', 'label', 'unit_id', 'mastery_status', 'mastery_score'])
    .where('mind_map_id', 'in', [...mapIds])
    .orderBy('sequence')
    .orderBy('label')
    .execute()
  const maps = sql.join([...mapIds].map((id) => sql`${id}::uuid`))
  const ofMaps = sql<string>`select id from mind_map_nodes where mind_map_id in (${maps})`
  const histories = historiesOf((await db.executeQuery(historiesRead(db, ofMaps))).rows)
  for (const node of nodes) {
    const history = histories[node.id] ?? emptyHistory()
    const concept = {
      id: node.id,
      key: node.unit_id ?? labelKey(node.label),
      label: node.label,
      status: node.mastery_status,
      score: node.mastery_score,
      isStruggling: strugglingReasons(node.mastery_status, history).length > 0,
    }
    byMap.set(node.mind_map_id, [...(byMap.get(node.mind_map_id) ?? []), concept])
  }
  return byMap
}

/** How many concepts struggle, by learner. */
export function strugglingOf(topics: readonly Topic[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { learnerId, concepts } of topics) {
    const struggling = concepts.filter(({ isStruggling }) => isStruggling).length
    counts.set(learnerId, (counts.get(learnerId) ?? 0) + struggling)
  }
  return counts
}
