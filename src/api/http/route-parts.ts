import type { Hook } from '@hono/zod-openapi'
import { z } from '@hono/zod-openapi'
import type { Environment } from './environment.ts'
import { ProblemDocument, problemResponse, validationProblem } from './problem.ts'

/** A JSON answer in the OpenAPI document. */
export const json = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

/** A JSON request body. */
export const body = <T extends z.ZodType>(schema: T, required = true) => ({
  required,
  content: { 'application/json': { schema } },
})

/** The problem documents a route may answer with. */
export const problems = (...statuses: number[]) =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: 'A problem',
        content: { 'application/problem+json': { schema: ProblemDocument } },
      },
    ]),
  ) as Record<number, never>

export const arcParams = z.object({ arcId: z.string() })

export const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: z.uuid().optional(),
})

/** A request that breaks its schema is answered with a problem that points at each bad field. */
// biome-ignore lint/suspicious/noExplicitAny: the hook serves every route, whatever its input
export const onInvalid: Hook<any, Environment, any, any> = (result, c) => {
  if (result.success) return
  return problemResponse(c, validationProblem(result.error as z.ZodError))
}
