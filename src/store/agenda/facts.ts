import { type CompiledQuery, type Selectable, sql } from 'kysely'
import type { ChannelName } from '../../contracts/channel.ts'
import type { Course } from '../../contracts/course-pack.ts'
import type { Review } from '../../domain/agenda/due.ts'
import type { AgendaFacts, OpenExam } from '../../domain/agenda/facts.ts'
import { languageOfTag } from '../../domain/language/languages.ts'
import type { Db } from '../database.ts'
import type { Database } from '../schema.ts'
import { lastSeen } from './awaiting.ts'

/** Of so many of the newest reviews the median time is taken. */
const TIMED_REVIEWS = 100
/** Before the learner's last message, so far back lies the beginning of its day. */
const LONGEST_DAY = "interval '26 hours'"

interface Sums {
  last_seen: Date | null
  seconds_each: number | null
  language: string | null
}

/** The rows that tell a learner's agenda what waits and who they are, in the order of `agendaFacts`. */
export function factReads(db: Db, learnerId: string): CompiledQuery[] {
  return [
    db.selectFrom('learners').selectAll().where('id', '=', learnerId).compile(),
    reviewsRead(db, learnerId),
    sumsRead(db, learnerId),
    reviewedRead(db, learnerId),
    db
      .selectFrom('learner_channels')
      .select(['id', 'channel'])
      .where('learner_id', '=', learnerId)
      .where('status', '=', 'linked')
      .orderBy('created_at')
      .orderBy('id')
      .compile(),
    examsRead(db, learnerId),
  ]
}

type ExamRow = Pick<OpenExam, 'courseId' | 'threadId'> & {
  questionId: string
  lockedUntil: string
  unitId: string
}

/** Exam questions on the revisit queue whose lock has ended, as the course tutor has called the learner back to them. */
const examsRead = (db: Db, learnerId: string): CompiledQuery =>
  sql`
    select course.course_id as "courseId", lock.key as "questionId", lock.value ->> 'lockedUntil' as "lockedUntil",
      course.snapshot -> 'revisitQueue' -> lock.key ->> 'unitId' as "unitId",
      (select thread.id from course_threads as thread
       where thread.learner_id = course.learner_id and thread.course_id = course.course_id
       order by thread.last_message_at desc nulls last limit 1) as "threadId"
    from course_snapshots as course, jsonb_each(course.locks) as lock
    where course.learner_id = ${learnerId}::uuid and (lock.value ->> 'calledBack')::boolean
      and course.snapshot -> 'revisitQueue' -> lock.key is not null
    order by lock.value ->> 'lockedUntil', lock.key`.compile(db)

/** Arcs report to no agenda: what falls due is read from their maps. */
const reviewsRead = (db: Db, learnerId: string): CompiledQuery =>
  sql`
    select arcs.id as arc_id, coalesce(arcs.title, arcs.topic) as topic, node.id as node_id, node.label,
      node.next_review_at as due_at
    from arcs join mind_map_nodes as node on node.mind_map_id = arcs.mind_map_id
    where arcs.learner_id = ${learnerId}::uuid and arcs.phase not in ('COMPLETED', 'ABANDONED')
      and not arcs.paused and not arcs.archived
      and node.next_review_at is not null and not coalesce((node.metadata ->> 'skipped')::boolean, false)
    order by node.next_review_at, node.id`.compile(db)

const sumsRead = (db: Db, learnerId: string): CompiledQuery =>
  sql`
    select
      ${lastSeen(learnerId)} as last_seen,
      (select percentile_cont(0.5) within group (order by seconds) from (
        select response.time_taken_seconds as seconds
        from quiz_responses as response join arcs on arcs.mind_map_id = response.mind_map_id
        where arcs.learner_id = ${learnerId}::uuid and response.response_type = 'review'
          and response.time_taken_seconds is not null
        order by response.responded_at desc limit ${TIMED_REVIEWS}) as timed) as seconds_each,
      (select coalesce(arcs.settings ->> 'language', entities.state ->> 'language')
       from arcs left join entities using (id)
       where arcs.learner_id = ${learnerId}::uuid
       order by arcs.last_session_at desc nulls last, arcs.started_at desc limit 1) as language`.compile(
    db,
  )

/** What was reviewed on the day of the learner's last message, and somewhat more. */
const reviewedRead = (db: Db, learnerId: string): CompiledQuery =>
  sql`
    select response.responded_at from quiz_responses as response
    join arcs on arcs.mind_map_id = response.mind_map_id
    where arcs.learner_id = ${learnerId}::uuid and response.response_type = 'review'
      and response.responded_at > (
        select max(last_session_at) - ${sql.raw(LONGEST_DAY)} from arcs where learner_id = ${learnerId}::uuid)
    order by response.responded_at desc`.compile(db)

/** What those rows say; null: there is no such learner. Without the courses, exam questions have no titles. */
export function agendaFacts(
  rows: readonly unknown[][],
  courses: readonly Pick<Course, 'courseId' | 'title' | 'units'>[] = [],
): AgendaFacts | null {
  const [[learner], reviews, [sums], reviewed, channels, exams] = rows as [
    Selectable<Database['learners']>[],
    (Omit<Review, 'arcId' | 'nodeId' | 'dueAt'> & {
      arc_id: string
      node_id: string
      due_at: Date
    })[],
    Sums[],
    { responded_at: Date }[],
    { id: string; channel: ChannelName }[],
    ExamRow[],
  ]
  if (!learner) return null
  return {
    learnerId: learner.id,
    times: {
      timeZone: learner.time_zone,
      studyTime: learner.study_time,
      quietFrom: learner.quiet_from,
      quietTo: learner.quiet_to,
    },
    cap: learner.daily_review_cap,
    holidayUntil: learner.holiday_until?.getTime() ?? null,
    snoozedUntil: learner.snoozed_until?.getTime() ?? null,
    wishes: learner.channels,
    language: languageOfTag(sums?.language ?? learner.language),
    reviews: reviews.map(({ arc_id, topic, node_id, label, due_at }) => ({
      arcId: arc_id,
      topic,
      nodeId: node_id,
      label,
      dueAt: due_at.getTime(),
    })),
    reviewedAt: reviewed.map(({ responded_at }) => responded_at.getTime()),
    lastSeenAt: sums?.last_seen?.getTime() ?? null,
    secondsEach: sums?.seconds_each ?? null,
    channels,
    exams: exams.map(({ courseId, questionId, lockedUntil, unitId, threadId }) => {
      const course = courses.find((one) => one.courseId === courseId)
      const unit = course?.units.find((one) => one.unitId === unitId)?.title ?? null
      const key = `${courseId}/${questionId}/${lockedUntil}`
      return { key, courseId, course: course?.title ?? courseId, unit, threadId }
    }),
  }
}
