import type { Course } from '../../contracts/course-pack.ts'
import { isUuid } from '../../contracts/text.ts'
import { type CourseThread, findThread } from '../../store/course/threads.ts'
import { requireOwn } from '../access.ts'
import type { Actor, Dependencies } from '../context.ts'
import { Problem } from '../problem.ts'

/** The thread, if it is the actor's own; teachers and admins may read every one. */
export async function requireThread(
  { db }: Pick<Dependencies, 'db'>,
  actor: Actor,
  threadId: string,
): Promise<CourseThread> {
  const thread = isUuid(threadId) ? await findThread(db, threadId) : null
  return requireOwn(actor, thread, 'thread')
}

/** The course of a thread; one that is named beside the thread has to be the same. */
export function requireCourse(
  { courses }: Pick<Dependencies, 'courses'>,
  thread: CourseThread,
  named: string | undefined,
): Course {
  if (named !== undefined && named !== thread.course_id) {
    const detail = `/courseId: the thread belongs to the course ${thread.course_id}`
    const errors = [{ pointer: '/courseId', detail: 'not the course of the thread' }]
    throw new Problem(422, detail, { errors })
  }
  const course = courses.find(({ courseId }) => courseId === thread.course_id)
  if (!course) throw new Problem(409, 'The course of this thread is not installed any more.')
  return course
}
