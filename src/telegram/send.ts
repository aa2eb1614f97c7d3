import type { Api } from 'grammy'
import { asSignal, faultOf } from '../channels/telegram-api.ts'
import type { Shown } from './question-view.ts'

/** A message on its way to a chat. */
export interface Outgoing extends Shown {
  /** The message of the chat that it answers. */
  replyTo?: number | null
}

const QUIET = { is_disabled: true }

/**
 * Sends a message in its pieces.
 * @returns the numbers of what was sent, in order
 * @throws what grammY throws
 */
export async function sendPieces(
  api: Api,
  chatId: string,
  { pieces, buttons, replyTo }: Outgoing,
  signal: AbortSignal,
): Promise<number[]> {
  const sent: number[] = []
  for (const [index, text] of pieces.entries()) {
    const isLast = index === pieces.length - 1
    const more = {
      link_preview_options: QUIET,
      ...(isLast && buttons ? { reply_markup: buttons } : {}),
      ...(index === 0 && replyTo
        ? { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }
        : {}),
    }
    const { message_id } = await asHtml(api, chatId, text, more, signal)
    sent.push(message_id)
  }
  return sent
}

/** A text that Telegram cannot read as HTML is sent as it is. */
async function asHtml(
  api: Api,
  chatId: string,
  text: string,
  more: object,
  signal: AbortSignal,
): Promise<{ message_id: number }> {
  try {
    return await api.sendMessage(chatId, text, { ...more, parse_mode: 'HTML' }, asSignal(signal))
  } catch (error) {
    const { kind, message } = faultOf(error)
    if (kind !== 'refused' || !/entit/i.test(message)) throw error
    const bare = text.replace(/<[^>]*>/g, '')
    return api.sendMessage(chatId, bare, more, asSignal(signal))
  }
}

/** Takes the buttons of a message away; one that is gone, or has none, needs nothing. */
export async function takeButtons(
  api: Api,
  chatId: string,
  messageId: number,
  signal: AbortSignal,
): Promise<void> {
  await api.editMessageReplyMarkup(chatId, messageId, {}, asSignal(signal)).catch(unlessRefused)
}

/** Marks a message; where the chat allows no reactions, it stays as it is. */
export async function thumbsUp(
  api: Api,
  chatId: string,
  messageId: number,
  signal: AbortSignal,
): Promise<void> {
  // ✅ is not among the reactions that Telegram has.
  await api
    .setMessageReaction(chatId, messageId, [{ type: 'emoji', emoji: '👍' }], {}, asSignal(signal))
    .catch(unlessRefused)
}

function unlessRefused(error: unknown): void {
  if (faultOf(error).kind !== 'refused') throw error
}
