import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { DOMParser, type Element, onErrorStopParsing } from '@xmldom/xmldom'

/** A message of a chat as its people see it. */
export interface SeenMessage {
  id: number
  chatId: number
  from: 'bot' | 'learner'
  /** Without its marks. */
  text: string
  /** As it was sent. */
  html: string
  buttons: { text: string; data?: string; url?: string }[]
  replyTo: number | null
  reactions: string[]
  isDeleted: boolean
}

type Params = Record<string, unknown> & { chat_id?: number | string; message_id?: number }

class Refusal extends Error {
  readonly code: number
  readonly parameters: object
  constructor(code: number, message: string, parameters: object = {}) {
    super(message)
    this.code = code
    this.parameters = parameters
  }
}

/** What Telegram shows as reactions without a paid plan begins with these; ✅ is none of them. */
const REACTIONS = [
  '👍',
  '👎',
  '❤',
  '🔥',
  '🥰',
  '👏',
  '😁',
  '🤔',
  '🎉',
  '🤩',
  '🙏',
  '👌',
  '💯',
  '🏆',
]
const TAGS = ['b', 'strong', 'i', 'em', 'u', 's', 'code', 'pre', 'a', 'blockquote', 'tg-spoiler']

/**
 * A server that speaks the part of the Telegram Bot API that Meno uses, and refuses what Telegram refuses
 * (https://core.telegram.org/bots/api): texts that are too long or whose HTML it cannot read, buttons that carry more than
 * 64 bytes or lead to this machine, reactions that there are not, a second one who polls.
 */
export class TelegramServer {
  readonly token = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
  readonly bot = { id: 110201543, is_bot: true, first_name: 'Meno', username: 'meno_test_bot' }
  readonly messages: SeenMessage[] = []
  /** Calls by method. */
  readonly calls: { method: string; params: Params; at: number }[] = []
  /** Answers to taps, by the id of the tap. */
  readonly tapAnswers = new Map<string, string>()
  /** Calls of these methods are refused so often, with this wait in seconds. */
  limited: { method: string; times: number; retryAfter: number } | null = null
  webhook: { url: string; secret: string | null } | null = null
  conflicts = 0
  url = ''
  readonly #blocked = new Set<number>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  #updates: { update_id: number; [kind: string]: unknown }[] = []
  #nextUpdate = 700_000_001
  #nextMessage = 1
  #poll: { end: (refusal?: Refusal) => void } | null = null

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve()))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  async stop(): Promise<void> {
    this.webhook = null
    this.#poll?.end()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** The settings that lead Meno here. */
  get env() {
    return { TELEGRAM_BOT_TOKEN: this.token, TELEGRAM_API_ROOT: this.url }
  }

  /** What is to be seen in a chat, oldest first. */
  chat(chatId: number): SeenMessage[] {
    return this.messages.filter((message) => message.chatId === chatId && !message.isDeleted)
  }

  /** The learner writes; `other` is a message without text, such as a photo. */
  say(chatId: number, text: string, replyTo: number | null = null, other?: object): SeenMessage {
    const message = this.#add(chatId, 'learner', text, text, [], replyTo)
    const { text: _, ...told } = this.#told(message)
    const command = /^\/\w+/.exec(text)?.[0]
    this.#post({
      message: {
        ...told,
        ...(other ?? { text }),
        ...(command
          ? { entities: [{ type: 'bot_command', offset: 0, length: command.length }] }
          : {}),
      },
    })
    return message
  }

  /** The learner taps a button; returns the tap's id. */
  tap(message: SeenMessage, button: { data?: string } | undefined): string {
    if (button?.data === undefined) throw new Error(`no such button under "${message.text}"`)
    const id = String(this.#nextUpdate * 10)
    this.#post({
      callback_query: {
        id,
        from: person(message.chatId),
        chat_instance: '1',
        message: this.#told(message),
        data: button.data,
      },
    })
    return id
  }

  /** The learner blocks the bot; whether Telegram says so, or the next message is refused. */
  block(chatId: number, isTold = true): void {
    this.#blocked.add(chatId)
    const member = (status: string) => ({ user: this.bot, status, until_date: 0 })
    if (!isTold) return
    this.#post({
      my_chat_member: {
        ...{ chat: chatOf(chatId), from: person(chatId), date: now() },
        ...{ old_chat_member: member('member'), new_chat_member: member('kicked') },
      },
    })
  }

  /** The last update comes again, as after a lost confirmation. */
  repeatLast(): void {
    const last = this.#lastUpdate
    if (last) this.#updates.push(last)
    this.#poll?.end()
    this.#deliver()
  }

  #lastUpdate: { update_id: number } | null = null

  #post(update: object): void {
    const numbered = { update_id: this.#nextUpdate, ...update }
    this.#nextUpdate += 1
    this.#lastUpdate = numbered
    this.#updates.push(numbered)
    this.#poll?.end()
    this.#deliver()
  }

  #delivering = false

  /** To the webhook, one after the other, each until it is taken. */
  async #deliver(): Promise<void> {
    if (this.#delivering) return
    this.#delivering = true
    while (this.webhook && this.#updates.length > 0) {
      const { url, secret } = this.webhook
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret ? { 'X-Telegram-Bot-Api-Secret-Token': secret } : {}),
        },
        body: JSON.stringify(this.#updates[0]),
      }).catch(() => null)
      if (response?.ok) this.#updates.shift()
      else await pause(200)
    }
    this.#delivering = false
  }

  #add(
    chatId: number,
    from: SeenMessage['from'],
    html: string,
    text: string,
    buttons: SeenMessage['buttons'],
    replyTo: number | null,
  ): SeenMessage {
    const id = this.#nextMessage
    this.#nextMessage += 1
    const message = {
      ...{ id, chatId, from, text, html, buttons, replyTo },
      ...{ reactions: [], isDeleted: false },
    }
    this.messages.push(message)
    return message
  }

  #told(message: SeenMessage): Record<string, unknown> {
    const replied = this.messages.find(({ id }) => id === message.replyTo)
    const told: Record<string, unknown> = {
      message_id: message.id,
      date: now(),
      chat: chatOf(message.chatId),
      from: message.from === 'bot' ? this.bot : person(message.chatId),
      text: message.text,
    }
    if (replied) told.reply_to_message = this.#told({ ...replied, replyTo: null })
    return told
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString()
    const params = (body === '' ? {} : JSON.parse(body)) as Params
    try {
      if (token !== this.token) throw new Refusal(401, 'Unauthorized')
      this.calls.push({ method, params, at: Date.now() })
      if (this.limited?.method === method && this.limited.times > 0) {
        this.limited.times -= 1
        const { retryAfter } = this.limited
        const why = `Too Many Requests: retry after ${retryAfter}`
        throw new Refusal(429, why, { retry_after: retryAfter })
      }
      answer(response, 200, { ok: true, result: await this.#call(method, params, response) })
    } catch (error) {
      const { code, message, parameters } =
        error instanceof Refusal ? error : new Refusal(500, String(error))
      answer(response, code, { ok: false, error_code: code, description: message, parameters })
    }
  }

  #call(method: string, params: Params, response: ServerResponse): unknown {
    switch (method) {
      case 'getMe':
        return { ...this.bot, can_join_groups: true, supports_inline_queries: false }
      case 'getUpdates':
        return this.#getUpdates(params, response)
      case 'setWebhook':
        this.webhook = { url: String(params.url), secret: (params.secret_token as string) ?? null }
        this.#deliver()
        return true
      case 'deleteWebhook':
        this.webhook = null
        return true
      case 'setMyCommands':
      case 'sendChatAction':
        return true
      case 'sendMessage':
        return this.#sendMessage(params)
      case 'sendPhoto':
        throw new Refusal(400, 'Bad Request: there is no photo in the request')
      case 'editMessageText': {
        const message = this.#message(params)
        Object.assign(message, readText(params), { buttons: [] })
        return this.#told(message)
      }
      case 'editMessageReplyMarkup': {
        const message = this.#message(params)
        const buttons = buttonsOf(params)
        if (JSON.stringify(buttons) === JSON.stringify(message.buttons)) {
          throw new Refusal(400, 'Bad Request: message is not modified')
        }
        message.buttons = buttons
        return this.#told(message)
      }
      case 'setMessageReaction': {
        const emojis = (params.reaction as { emoji: string }[]).map(({ emoji }) => emoji)
        if (!emojis.every((emoji) => REACTIONS.includes(emoji))) {
          throw new Refusal(400, 'Bad Request: REACTION_INVALID')
        }
        this.#message(params).reactions = emojis
        return true
      }
      case 'answerCallbackQuery':
        this.tapAnswers.set(String(params.callback_query_id), String(params.text ?? ''))
        return true
      case 'deleteMessage':
        this.#message(params).isDeleted = true
        return true
      default:
        throw new Refusal(404, 'Not Found')
    }
  }

  #getUpdates(params: Params, response: ServerResponse): Promise<unknown> {
    if (this.webhook) {
      const why = 'Conflict: can\u2019t use getUpdates method while webhook is active'
      throw new Refusal(409, why)
    }
    if (this.#poll) {
      this.conflicts += 1
      this.#poll.end(new Refusal(409, 'Conflict: terminated by other getUpdates request'))
    }
    const offset = Number(params.offset ?? 0)
    this.#updates = this.#updates.filter(({ update_id }) => update_id >= offset)
    if (this.#updates.length > 0) return Promise.resolve([...this.#updates])
    return new Promise((resolve, reject) => {
      const poll = {
        end: (refusal?: Refusal) => {
          clearTimeout(timer)
          if (this.#poll === poll) this.#poll = null
          if (refusal) reject(refusal)
          else resolve([...this.#updates])
        },
      }
      const timer = setTimeout(() => poll.end(), Number(params.timeout ?? 0) * 1_000)
      // Whoever hangs up polls no more.
      response.once('close', () => poll.end())
      this.#poll = poll
    })
  }

  #sendMessage(params: Params): object {
    const chatId = Number(params.chat_id)
    if (this.#blocked.has(chatId)) throw new Refusal(403, 'Forbidden: bot was blocked by the user')
    if (!this.messages.some((message) => message.chatId === chatId)) {
      throw new Refusal(400, 'Bad Request: chat not found')
    }
    const { text, html } = readText(params)
    const replied = (params.reply_parameters as { message_id: number } | undefined)?.message_id
    const message = this.#add(chatId, 'bot', html, text, buttonsOf(params), replied ?? null)
    return this.#told(message)
  }

  #message({ chat_id, message_id }: Params): SeenMessage {
    const chatId = Number(chat_id)
    if (this.#blocked.has(chatId)) throw new Refusal(403, 'Forbidden: bot was blocked by the user')
    const found = this.chat(chatId).find(({ id }) => id === Number(message_id))
    if (!found) throw new Refusal(400, 'Bad Request: message to edit not found')
    return found
  }
}

const now = () => Math.floor(Date.now() / 1_000)
const chatOf = (id: number) => ({ id, type: 'private', first_name: 'Rosa' })
const person = (id: number) => ({ id, is_bot: false, first_name: 'Rosa', username: `rosa${id}` })

function answer(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function readText(params: Params): { text: string; html: string } {
  const html = String(params.text ?? '')
  const text = params.parse_mode === 'HTML' ? textOfHtml(html) : html
  if (text.trim() === '') throw new Refusal(400, 'Bad Request: message text is empty')
  if (text.length > 4_096) throw new Refusal(400, 'Bad Request: message is too long')
  return { text, html }
}

function textOfHtml(html: string): string {
  try {
    const strict = new DOMParser({ onError: onErrorStopParsing })
    const root = strict.parseFromString(`<message>${html}</message>`, 'text/xml').documentElement
    const foreign = [...(root?.getElementsByTagName('*') ?? [])].find(
      (element: Element) => !TAGS.includes(element.tagName),
    )
    if (foreign) throw new Error(`unsupported start tag "${foreign.tagName}"`)
    return root?.textContent ?? ''
  } catch (error) {
    throw new Refusal(400, `Bad Request: can't parse entities: ${(error as Error).message}`)
  }
}

interface Markup {
  inline_keyboard?: { text: string; callback_data?: string; url?: string }[][]
}

function buttonsOf(params: Params): SeenMessage['buttons'] {
  const rows = (params.reply_markup as Markup | undefined)?.inline_keyboard ?? []
  return rows.flat().map(({ text, callback_data: data, url }) => {
    if (text === '') throw new Refusal(400, 'Bad Request: text buttons must be non-empty')
    if (data !== undefined && Buffer.byteLength(data) > 64) {
      throw new Refusal(400, 'Bad Request: BUTTON_DATA_INVALID')
    }
    if (url !== undefined && !/^https?:\/\/[^/]*[a-z][^/]*\.[a-z]+(?::\d+)?(?:\/|$)/i.test(url)) {
      throw new Refusal(400, 'Bad Request: BUTTON_URL_INVALID')
    }
    return { text, ...(data === undefined ? {} : { data }), ...(url === undefined ? {} : { url }) }
  })
}
