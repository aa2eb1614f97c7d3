import { timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { Dependencies } from '../commands/context.ts'
import { notFound, Problem } from '../commands/problem.ts'
import type { Environment } from './http/environment.ts'

const HEADER = 'X-Telegram-Bot-Api-Secret-Token'

/**
 * `POST /webhook/telegram`: an update that Telegram sends, where `TELEGRAM_WEBHOOK_SECRET` is set. Its secret is what lets
 * it in; it comes from outside, under the name by which Telegram knows this server.
 */
export const telegramRoutes = ({ config, telegram, log }: Dependencies) =>
  new Hono<Environment>().post('/webhook/telegram', async (c) => {
    const secret = config.telegram?.webhookSecret
    if (!telegram || !secret) throw notFound('page')
    const given = Buffer.from(c.req.header(HEADER) ?? '')
    const wanted = Buffer.from(secret)
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      throw new Problem(401, `The header ${HEADER} does not have the secret.`)
    }
    try {
      return await telegram(c.req.raw)
    } catch (error) {
      // grammY's error holds the whole context, with the token; Telegram sends the update again.
      log.warn({ fault: String((error as { error?: unknown }).error ?? error) }, 'an update failed')
      throw new Problem(503, 'The update could not be taken; send it again.', {}, 5)
    }
  })
