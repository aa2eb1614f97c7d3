import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../commands/context.ts'
import { CreateIntegration } from '../contracts/practice.ts'
import { createIntegration } from '../store/practice/integrations.ts'
import type { Environment } from './http/environment.ts'
import { body, json, onInvalid, problems } from './http/route-parts.ts'
import { onlyFor } from './practice/caller.ts'

const Created = z.object({ id: z.uuid(), name: z.string(), token: z.string() })

/** `/api/integrations`: outside platforms, each with a token of its own that is shown once. */
export function integrationRoutes(dependencies: Dependencies) {
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.use(onlyFor('admin'))
  api.openapi(
    createRoute({
      method: 'post',
      path: '/',
      summary: 'A platform that may call the problem tutor',
      request: { body: body(CreateIntegration) },
      responses: {
        201: json(Created, 'Made; the token is shown this once'),
        ...problems(401, 403, 422),
      },
    }),
    async (c) => {
      const { name, secret } = c.req.valid('json')
      return c.json(await createIntegration(dependencies.db, { name, secret: secret ?? null }), 201)
    },
  )
  return api
}
