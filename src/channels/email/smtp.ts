import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection, {
  type SMTPConnectionAuth,
  type SMTPConnectionOptions,
} from 'nodemailer/lib/smtp-connection'
import { ChannelFailure } from '../channel.ts'

/** A mail as it goes over the wire. */
export interface Submission {
  from: string
  to: string
  message: Buffer
}

/** What a failed step of nodemailer tells. */
interface SmtpFault extends Error {
  code?: string
  command?: string
  response?: string
  responseCode?: number
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 10_000 }
const SILENCE_MS = 30_000

/** Enhanced codes (RFC 3463) that say: there is no such mailbox, or nobody uses it any more. */
const NO_MAILBOX = /^5\d\d[ -]5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b/

/**
 * Gives one mail to the server of an `SMTP_URL`, over a connection of its own: few are sent, and it tells how far it got.
 * @returns what the server called it
 * @throws {ChannelFailure}
 */
export async function submitMail(
  smtpUrl: string,
  { from, to, message }: Submission,
  signal: AbortSignal,
): Promise<string> {
  const { auth, ...server } = parseConnectionUrl(smtpUrl)
  const options = { ...TIMEOUTS, socketTimeout: SILENCE_MS, ...server } as SMTPConnectionOptions
  const connection = new SMTPConnection(options)
  const { promise: broken, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new Error('it took too long'))
  connection.on('error', reject)
  connection.once('end', () => reject(new Error('the connection ended')))
  signal.addEventListener('abort', abort, { once: true })
  // The server has asked for the text only when it is read.
  let begun = false
  const text = new Readable({
    read() {
      begun = true
      this.push(message)
      this.push(null)
    },
  })
  const submitted = async () => {
    signal.throwIfAborted()
    await done((next) => connection.connect(next))
    if (auth && connection.allowsAuth) {
      await done((next) => connection.login(auth as SMTPConnectionAuth, next))
    }
    const envelope = { from, to, size: message.length }
    return done<{ response: string }>((next) => connection.send(envelope, text, next))
  }
  try {
    const { response } = await Promise.race([submitted(), broken])
    connection.quit()
    return response
  } catch (error) {
    connection.close()
    throw failureOf(error as SmtpFault, begun)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** A step with a callback as a promise. */
const done = <T>(step: (next: (error?: Error | null, value?: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) =>
    step((error, value) => (error ? reject(error) : resolve(value as T))),
  )

/** What a fault means for the mail; `begun`: its text was on the way. */
function failureOf(error: SmtpFault, begun: boolean): ChannelFailure {
  const { command = '', response, responseCode: code } = error
  const failure = (kind: ChannelFailure['kind']) =>
    new ChannelFailure(kind, `mail: ${error.message}`, null, { cause: error })
  if (code === undefined) {
    // Checked before anything is sent: an address that the server cannot be told.
    if (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') return failure('refused')
    return failure(begun ? 'uncertain' : 'unavailable')
  }
  if (code < 500) return failure('unavailable')
  if (command === 'RCPT TO' && NO_MAILBOX.test(response ?? '')) return failure('gone')
  // Without the code of the mailbox a refusal may be of the relay itself: the address is not given up for that.
  if (command === 'RCPT TO' || command === 'DATA') return failure('refused')
  // Log-in, encryption or sender are not taken: an operator can mend that.
  return failure('unavailable')
}
