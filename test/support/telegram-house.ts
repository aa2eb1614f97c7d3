import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { createApp } from '../../src/api/app.ts'
import { telegramChannel } from '../../src/channels/telegram.ts'
import type { Dependencies } from '../../src/commands/context.ts'
import type { Course } from '../../src/contracts/course-pack.ts'
import { startTelegram } from '../../src/telegram/service.ts'
import { type ArcApi, createArcApi } from './arc-api.ts'
import { smallCourse } from './small-course.ts'
import { type SeenMessage, TelegramServer } from './telegram-server.ts'

/** A house with a bot before the stand-in of Telegram. */
export interface TelegramHouse {
  readonly api: ArcApi
  readonly telegram: TelegramServer
  /** Where the API with the bot answers. */
  readonly url: string
  /** Another process of the API, with a bot of its own; returns how it is stopped. */
  another(): Promise<{ url: string; stop: () => Promise<void> }>
  /** A chat that is linked to a learner of that handle. */
  chat(handle: string): Promise<TestChat>
  stop(): Promise<void>
}

/** A learner in their chat. */
export interface TestChat {
  readonly id: number
  readonly handle: string
  say(text: string, replyTo?: SeenMessage): SeenMessage
  /** Taps the button whose text contains this, under the newest message that has it. */
  tap(text: string): string
  seen(): SeenMessage[]
  /** Waits until a message of the bot contains this, and none of those before `after`. */
  until(text: string | RegExp, after?: number): Promise<SeenMessage>
  /** Waits for a question's message. */
  untilSeen(wanted: (messages: SeenMessage[]) => boolean): Promise<SeenMessage[]>
}

let nextChat = 5_000_001

/** Opens it; `webhookSecret` has Telegram post its updates. Nudges go out over the bot too. */
export async function openTelegramHouse(
  webhookSecret: string | null = null,
  { course = smallCourse(), dayMs }: { course?: Course; dayMs?: number } = {},
): Promise<TelegramHouse> {
  const telegram = await new TelegramServer().start()
  const { token, url: apiRoot } = telegram
  const channels = [telegramChannel({ token, apiRoot, webhookSecret })]
  const api = await createArcApi(course, { channels, ...(dayMs ? { dayMs } : {}) })
  const open = async () => {
    // The address is known only when it is served: the app comes after.
    let app: ReturnType<typeof createApp> | null = null
    const server = serve({
      fetch: (request) => app?.fetch(request) ?? new Response(null, { status: 503 }),
      hostname: '127.0.0.1',
      port: 0,
    })
    await new Promise<void>((resolve) => server.once('listening', () => resolve()))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const settings = { token: telegram.token, apiRoot: telegram.url, webhookSecret }
    const { dependencies: given } = api.world
    const dependencies: Dependencies = {
      ...given,
      config: { ...given.config, telegram: settings, pageUrl: url },
    }
    const bot = startTelegram(dependencies, settings, api.world.database.url)
    app = createApp({
      ...dependencies,
      linking: { telegramName: bot.name },
      ...(bot.webhook ? { telegram: bot.webhook } : {}),
    })
    return {
      url,
      async stop() {
        await bot.stop()
        if ('closeAllConnections' in server) server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }
  const first = await open()
  return {
    api,
    telegram,
    url: first.url,
    another: open,
    async chat(handle) {
      const id = nextChat
      nextChat += 1
      const chat = testChat(telegram, id, handle)
      await api.post('/api/arcs', { topic: 'nothing', learnerId: handle })
      const { body } = await call(first.url, handle, 'telegram')
      chat.say(`/start ${body.code}`)
      await chat.until('yours now')
      return chat
    },
    async stop() {
      await first.stop()
      await telegram.stop()
      await api.stop()
    },
  }
}

/** Asks for a channel. */
export async function call(url: string, handle: string, channel: string) {
  const response = await fetch(`${url}/api/learners/${handle}/channels/${channel}`, {
    method: 'POST',
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { status: response.status, body: (await response.json()) as any }
}

export function testChat(telegram: TelegramServer, id: number, handle: string): TestChat {
  const seen = () => telegram.chat(id)
  const untilSeen: TestChat['untilSeen'] = async (wanted) => {
    const deadline = Date.now() + 45_000
    while (!wanted(seen())) {
      if (Date.now() > deadline) {
        const told = seen().map(({ from, text }) => `${from}: ${text}`)
        throw new Error(`waited in vain in the chat:\n${told.join('\n')}`)
      }
      await pause(50)
    }
    return seen()
  }
  const has = (message: SeenMessage, text: string | RegExp) =>
    message.from === 'bot' &&
    (typeof text === 'string' ? message.text.includes(text) : text.test(message.text))
  return {
    id,
    handle,
    say: (text, replyTo) => telegram.say(id, text, replyTo?.id ?? null),
    tap(text) {
      for (const message of seen().reverse()) {
        const button = message.buttons.find((one) => one.text.includes(text))
        if (button) return telegram.tap(message, button)
      }
      throw new Error(`no button "${text}"`)
    },
    seen,
    untilSeen,
    async until(text, after = 0) {
      const found = (messages: SeenMessage[]) =>
        messages.find((message) => message.id > after && has(message, text))
      return found(await untilSeen((messages) => found(messages) !== undefined)) as SeenMessage
    },
  }
}
