import { createHash } from 'node:crypto'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Notice } from '../contracts/channel.ts'
import { type Channel, ChannelFailure } from './channel.ts'
import { mailAddress, mailbox } from './email/address.ts'
import { confirmMail } from './email/confirm-mail.ts'
import { type MailText, noticeMail } from './email/notice-mail.ts'
import { submitMail } from './email/smtp.ts'
import { unsubscribeToken } from './email/unsubscribe-token.ts'

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  smtpUrl: string
  /** `Meno <meno@example.org>` */
  from: string
  /** Where replies go; null: nowhere that anybody reads. */
  replyTo: string | null
}

/** Headers of one mail beside those that all have. */
interface Envelope {
  to: string
  messageId: string
  /** What mails of one matter refer to, so that a reader shows them together; that mail need not exist. */
  thread: string | null
  headers: Record<string, string>
}

const CONFIRM_TIMEOUT_MS = 20_000

/**
 * Notices by mail; the address is `{address}`. Mail servers hand on what they are given, and few of them look for a
 * `Message-ID` they have seen: a mail that was sent twice is read twice, so the channel does not tell repeats.
 * @param linkSecret signs the links that stop the mail
 * @throws Error where a setting is no address
 */
export function createEmailChannel(settings: MailSettings, linkSecret: string): Channel {
  const sender = createSender(settings)
  return {
    name: 'email',
    tellsRepeats: false,
    async send({ address }, notice, { key, learnerId, pageUrl, signal }) {
      const to = usableAddress(address)
      const unsubscribe = `${pageUrl}/unsubscribe/${unsubscribeToken(linkSecret, learnerId, to)}`
      const links = {
        open: pageUrl + notice.path,
        unsubscribe,
        repliesToPeople: settings.replyTo !== null,
      }
      const messageId = sender.idOf(`notice ${key}`)
      const thread = sender.idOf(`thread ${learnerId} ${threadOf(notice)}`)
      const headers = {
        'Content-Language': notice.language,
        'List-Unsubscribe': `<${unsubscribe}>`,
        // RFC 8058 allows one click over https alone.
        ...(unsubscribe.startsWith('https:') && {
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      }
      await sender.send(await noticeMail(notice, links), { to, messageId, thread, headers }, signal)
      return { messageId }
    },
  }
}

/**
 * What sends the mail that asks whether an address is the one of who gave it. `link` leads to `/channels/confirm/<code>`.
 * @throws Error where a setting is no address; sending throws {ChannelFailure}
 */
export function createAddressConfirmation(settings: MailSettings) {
  const sender = createSender(settings)
  return async (
    address: string,
    link: string,
    language: Notice['language'] = 'en',
  ): Promise<void> => {
    const to = usableAddress(address)
    const messageId = sender.idOf(`confirm ${link}`)
    const headers = { 'Content-Language': language }
    const signal = AbortSignal.timeout(CONFIRM_TIMEOUT_MS)
    const mail = await confirmMail(link, language)
    await sender.send(mail, { to, messageId, thread: null, headers }, signal)
  }
}

/** Reviews of one topic belong together; those of several, and what is of no topic, by their kind. */
function threadOf({ kind, items }: Notice): string {
  const arcs = [...new Set(items.map(({ arcId }) => arcId))]
  return arcs.length === 1 ? `arc ${arcs[0]}` : kind
}

/** @throws {ChannelFailure} `refused` */
function usableAddress(address: unknown): string {
  const usable = typeof address === 'string' ? mailAddress(address) : null
  if (usable === null) throw new ChannelFailure('refused', 'mail: this is no address')
  return usable
}

function createSender({ smtpUrl, from, replyTo }: MailSettings) {
  const sender = mailbox(from)
  const answers = replyTo === null ? null : mailbox(replyTo)
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  return {
    /** The same for the same matter, and of no use to guess it from. */
    idOf: (matter: string): string =>
      `<${createHash('sha256').update(matter).digest('base64url').slice(0, 32)}@${domain}>`,

    async send(mail: MailText, envelope: Envelope, signal: AbortSignal): Promise<void> {
      const { to, messageId, thread, headers } = envelope
      const message = await new MailComposer({
        from: sender,
        to: { name: '', address: to },
        ...(answers && { replyTo: answers }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        messageId,
        ...(thread && { inReplyTo: thread, references: thread }),
        // RFC 3834: no machine answers it.
        headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
        .compile()
        .build()
      await submitMail(smtpUrl, { from: sender.address, to, message }, signal)
    },
  }
}
