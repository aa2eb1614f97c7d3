import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../commands/context.ts'
import { notFound } from '../commands/problem.ts'
import type { Course } from '../contracts/course-pack.ts'
import type { Api, Environment } from './environment.ts'
import { json, onInvalid, problems } from './route-parts.ts'

const CourseView = z.object({
  courseId: z.string(),
  title: z.string(),
  description: z.string(),
  entryUnitId: z.string(),
  units: z.array(
    z.object({
      unitId: z.string(),
      title: z.string(),
      prerequisites: z.array(z.string()),
      effortMinutes: z.int(),
      difficulty: z.string(),
    }),
  ),
  prereqEdges: z.array(z.tuple([z.string(), z.string()])),
})

/** A course as anyone may see it: no questions, no keys. */
const view = (course: Course): z.infer<typeof CourseView> => ({
  courseId: course.courseId,
  title: course.title,
  description: course.description,
  entryUnitId: course.entryUnitId,
  units: course.units.map(({ unitId, title, prerequisites, effortMinutes, difficulty }) => ({
    unitId,
    title,
    prerequisites,
    effortMinutes,
    difficulty,
  })),
  prereqEdges: course.prereqEdges,
})

/** `/api/courses`: what can be taught without a model. */
export function courseRoutes({ courses }: Dependencies): Api {
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.openapi(
    createRoute({
      method: 'get',
      path: '/',
      summary: 'The installed courses',
      responses: { 200: json(z.object({ items: z.array(CourseView) }), 'Courses') },
    }),
    (c) => c.json({ items: courses.map(view) }, 200),
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/{courseId}',
      summary: 'One course',
      request: { params: z.object({ courseId: z.string() }) },
      responses: { 200: json(CourseView, 'The course'), ...problems(404) },
    }),
    (c) => {
      const { courseId } = c.req.valid('param')
      const course = courses.find((candidate) => candidate.courseId === courseId)
      if (!course) throw notFound('course')
      return c.json(view(course), 200)
    },
  )
  return api
}
