import { Bot, type Context } from 'grammy'
import { clientOptions, faultOf, type TelegramSettings } from '../channels/telegram-api.ts'
import type { Dependencies } from '../commands/context.ts'
import { channelGone, confirmLink } from '../store/agenda/channels.ts'
import { type Chat, findChat } from '../store/telegram/chats.ts'
import {
  beginCourse,
  beginTopic,
  chooseArc,
  say,
  type Turn,
  takeAction,
  takeTap,
  takeText,
  tellTopics,
} from './conversation.ts'
import type { QuestionAction } from './question-view.ts'
import { takeButtons } from './send.ts'
import { wordsIn } from './words.ts'

/** The kinds of updates that the bot asks for. */
export const ALLOWED_UPDATES = ['message', 'callback_query', 'my_chat_member'] as const

/**
 * The bot: what it does with each update. An update that comes twice has one effect; a handler that throws is to be run
 * again.
 */
export function createBot(
  dependencies: Dependencies,
  settings: TelegramSettings,
  ended: AbortSignal,
): Bot {
  const { db } = dependencies
  const bot = new Bot(settings.token, { client: clientOptions(settings) })
  const privately = bot.chatType('private')

  /** What a linked chat does; one that is not linked is told how to be. */
  const linked =
    <C extends Context>(handle: (turn: Turn, ctx: C) => Promise<void>) =>
    async (ctx: C): Promise<void> => {
      const chat = ctx.chat && (await findChat(db, ctx.chat.id))
      if (!chat) {
        if (ctx.callbackQuery) await ctx.answerCallbackQuery().catch(ignoreRefused)
        await answer(ctx, wordsIn(ctx.from?.language_code ?? '').howToLink)
        return
      }
      const updateKey = `telegram-${ctx.me.id}-${ctx.update.update_id}`
      const turn = { dependencies, api: bot.api, chat, updateKey, signal: ended }
      await told(chat, handle(turn, ctx))
    }

  /** A chat that takes nothing any more is unlinked; its updates need no answer. */
  async function told(chat: Chat, handled: Promise<void>): Promise<void> {
    try {
      await handled
    } catch (error) {
      const { kind, message } = faultOf(error)
      if (kind !== 'gone') throw error
      await channelGone(db, chat.channelId, message)
    }
  }

  bot.on('my_chat_member', async (ctx) => {
    if (ctx.myChatMember.new_chat_member.status !== 'kicked') return
    const chat = await findChat(db, ctx.chat.id)
    if (chat) await channelGone(db, chat.channelId, 'the bot was blocked by the user')
  })
  privately.command('start', async (ctx) => {
    const code = ctx.match.trim().toUpperCase()
    const words = wordsIn(ctx.from?.language_code ?? '')
    const chat = await findChat(db, ctx.chat.id)
    if (code === '') return answer(ctx, chat ? wordsIn(chat.language).help : words.howToLink)
    const { username, first_name: first } = ctx.from
    const address = { chatId: String(ctx.chat.id), name: username ? `@${username}` : first }
    const row = await confirmLink(db, 'telegram', code, address)
    // The code of a link that is followed again, or of an update that comes again, is used up by then.
    await answer(ctx, row ? words.linked : chat ? words.linkedAlready : words.codeUnknown)
  })
  privately.command(
    'topics',
    linked((turn) => tellTopics(turn)),
  )
  privately.command(
    'new',
    linked((turn, ctx) => beginTopic(turn, String(ctx.match ?? '').trim())),
  )
  privately.command(
    'help',
    linked((turn) => say(turn, wordsIn(turn.chat.language).help)),
  )
  privately.on(
    'message:text',
    linked(async (turn, ctx) => {
      const { message_id: messageId, reply_to_message: replied } = ctx.message
      const text = ctx.message.text.replace(/^\/(\w+)(?:@\w+)?/, '$1')
      await takeText(turn, { messageId, text, repliesTo: replied?.message_id ?? null })
    }),
  )
  privately.on(
    'message',
    linked((turn) => say(turn, wordsIn(turn.chat.language).onlyText)),
  )
  privately.callbackQuery(
    /^q:([0-9a-f-]{36}):(\d{1,2})$/,
    linked(async (turn, ctx) => {
      const [, questionId = '', index = ''] = ctx.match
      const text = await takeTap(turn, questionId, Number(index))
      await ctx.answerCallbackQuery({ text: text.slice(0, 200) }).catch(ignoreRefused)
      const shown = ctx.callbackQuery.message
      if (shown) await takeButtons(bot.api, turn.chat.chatId, shown.message_id, ended)
    }),
  )
  privately.callbackQuery(
    /^do:([0-9a-f-]{36}):(hint|skip|dont_know)$/,
    linked(async (turn, ctx) => {
      const [, questionId = '', action = ''] = ctx.match
      const { text, isDone } = await takeAction(turn, questionId, action as QuestionAction)
      await ctx.answerCallbackQuery({ text }).catch(ignoreRefused)
      const shown = ctx.callbackQuery.message
      if (shown && isDone) await takeButtons(bot.api, turn.chat.chatId, shown.message_id, ended)
    }),
  )
  privately.callbackQuery(
    /^arc:(.+)$/,
    linked(async (turn, ctx) => {
      await ctx.answerCallbackQuery().catch(ignoreRefused)
      await chooseArc(turn, ctx.match[1] ?? '')
    }),
  )
  privately.callbackQuery(
    /^new:(.+)$/,
    linked(async (turn, ctx) => {
      await ctx.answerCallbackQuery().catch(ignoreRefused)
      await beginCourse(turn, ctx.match[1] ?? '')
    }),
  )
  return bot
}

/** Says something where there may be no linked chat; one that takes nothing is left alone. */
async function answer(ctx: Context, text: string): Promise<void> {
  await ctx.reply(text, { parse_mode: 'HTML' }).catch((error) => {
    if (!['gone', 'refused'].includes(faultOf(error).kind)) throw error
  })
}

/** A tap that is too old cannot be answered. */
function ignoreRefused(error: unknown): void {
  if (faultOf(error).kind !== 'refused') throw error
}
