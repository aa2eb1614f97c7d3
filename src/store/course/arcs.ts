import { type CompiledQuery, sql } from 'kysely'
import { workflowId } from '../../contracts/temporal.ts'
import { isNudged, lastSeen } from '../agenda/awaiting.ts'
import type { Db } from '../database.ts'
import type { EntityToWake } from '../spine/entities.ts'

/** What the learning arcs of a student say about a course. */
export interface ArcOfCourse {
  /** The newest that is open; null where none is. */
  arcId: string | null
  /** Units that are in reviews or mastered in one of them. */
  knownUnitIds: string[]
  /** Whether the student was nudged for reviews and has not answered; null where they have no agenda. */
  isNudged: boolean | null
  /** When they last wrote anywhere. */
  lastSeen: Date | null
  /** The language that they have set for an arc of the course, and the one that they speak there or by their settings. */
  setLanguage: string | null
  heardLanguage: string | null
}

/** The arcs of the student of a course, of the same course and not abandoned, by the course's entity. */
export const arcOfCourse = (db: Db, entityId: string): CompiledQuery<ArcOfCourse> =>
  sql<ArcOfCourse>`
    with own as (
      select arcs.id, arcs.mind_map_id, arcs.phase, arcs.started_at, arcs.settings
      from entities as course join arcs
        on arcs.learner_id = course.learner_id and arcs.course_id = course.course_id
      where course.id = ${entityId}::uuid and arcs.phase <> 'ABANDONED')
    select
      (select id from own where phase <> 'COMPLETED' order by started_at desc limit 1) as "arcId",
      coalesce((
        select array_agg(distinct node.unit_id)
        from own join mind_map_nodes as node on node.mind_map_id = own.mind_map_id
        where node.unit_id is not null and node.mastery_status in ('reviewing', 'mastered')
      ), '{}') as "knownUnitIds",
      ${isNudged(STUDENT)} as "isNudged", ${lastSeen(STUDENT)} as "lastSeen",
      (select settings ->> 'language' from own where phase <> 'COMPLETED'
       order by started_at desc limit 1) as "setLanguage",
      coalesce(
        (select entities.state ->> 'language' from own join entities using (id)
         order by own.started_at desc limit 1),
        student.language) as "heardLanguage"
    from entities as course_entity left join learners as student on student.id = course_entity.learner_id
    where course_entity.id = ${entityId}::uuid`.compile(db)

const STUDENT = sql.ref<string>('course_entity.learner_id')

/** The open arc as it is woken; null where there is none. */
export const openArc = (
  { arcId }: ArcOfCourse,
  learnerId: string,
  courseId: string,
): EntityToWake | null =>
  arcId === null
    ? null
    : {
        id: arcId,
        product: 'arc',
        workflow_id: workflowId.arc(arcId),
        learner_id: learnerId,
        course_id: courseId,
      }
