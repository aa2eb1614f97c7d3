import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { askForChannel, channelsOf, LINKS, leaveChannel } from '../commands/channels.ts'
import type { Dependencies } from '../commands/context.ts'
import { AskedChannel, ChannelName, ChannelView } from '../contracts/channel.ts'
import { text } from '../contracts/text.ts'
import type { Api, Environment } from './environment.ts'
import { requireLearner } from './learners.ts'
import { body, json, onInvalid, problems } from './route-parts.ts'

const params = z.object({ id: text })

/** `/api/learners/:id/channels`: where a learner can be reached with no page open. */
export function channelRoutes(dependencies: Dependencies): Api {
  const { db } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/channels',
      summary: 'Where a learner can be reached',
      request: { params },
      responses: {
        200: json(z.object({ items: z.array(ChannelView) }), 'The channels'),
        ...problems(404),
      },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      return c.json({ items: await channelsOf(dependencies, id) }, 200)
    },
  )
  for (const channel of ChannelName.options) {
    api.openapi(
      createRoute({
        method: 'post',
        path: `/{id}/channels/${channel}`,
        summary: `Ask for the channel ${channel}`,
        request: { params, body: body(LINKS[channel], channel !== 'telegram') },
        responses: {
          201: json(AskedChannel, 'Linked, or to be confirmed over the channel'),
          ...problems(404, 409, 422, 429, 503),
        },
      }),
      async (c) => {
        const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
        const link = c.req.valid('json') as Parameters<typeof askForChannel>[3]
        return c.json(await askForChannel(dependencies, id, channel, link), 201)
      },
    )
  }
  api.openapi(
    createRoute({
      method: 'delete',
      path: '/{id}/channels/{channel}',
      summary: 'Take a channel out of use',
      request: {
        params: params.extend({ channel: ChannelName }),
        query: z.object({ place: text.optional() }),
      },
      responses: { 204: { description: 'Out of use' }, ...problems(404, 422) },
    }),
    async (c) => {
      const { id: wanted, channel } = c.req.valid('param')
      const { id } = await requireLearner(db, c.var.actor, wanted)
      await leaveChannel(dependencies, id, channel, c.req.valid('query').place)
      return c.body(null, 204)
    },
  )
  return api
}
