import { EventEmitter } from 'node:events'
import pg from 'pg'
import { CHANNEL, type Delta } from './events.ts'

/** `answered`: inputs whose turn has ended; undefined where anything may have been stored. */
export type Announcement =
  | { type: 'stored'; answered?: readonly string[] }
  | { type: 'delta'; delta: Delta }

/** Somebody waits for the answer to an input. */
export interface AwaitedAnswer {
  /** Resolves once an answer may be there, at the latest after so many milliseconds. */
  within(ms: number): Promise<void>
  end(): void
}

const RECONNECT_MS = 500

/**
 * Hears what the store announces and passes it on by stream. Losing the connection loses nothing that is stored: after
 * it is back everyone is told to look again.
 */
export class EventHub {
  readonly #url: string
  readonly #emitter = new EventEmitter().setMaxListeners(0)
  /** What is being streamed per entity, as far as it was shown. */
  readonly #shown = new Map<string, Omit<Delta, 'offset' | 'stream'>>()
  #client: pg.Client | null = null
  #closed = false

  constructor(url: string) {
    this.#url = url
  }

  async start(): Promise<void> {
    await this.#connect().catch(() => this.#reconnect())
  }

  async stop(): Promise<void> {
    this.#closed = true
    await this.#client?.end().catch(() => {})
  }

  /** Calls `listener` for each announcement of the stream until the returned function is called. */
  subscribe(stream: string, listener: (announcement: Announcement) => void): () => void {
    this.#emitter.on(stream, listener)
    return () => this.#emitter.off(stream, listener)
  }

  /** Listens from now on for the answer to an input of an entity. */
  listenForAnswer(entityId: string, inputId: string): AwaitedAnswer {
    let heard = Promise.withResolvers<void>()
    const end = this.subscribe(entityId, (announcement) => {
      if (announcement.type !== 'stored') return
      if (announcement.answered?.includes(inputId) ?? true) heard.resolve()
    })
    const within = async (ms: number) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      })
      await Promise.race([heard.promise, late])
      clearTimeout(timer)
      heard = Promise.withResolvers<void>()
    }
    return { within, end }
  }

  /** The part of a turn's text that readers have seen so far, or null. */
  shown(entityId: string, turnId: string): { stepKey: string; text: string } | null {
    const shown = this.#shown.get(entityId)
    return shown?.turnId === turnId ? shown : null
  }

  #remember({ stream, turnId, stepKey, attempt, offset, text }: Delta): void {
    const before = this.#shown.get(stream)
    const goesOn = before?.stepKey === stepKey && before.attempt === attempt
    const shown = goesOn ? before.text.slice(0, offset) + text : text
    this.#shown.set(stream, { turnId, stepKey, attempt, text: shown })
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true })
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    client.on('error', () => {})
    client.on('end', () => {
      if (this.#client === client) this.#reconnect()
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    this.#client = client
    for (const stream of this.#emitter.eventNames()) {
      this.#emitter.emit(stream, { type: 'stored' } satisfies Announcement)
    }
  }

  #reconnect(): void {
    this.#client = null
    if (this.#closed) return
    setTimeout(() => {
      if (!this.#closed) this.#connect().catch(() => this.#reconnect())
    }, RECONNECT_MS).unref()
  }

  #hear(payload: string): void {
    const heard = JSON.parse(payload) as Partial<Delta> & { stream: string; answered?: string[] }
    const announcement: Announcement =
      heard.text === undefined
        ? { type: 'stored', ...(heard.answered ? { answered: heard.answered } : {}) }
        : { type: 'delta', delta: heard as Delta }
    if (announcement.type === 'delta') this.#remember(announcement.delta)
    this.#emitter.emit(heard.stream, announcement)
  }
}
