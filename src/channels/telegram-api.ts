import { type ApiClientOptions, GrammyError, HttpError } from 'grammy'

/** The settings `TELEGRAM_…`. */
export interface TelegramSettings {
  token: string
  apiRoot: string
  webhookSecret: string | null
}

/** How long `getUpdates` waits for something to come, in seconds. */
export const POLL_SECONDS = 25

/** How the Bot API is called: no call takes longer than a long poll and some. */
export const clientOptions = ({ apiRoot }: TelegramSettings): ApiClientOptions => ({
  apiRoot,
  timeoutSeconds: POLL_SECONDS + 10,
})

/** Node's own signal, as grammY's types want it. */
export const asSignal = (signal: AbortSignal): never => signal as never

/** What a call that failed means for who made it; `gone`: the chat takes nothing any more. */
export interface TelegramFault {
  kind: 'gone' | 'refused' | 'limited' | 'unavailable' | 'uncertain'
  retryAfterMs: number | null
  /** Says what went wrong, without the bot's token. */
  message: string
}

const GONE = /chat not found|user is deactivated|bot was kicked|bot can't initiate conversation/i
/** The request has certainly not left. */
const NOT_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/

/** Reads what a call of the Bot API threw. Errors of the network name the address called, with the token: only their code is told. */
export function faultOf(error: unknown): TelegramFault {
  if (error instanceof GrammyError) return answeredFault(error)
  const cause = error instanceof HttpError ? (error.error as { code?: string } | null) : null
  const code = cause?.code ?? ''
  const kind = NOT_SENT.test(code) ? 'unavailable' : 'uncertain'
  const message = `Telegram could not be reached${code === '' ? '' : `: ${code}`}`
  return { kind, retryAfterMs: null, message: cause ? message : String(error) }
}

function answeredFault({ error_code: code, description, parameters }: GrammyError): TelegramFault {
  const told = { message: `${code}: ${description}`, retryAfterMs: null }
  if (code === 403 || (code === 400 && GONE.test(description))) return { kind: 'gone', ...told }
  if (code === 429) {
    return { ...told, kind: 'limited', retryAfterMs: (parameters.retry_after ?? 1) * 1_000 }
  }
  // A token that is refused, or a server that is none of Telegram's: nothing was taken.
  if (code === 401 || code === 404) return { kind: 'unavailable', ...told }
  return { kind: code >= 500 ? 'uncertain' : 'refused', ...told }
}
