import { EventEmitter } from 'node:events'
import pg from 'pg'
import { ARC_CHANNEL } from './events.ts'

export interface Delta {
  arcId: string
  turnId: string
  stepKey: string
  attempt: number
  offset: number
  text: string
}

/** `answered` is the learner's message whose turn has ended; undefined where anything may have been stored. */
export type Announcement =
  | { type: 'stored'; answered?: string | null }
  | { type: 'delta'; delta: Delta }

const RECONNECT_MS = 500

/**
 * Hears what the store announces and passes it on by arc. Losing the connection loses nothing stored:
 * after it is back everyone is told to look again.
 */
export class EventHub {
  readonly #url: string
  readonly #emitter = new EventEmitter().setMaxListeners(0)
  /** What is being streamed per arc, as far as it was shown. */
  readonly #shown = new Map<
    string,
    { turnId: string; stepKey: string; attempt: number; text: string }
  >()
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

  /** Calls `listener` for each announcement of the arc until the returned function is called. */
  subscribe(arcId: string, listener: (announcement: Announcement) => void): () => void {
    this.#emitter.on(arcId, listener)
    return () => this.#emitter.off(arcId, listener)
  }

  /**
   * Waits until `work` has ended or something has been stored under that id: what is in the store is the answer, also
   * while Temporal is still writing that it was given.
   * @throws what `work` throws, if that comes first; what it throws later is for whoever waits for it, if anybody does
   */
  async storedOrDone(id: string, work: Promise<unknown>): Promise<void> {
    work.catch(() => {})
    const stored = Promise.withResolvers<void>()
    const unsubscribe = this.subscribe(id, () => stored.resolve())
    await Promise.race([work, stored.promise]).finally(unsubscribe)
  }

  /** Resolves when a message of the arc may have been answered, or after `ms`. */
  async nextAnswer(arcId: string, messageId: string, ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer)
        unsubscribe()
        resolve()
      }
      const timer = setTimeout(done, ms)
      const unsubscribe = this.subscribe(arcId, (announcement) => {
        if (announcement.type !== 'stored') return
        const { answered = messageId } = announcement
        if (answered === messageId) done()
      })
    })
  }

  /** The part of a turn's text that readers have seen so far, or null. */
  shown(arcId: string, turnId: string): { stepKey: string; text: string } | null {
    const shown = this.#shown.get(arcId)
    return shown?.turnId === turnId ? shown : null
  }

  #remember({ arcId, turnId, stepKey, attempt, offset, text }: Delta): void {
    const before = this.#shown.get(arcId)
    const goesOn = before?.stepKey === stepKey && before.attempt === attempt
    const shown = goesOn ? before.text.slice(0, offset) + text : text
    this.#shown.set(arcId, { turnId, stepKey, attempt, text: shown })
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true })
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    client.on('error', () => {})
    client.on('end', () => {
      if (this.#client === client) this.#reconnect()
    })
    await client.connect()
    await client.query(`listen ${ARC_CHANNEL}`)
    this.#client = client
    for (const arcId of this.#emitter.eventNames()) {
      this.#emitter.emit(arcId, { type: 'stored' } satisfies Announcement)
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
    const heard = JSON.parse(payload) as Partial<Delta> & { arcId: string; answered?: string }
    const announcement: Announcement =
      heard.text === undefined
        ? { type: 'stored', answered: heard.answered ?? null }
        : { type: 'delta', delta: heard as Delta }
    if (announcement.type === 'delta') this.#remember(announcement.delta)
    this.#emitter.emit(heard.arcId, announcement)
  }
}
