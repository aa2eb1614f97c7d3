import { randomBytes, randomInt } from 'node:crypto'
import type { z } from 'zod'
import {
  type AskedChannel,
  type ChannelName,
  type ChannelView,
  EmailLink,
  PushLink,
  TelegramLink,
  WebhookLink,
} from '../contracts/channel.ts'
import { languageOfTag } from '../domain/language/languages.ts'
import { beginLink, type ChannelRow, readChannels, unlink } from '../store/agenda/channels.ts'
import { noteConfirmation } from '../store/agenda/confirmation-mails.ts'
import { readLearner } from '../store/learners.ts'
import type { Dependencies } from './context.ts'
import { notFound, Problem } from './problem.ts'

const MINUTE_MS = 60_000
/** A code that is typed has no signs that look alike. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 10
const CODE_MS = 10 * MINUTE_MS
const CONFIRM_MS = 24 * 60 * MINUTE_MS

/** What each channel is asked for with. */
export const LINKS = {
  telegram: TelegramLink,
  email: EmailLink,
  push: PushLink,
  webhook: WebhookLink,
}

type Links = { [Name in ChannelName]: z.infer<(typeof LINKS)[Name]> }

type Asking = Pick<Dependencies, 'db' | 'config' | 'linking' | 'log'>

/**
 * A learner wants to be reached over a channel. Push and webhook are linked at once; the others once the code or the link
 * came back over them.
 * @throws {Problem} 409 where the channel is not set up, 429 for too many e-mails, 503 where it could not be sent
 */
export async function askForChannel<Name extends ChannelName>(
  asking: Asking,
  learnerId: string,
  channel: Name,
  link: Links[Name],
): Promise<AskedChannel> {
  switch (channel) {
    case 'telegram':
      return askForTelegram(asking, learnerId)
    case 'email':
      return askForEmail(asking, learnerId, link as Links['email'])
    case 'push': {
      const { subscription } = link as Links['push']
      const place = subscription.endpoint
      await beginLink(asking.db, {
        learnerId,
        channel,
        place,
        address: { subscription },
        code: null,
      })
      return { channel, status: 'linked' }
    }
    default:
      await beginLink(asking.db, { learnerId, channel, address: { ...link }, code: null })
      return { channel, status: 'linked' }
  }
}

async function askForTelegram(
  { db, config, linking }: Asking,
  learnerId: string,
): Promise<AskedChannel> {
  if (!config.telegram) {
    throw new Problem(409, 'Telegram is not set up: TELEGRAM_BOT_TOKEN is missing.')
  }
  const text = Array.from({ length: CODE_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  const code = { text, until: new Date(Date.now() + CODE_MS) }
  await beginLink(db, { learnerId, channel: 'telegram', address: {}, code })
  const name = (await linking?.telegramName?.()) ?? null
  const url = name === null ? {} : { url: `https://t.me/${name}?start=${text}` }
  return { channel: 'telegram', status: 'pending', code: text, ...url }
}

async function askForEmail(
  { db, config, linking, log }: Asking,
  learnerId: string,
  { address }: Links['email'],
): Promise<AskedChannel> {
  if (!config.mail || !linking?.confirmAddress) {
    throw new Problem(409, 'E-mail is not set up: SMTP_URL and MAIL_FROM are missing.')
  }
  const wait = await noteConfirmation(db, learnerId, address)
  if (wait !== null) {
    const minutes = Math.ceil(wait / 60)
    const when = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
    const detail = `Too many mails to confirm an address in one hour; try again ${when}.`
    throw new Problem(429, detail, {}, wait)
  }
  const code = {
    text: randomBytes(24).toString('base64url'),
    until: new Date(Date.now() + CONFIRM_MS),
  }
  await beginLink(db, { learnerId, channel: 'email', address: { address }, code })
  try {
    const learner = await readLearner(db, learnerId)
    const language = languageOfTag(learner?.language ?? '')
    const link = `${config.pageUrl}/channels/confirm/${code.text}`
    await linking.confirmAddress(address, link, language)
  } catch (error) {
    log.warn({ err: error }, 'the link to confirm an address was not sent')
    throw new Problem(503, 'The e-mail could not be sent; try again in a while.')
  }
  return { channel: 'email', status: 'pending' }
}

/** The channels of a learner; what was asked for and not confirmed in its time is none. */
export async function channelsOf(
  { db }: Pick<Dependencies, 'db'>,
  learnerId: string,
): Promise<ChannelView[]> {
  const rows = await readChannels(db, learnerId)
  const now = Date.now()
  const isOver = ({ status, failure, code_until }: ChannelRow) =>
    status === 'pending' && failure === null && (code_until?.getTime() ?? 0) < now
  return rows
    .filter((row) => !isOver(row))
    .map((row) => ({
      channel: row.channel,
      status: row.status,
      place: row.place,
      label: labelOf(row),
      linkedAt: row.linked_at?.toISOString() ?? null,
      failure: row.failure,
    }))
}

function labelOf({ channel, address, place }: ChannelRow): string | null {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  switch (channel) {
    case 'telegram':
      return text(address.name)
    case 'email':
      return text(address.address)
    case 'push':
      return new URL(place).host
    case 'webhook':
      return new URL(text(address.url) ?? '').host
  }
}

/**
 * Takes a channel of a learner out of use; of several only the one of that place, where it is named.
 * @throws {Problem} 404 where there is none
 */
export async function leaveChannel(
  { db }: Pick<Dependencies, 'db'>,
  learnerId: string,
  channel: ChannelName,
  place?: string,
): Promise<void> {
  if ((await unlink(db, learnerId, channel, place)) === 0) throw notFound('channel')
}
