import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { mailbox } from './channels/email/address.ts'
import { ModelPrice } from './contracts/operator.ts'

const blankIsUnset = (value: unknown) => (value === '' ? undefined : value)
const optional = (schema: z.ZodType<string>) => z.preprocess(blankIsUnset, schema.optional())
const text = z.string()
const ModelPrices = z.record(z.string(), ModelPrice)

/** What the driver reads: a URL, which may leave out the host, or a socket. */
function isDatabase(url: string): boolean {
  if (/^(?:socket:)?\//.test(url)) return true
  return /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url.replace('@/', '@localhost/'))
}

const Environment = z.object({
  PORT: z.preprocess(blankIsUnset, z.coerce.number().int().min(0).max(65_535).default(3000)),
  HOST: z.preprocess(blankIsUnset, text.default('127.0.0.1')),
  DATABASE_URL: optional(
    text.refine(isDatabase, 'a URL that begins with postgresql://, or the path of a socket'),
  ),
  ANTHROPIC_API_KEY: optional(text),
  ANTHROPIC_BASE_URL: optional(z.url()),
  MENO_MODEL_TUTOR: z.preprocess(blankIsUnset, text.default('claude-opus-5-5')),
  MENO_MODEL_FAST: z.preprocess(blankIsUnset, text.default('claude-haiku-5-5')),
  MENO_LLM_CONCURRENCY: z.preprocess(
    blankIsUnset,
    z.coerce.number().int().min(1).max(100).default(3),
  ),
  MENO_HOME: z.preprocess(blankIsUnset, text.default('.meno')),
  MENO_DAY_SECONDS: z.preprocess(
    blankIsUnset,
    z.coerce.number().min(1).max(86_400).default(86_400),
  ),
  MENO_AUTH: z.preprocess(
    blankIsUnset,
    z.literal('local', 'there is no log-in yet; only "local" is known, for one learner').optional(),
  ),
  MENO_WORKER_METRICS_PORT: z.preprocess(
    blankIsUnset,
    z.coerce.number().int().min(1).max(65_535).optional(),
  ),
  MENO_URL: optional(z.url()),
  TELEGRAM_BOT_TOKEN: optional(text),
  TELEGRAM_API_ROOT: optional(z.url()),
  TELEGRAM_WEBHOOK_SECRET: optional(
    text.regex(/^[\w-]{1,256}$/, 'up to 256 letters, digits, _ and - (as Telegram wants it)'),
  ),
  SMTP_URL: optional(z.url()),
  MAIL_FROM: optional(text),
  MAIL_REPLY_TO: optional(text),
  // Read where reports are sent (channels/lms-webhook.ts).
  LMS_WEBHOOK_URL: optional(
    z.url({ protocol: /^https?$/, error: 'a URL that begins with https:// or http://' }),
  ),
  MENO_TEMPORAL_UI_URL: optional(z.url()),
  MENO_MODEL_PRICES: optional(text),
  MENO_COURSES: z.preprocess(blankIsUnset, text.default('courses')),
})

export interface Config {
  host: string
  port: number
  databaseUrl: string | null
  model: { apiKey: string; baseUrl: string | null; tutor: string; fast: string } | null
  llmConcurrency: number
  /** Absolute. */
  home: string
  dayMs: number
  auth: 'local'
  /** The loopback port where the worker tells its metrics, and the API looks for them. */
  workerMetricsPort: number | null
  /** Where learners reach the page, without a slash at the end: links that are sent lead there. */
  pageUrl: string
  /** The channels that are set up; null: off. */
  telegram: { token: string; apiRoot: string; webhookSecret: string | null } | null
  /** `replyTo`: where replies to mails go; null: nobody reads them. */
  mail: { smtpUrl: string; from: string; replyTo: string | null } | null
  /** Where a browser reaches the Temporal UI, without a slash at the end; null: not known. */
  temporalUiUrl: string | null
  /** By model; none is known unless set. */
  modelPrices: Record<string, ModelPrice>
  /** Absolute folder of the course packs. */
  coursesFolder: string
}

/** The settings are wrong; each line of the message names one and what it must be. */
export class ConfigError extends Error {}

/** Whether a host name or address is this machine's own. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/

/**
 * The settings from the environment; a `.env` file in the project has been read into it before.
 * @throws {ConfigError}
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(env)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(lines.join('\n'))
  }
  const settings = parsed.data
  if (!isLoopback(settings.HOST)) {
    throw new ConfigError(
      `HOST: without log-in Meno listens on loopback only, not on ${settings.HOST}. Set HOST=127.0.0.1.`,
    )
  }
  return {
    host: settings.HOST,
    port: settings.PORT,
    databaseUrl: settings.DATABASE_URL ?? null,
    model: modelOf(settings),
    llmConcurrency: settings.MENO_LLM_CONCURRENCY,
    home: path.resolve(settings.MENO_HOME),
    dayMs: Math.round(settings.MENO_DAY_SECONDS * 1000),
    auth: 'local',
    workerMetricsPort: settings.MENO_WORKER_METRICS_PORT ?? null,
    pageUrl: (settings.MENO_URL ?? pageAt(settings.HOST, settings.PORT)).replace(/\/+$/, ''),
    telegram: telegramOf(settings),
    mail: mailOf(settings),
    temporalUiUrl: settings.MENO_TEMPORAL_UI_URL?.replace(/\/+$/, '') ?? null,
    modelPrices: pricesOf(settings.MENO_MODEL_PRICES),
    coursesFolder: path.resolve(settings.MENO_COURSES),
  }
}

const pageAt = (host: string, port: number) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

function telegramOf(settings: z.infer<typeof Environment>): Config['telegram'] {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot } = settings
  if (!token) return null
  return {
    token,
    apiRoot: (apiRoot ?? 'https://api.telegram.org').replace(/\/+$/, ''),
    webhookSecret: settings.TELEGRAM_WEBHOOK_SECRET ?? null,
  }
}

/** @throws {ConfigError} where there is a server that cannot be used, or no sender */
function mailOf({
  SMTP_URL: smtpUrl,
  MAIL_FROM: from,
  MAIL_REPLY_TO: replyTo,
}: z.infer<typeof Environment>): Config['mail'] {
  if (!smtpUrl) return null
  if (!/^smtps?:\/\/./.test(smtpUrl)) {
    throw new ConfigError('SMTP_URL: it begins with smtp:// or smtps://')
  }
  if (!from) throw new ConfigError('MAIL_FROM: with SMTP_URL the sender has to be named')
  requireMailbox('MAIL_FROM', from)
  if (replyTo) requireMailbox('MAIL_REPLY_TO', replyTo)
  return { smtpUrl, from, replyTo: replyTo ?? null }
}

/** @throws {ConfigError} where a setting is not one address */
function requireMailbox(name: string, setting: string): void {
  try {
    mailbox(setting)
  } catch (error) {
    throw new ConfigError(`${name}: ${(error as Error).message}`)
  }
}

/** @throws {ConfigError} where they cannot be read */
function pricesOf(json: string | undefined): Config['modelPrices'] {
  if (json === undefined) return {}
  try {
    return ModelPrices.parse(JSON.parse(json))
  } catch {
    throw new ConfigError(
      'MENO_MODEL_PRICES: JSON of US dollars for a million tokens by model, such as {"my-model":{"input":3,"output":15}}; "cacheRead" and "cacheWrite" may be added',
    )
  }
}

/** A server of one's own may need no key; the hosted one always does. */
function modelOf(settings: z.infer<typeof Environment>): Config['model'] {
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = settings
  if (!apiKey && !baseUrl) return null
  return {
    apiKey: apiKey ?? 'none',
    baseUrl: baseUrl ?? null,
    tutor: settings.MENO_MODEL_TUTOR,
    fast: settings.MENO_MODEL_FAST,
  }
}

/** Where what was fetched or built is kept: `meno` in the user's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  return path.join(env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'meno')
}

/** Where what the files of courses say is kept, so that the next start need not read YAML. */
export const coursesCache = (): string => path.join(cacheFolder(), 'courses')

/** Reads `.env` where there is one; what the environment already says wins. */
export function loadEnvFile(file = '.env'): void {
  try {
    process.loadEnvFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
