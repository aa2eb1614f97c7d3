import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { pushKeys } from '../../channels/web-push.ts'
import type { Dependencies } from '../../commands/context.ts'
import type { Api, Environment } from '../http/environment.ts'
import { json, onInvalid } from '../http/route-parts.ts'

/** `/api/push-key`: what a browser needs to subscribe. */
export function pushKeyRoutes({ db }: Dependencies): Api {
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.openapi(
    createRoute({
      method: 'get',
      path: '/',
      summary: 'The public key that a browser subscribes to pushes with',
      responses: { 200: json(z.object({ key: z.string() }), 'In base64url') },
    }),
    async (c) => c.json({ key: (await pushKeys(db)).publicKey }, 200),
  )
  return api
}
