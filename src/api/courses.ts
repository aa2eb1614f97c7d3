import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../commands/context.ts'
import { notFound } from '../commands/problem.ts'
import type { Course } from '../contracts/course-pack.ts'
import { PICTURE_NAME } from '../contracts/picture.ts'
import { text } from '../contracts/text.ts'
import { courseForTopic, courseNamed } from '../courses/choose.ts'
import { unitsNeeded } from '../courses/course-graph.ts'
import type { Api, Environment } from './http/environment.ts'
import { json, onInvalid, problems } from './http/route-parts.ts'

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
  /** The units that a topic or goal asks for, with what they build on; all of them where it names none. */
  needed: z.array(z.string()),
})

const wish = z.object({ topic: text.max(200).optional(), goal: text.max(500).optional() })

/** A picture is shown, never run: opened by itself it may do no more than in a page. */
const PICTURE_HEADERS = {
  'Content-Type': 'image/svg+xml',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'private, max-age=3600',
}

/** A course as anyone may see it: no questions, no keys. */
const view = (course: Course, goalUnitIds: readonly string[] = []): z.infer<typeof CourseView> => ({
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
  needed: unitsNeeded(course, goalUnitIds),
})

/** `/api/courses`: what can be taught without a model. */
export function courseRoutes({ config, courses }: Dependencies): Api {
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.openapi(
    createRoute({
      method: 'get',
      path: '/',
      summary: 'The installed courses; with a topic, the one it would be taught from',
      request: { query: wish },
      responses: { 200: json(z.object({ items: z.array(CourseView) }), 'Courses') },
    }),
    (c) => {
      const { topic = '', goal = null } = c.req.valid('query')
      if (topic.trim() === '') return c.json({ items: courses.map((one) => view(one)) }, 200)
      const choice = courseForTopic(topic, goal, courses, config.model === null)
      const course = courses.find(({ courseId }) => courseId === choice?.courseId)
      return c.json({ items: course ? [view(course, choice?.goalUnitIds)] : [] }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/{courseId}',
      summary: 'One course',
      request: { params: z.object({ courseId: z.string() }), query: wish.pick({ goal: true }) },
      responses: { 200: json(CourseView, 'The course'), ...problems(404, 422) },
    }),
    (c) => {
      const { courseId } = c.req.valid('param')
      const course = courses.find((candidate) => candidate.courseId === courseId)
      if (!course) throw notFound('course')
      const goal = c.req.valid('query').goal ?? null
      return c.json(view(course, courseNamed(courseId, goal, courses)?.goalUnitIds), 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/{courseId}/pictures/{name}',
      summary: 'A picture of a lesson',
      request: { params: z.object({ courseId: z.string(), name: z.string().regex(PICTURE_NAME) }) },
      responses: {
        200: { description: 'The picture', content: { 'image/svg+xml': { schema: z.string() } } },
        ...problems(404),
      },
    }),
    (c) => {
      const { courseId, name } = c.req.valid('param')
      const course = courses.find((candidate) => candidate.courseId === courseId)
      const picture = course?.pictures?.find((candidate) => candidate.name === name)
      if (!picture) throw notFound('picture')
      return c.body(picture.svg, 200, PICTURE_HEADERS)
    },
    (result) => {
      if (!result.success) throw notFound('picture')
    },
  )
  return api
}
