import { randomUUID } from 'node:crypto'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { ChannelFailure } from '../../channels/channel.ts'
import { createWebhookChannel } from '../../channels/webhook.ts'
import { askForChannel, channelsOf, LINKS, leaveChannel } from '../../commands/channels.ts'
import type { Dependencies } from '../../commands/context.ts'
import { notFound } from '../../commands/problem.ts'
import { AskedChannel, ChannelName, ChannelView, type Notice } from '../../contracts/channel.ts'
import { text } from '../../contracts/text.ts'
import { languageOfTag } from '../../domain/language/languages.ts'
import { readChannels } from '../../store/agenda/channels.ts'
import { readLearner } from '../../store/learners.ts'
import type { Api, Environment } from '../http/environment.ts'
import { body, json, onInvalid, problems } from '../http/route-parts.ts'
import { requireLearner, requireSelf } from './routes.ts'

const params = z.object({ id: text })
const TEST_MS = 10_000

/** What a test of a webhook sends: a notice without reviews. */
const testNotice = (language: Notice['language']): Notice => ({
  ...{ id: randomUUID(), kind: 'reviews', date: new Date().toISOString().slice(0, 10), language },
  ...(language === 'de'
    ? { title: 'Ein Test von Meno', text: 'So kommen Erinnerungen an.', action: 'Meno öffnen' }
    : { title: 'A test from Meno', text: 'This is how reminders arrive.', action: 'Open Meno' }),
  ...{ path: '/', items: [], minutes: null },
})

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
      method: 'post',
      path: '/{id}/channels/webhook/test',
      summary: 'Send a signed test message to the webhook',
      description: 'As reminders are sent, once; what the receiver makes of it is the answer.',
      request: { params },
      responses: {
        200: json(
          z.object({ taken: z.boolean(), detail: z.string().nullable() }),
          'Whether the webhook took it, and why not',
        ),
        ...problems(403, 404),
      },
    }),
    async (c) => {
      const { id } = await requireSelf(db, c.var.actor, c.req.valid('param').id)
      const rows = await readChannels(db, id)
      const webhook = rows.find(
        ({ channel, status }) => channel === 'webhook' && status === 'linked',
      )
      if (!webhook) throw notFound('channel')
      const { pageUrl } = dependencies.config
      const key = `test/${randomUUID()}`
      const sending = { key, learnerId: id, pageUrl, signal: AbortSignal.timeout(TEST_MS) }
      try {
        const { language } = (await readLearner(db, id)) ?? {}
        await createWebhookChannel().send(
          webhook.address,
          testNotice(languageOfTag(language ?? '')),
          sending,
        )
        return c.json({ taken: true, detail: null }, 200)
      } catch (error) {
        if (!(error instanceof ChannelFailure)) throw error
        return c.json({ taken: false, detail: error.message }, 200)
      }
    },
  )
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
