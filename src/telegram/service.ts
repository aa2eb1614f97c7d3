import { type Bot, BotError, GrammyError, HttpError, webhookCallback } from 'grammy'
import pg from 'pg'
import { asSignal, faultOf, POLL_SECONDS, type TelegramSettings } from '../channels/telegram-api.ts'
import type { Dependencies } from '../commands/context.ts'
import { ALLOWED_UPDATES, createBot } from './bot.ts'
import { runRelay, waitFor } from './relay.ts'
import { wordsIn } from './words.ts'

/** Who holds this lock of the database polls and relays: one process at a time. */
const LEADER = 0x7e1e_6a3
const PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000
const NAME_WITHIN_MS = 5_000
/**
 * So often an update is tried that fails while the database answers; then it is left out. More often where it is Telegram
 * that fails.
 */
const MOST_TRIES = 5
const MOST_TRIES_AWAY = 60

/** The bot as a part of the API's process. */
export interface TelegramService {
  /** The bot's name, without @; null where Telegram does not say. */
  name(): Promise<string | null>
  /** Takes an update that Telegram posts; 401 with a wrong secret. Null where the bot polls. */
  webhook: ((request: Request) => Promise<Response>) | null
  stop(): Promise<void>
}

/** Starts the bot: one process polls Telegram (or has set the webhook) and relays, the others stand by. */
export function startTelegram(
  dependencies: Dependencies,
  settings: TelegramSettings,
  databaseUrl: string,
): TelegramService {
  const ended = new AbortController()
  const bot = createBot(dependencies, settings, ended.signal)
  const ready = knowing(bot)
  const running = lead(dependencies, databaseUrl, ended.signal, async (over) => {
    const isKnown = await introduced({ dependencies, bot, settings, ready }, over)
    if (!isKnown) return
    const relaying = runRelay(dependencies, bot.api, over)
    if (settings.webhookSecret === null) await poll(dependencies, bot, over)
    await relaying
  })
  return {
    name: async () => {
      const within = AbortSignal.any([ended.signal, AbortSignal.timeout(NAME_WITHIN_MS)])
      return (await ready(within).catch(() => null)) ? bot.botInfo.username : null
    },
    webhook: settings.webhookSecret === null ? null : hooked(bot, settings.webhookSecret, ready),
    async stop() {
      ended.abort()
      await running
    },
  }
}

type Ready = (signal: AbortSignal) => Promise<true>

/** Asks who the bot is, once. */
const knowing =
  (bot: Bot): Ready =>
  async (signal) => {
    if (!bot.isInited()) bot.botInfo = await bot.api.getMe(asSignal(signal))
    return true
  }

/** Holds the lock and leads as long as it is held; takes it up again when it was lost. */
async function lead(
  { log }: Dependencies,
  databaseUrl: string,
  ended: AbortSignal,
  work: (over: AbortSignal) => Promise<void>,
): Promise<void> {
  while (!ended.aborted) {
    const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    try {
      await client.connect()
      const over = AbortSignal.any([ended, lost.signal])
      while (!over.aborted) {
        const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [LEADER])
        if (rows[0]?.held) await work(over)
        else await waitFor(PAUSE_MS, over)
      }
    } catch (error) {
      if (!ended.aborted) log.warn({ err: error }, 'the bot of Telegram stopped; it begins again')
    } finally {
      await client.end().catch(() => {})
    }
    await waitFor(PAUSE_MS, ended)
  }
}

interface Introduction {
  dependencies: Dependencies
  bot: Bot
  settings: TelegramSettings
  ready: Ready
}

/** Says to Telegram how updates come and which commands there are, until it listens. Returns false when it is over. */
async function introduced(
  { dependencies, bot, settings, ready }: Introduction,
  over: AbortSignal,
): Promise<boolean> {
  const { log, config } = dependencies
  const { api } = bot
  const signal = asSignal(over)
  for (let pause = PAUSE_MS; !over.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await ready(over)
      if (settings.webhookSecret === null) await api.deleteWebhook({}, signal)
      else {
        const url = `${config.pageUrl}/webhook/telegram`
        const more = { secret_token: settings.webhookSecret, allowed_updates: ALLOWED_UPDATES }
        await api.setWebhook(url, more, signal)
      }
      for (const language_code of ['', 'de'] as const) {
        const said = Object.entries(wordsIn(language_code || 'en').commands)
        const commands = said.map(([command, description]) => ({ command, description }))
        await api.setMyCommands(commands, language_code ? { language_code } : {}, signal)
      }
      return true
    } catch (error) {
      if (over.aborted) break
      const { message, retryAfterMs } = faultOf(error)
      log.error({ fault: message }, `${settings.apiRoot} does not take the bot; trying again`)
      await waitFor(retryAfterMs ?? pause, over)
    }
  }
  return false
}

/** Takes updates one after the other; one is confirmed only when it has been dealt with. */
async function poll({ db, log }: Dependencies, bot: Bot, over: AbortSignal): Promise<void> {
  let offset: number | undefined
  while (!over.aborted) {
    try {
      const updates = await bot.api.getUpdates(
        {
          timeout: POLL_SECONDS,
          allowed_updates: ALLOWED_UPDATES,
          ...(offset === undefined ? {} : { offset }),
        },
        asSignal(over),
      )
      for (const update of updates) {
        await dealtWith(() => bot.handleUpdate(update))
        if (over.aborted) return
        offset = update.update_id + 1
      }
    } catch (error) {
      if (over.aborted) return
      const { message, retryAfterMs } = faultOf(error)
      log.warn({ fault: message }, 'no updates from Telegram; trying again')
      await waitFor(retryAfterMs ?? PAUSE_MS, over)
    }
  }

  /** Tries an update until it is dealt with; a fault of ours must not hold up all others. */
  async function dealtWith(handle: () => Promise<void>): Promise<void> {
    for (let tries = 1; !over.aborted; ) {
      try {
        return await handle()
      } catch (error) {
        if (over.aborted) return
        // grammY's error holds the whole context, with the token.
        const cause = error instanceof BotError ? error.error : error
        const { message, retryAfterMs } = faultOf(cause)
        const hasStore = await db
          .selectFrom('learners')
          .select('id')
          .limit(1)
          .execute()
          .then(
            () => true,
            () => false,
          )
        const isAway = cause instanceof HttpError || cause instanceof GrammyError
        if (hasStore && tries >= (isAway ? MOST_TRIES_AWAY : MOST_TRIES)) {
          log.error({ fault: message }, 'an update of Telegram is left out')
          return
        }
        if (hasStore) tries += 1
        log.warn({ fault: message }, 'an update of Telegram is tried again')
        await waitFor(retryAfterMs ?? PAUSE_MS, over)
      }
    }
  }
}

/** Any process takes what Telegram posts; it is posted again until it was taken. */
function hooked(bot: Bot, secretToken: string, ready: Ready) {
  const handle = webhookCallback(bot, 'std/http', { secretToken })
  return async (request: Request): Promise<Response> => {
    await ready(AbortSignal.timeout(NAME_WITHIN_MS))
    return handle(request)
  }
}
