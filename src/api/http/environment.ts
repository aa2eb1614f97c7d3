import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Actor } from '../../commands/context.ts'

export type Environment = { Variables: { actor: Actor } }
export type Api = OpenAPIHono<Environment>
