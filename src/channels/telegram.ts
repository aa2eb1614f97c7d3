import { Api, InlineKeyboard } from 'grammy'
import type { Notice } from '../contracts/channel.ts'
import { escaped, plainLine, telegramHtml } from '../markup/telegram-html.ts'
import { type Channel, ChannelFailure, type Sending } from './channel.ts'
import { asSignal, clientOptions, faultOf, type TelegramSettings } from './telegram-api.ts'

const MOST_BUTTONS = 3
const ANSWERED = { en: '✓ Answered.', de: '✓ Erledigt.' }

/** What a button that takes up an arc in the chat carries back; 64 bytes at most. */
export const arcButton = (arcId: string): string => `arc:${arcId}`

/** Notices in Telegram: each topic has a button that takes it up in the chat itself. */
export function telegramChannel(settings: TelegramSettings): Channel {
  const api = new Api(settings.token, clientOptions(settings))
  return {
    name: 'telegram',
    tellsRepeats: false,
    async send(address, notice, sending) {
      const chatId = chatOf(address)
      const sent = await told(
        api.sendMessage(
          chatId,
          textOf(notice, sending),
          { ...QUIET, reply_markup: buttonsOf(notice, sending) },
          asSignal(sending.signal),
        ),
      )
      return { chatId, messageId: sent.message_id }
    },
    async withdraw(address, { messageId }, { language }, { signal }) {
      const chatId = chatOf(address)
      const message = Number(messageId)
      try {
        await api.deleteMessage(chatId, message, asSignal(signal))
      } catch (error) {
        // After two days a message cannot be taken back; then it says that there is nothing to do.
        if (faultOf(error).kind !== 'refused') throw failureOf(error)
        await api
          .editMessageText(chatId, message, ANSWERED[language], {}, asSignal(signal))
          .catch((again) => {
            if (faultOf(again).kind !== 'refused') throw failureOf(again)
          })
      }
    },
  }
}

const QUIET = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } } as const

const chatOf = ({ chatId }: Record<string, unknown>): string => String(chatId)

/** @throws {ChannelFailure} */
async function told<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw failureOf(error)
  }
}

function failureOf(cause: unknown): ChannelFailure {
  const { kind, message, retryAfterMs } = faultOf(cause)
  return new ChannelFailure(kind === 'limited' ? 'unavailable' : kind, message, retryAfterMs)
}

function textOf(notice: Notice, { pageUrl }: Sending): string {
  const { title, text, digest, path } = notice
  const lists = digest
    ? [digest.trends, digest.achievements, digest.struggles, digest.nextWeek].map((lines) =>
        lines.map((line) => `• ${escaped(plainLine(line))}`).join('\n'),
      )
    : []
  const words = digest?.body ? telegramHtml(digest.body).slice(0, 1) : []
  // The text of a digest says in lines what its lists say.
  const said = digest ? (digest.headline === title ? '' : digest.headline) : text
  const parts = [`<b>${escaped(title)}</b>`, escaped(said), ...words, ...lists].filter(
    (part) => part !== '',
  )
  const link = escaped(pageUrl + path)
  // A page that only this machine reaches may not stand on a button, and can be read and typed.
  if (!isPublic(pageUrl)) parts.push(link)
  // The marks of what is cut off would be open: then the notice is its title and its text.
  const whole = parts.join('\n\n')
  return whole.length <= 4_000 ? whole : `${parts[0]}\n\n${escaped(text.slice(0, 3_000))}`
}

function buttonsOf({ items, path, action }: Notice, { pageUrl }: Sending): InlineKeyboard {
  const keyboard = new InlineKeyboard()
  const topics = new Map(items.map(({ arcId, topic }) => [arcId, topic]))
  for (const [arcId, topic] of [...topics].slice(0, MOST_BUTTONS)) {
    keyboard.text(plainLine(topic).slice(0, 60), arcButton(arcId)).row()
  }
  return isPublic(pageUrl) ? keyboard.url(plainLine(action).slice(0, 60), pageUrl + path) : keyboard
}

/** Telegram refuses buttons that lead to this machine or a name without a dot. */
export function isPublic(pageUrl: string): boolean {
  const { hostname } = new URL(pageUrl)
  return hostname.includes('.') && !/^(?:127\.|\[|localhost$)/.test(hostname)
}
