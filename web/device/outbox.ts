import { backOff } from '../../src/client/event-stream.ts'
import type { Outgoing, WaitingMessage } from './outgoing.ts'
import {
  dropMessage,
  keepMessage,
  noteRefusal,
  OUTBOX_CHANNEL,
  type OutboxNews,
  type Outcome,
  type Send,
  SYNC_TAG,
  sendOne,
  sendWaiting,
  waitingMessages,
} from './waiting-messages.ts'

const LONGEST_PAUSE_MS = 30_000

/** What the learner has said and no server has told back, of all arcs; kept on the device, and sent by itself. */
export class Outbox {
  private entries: readonly Outgoing[] = []
  private readonly listeners = new Set<() => void>()
  private readonly news = new BroadcastChannel(OUTBOX_CHANNEL)
  private readonly send: Send
  private failures = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private sending: Promise<void> | null = null
  private isAskedAgain = false

  constructor(send: Send) {
    this.send = send
  }

  /** Begins to send what an earlier window left, and tries again whenever there is hope. */
  start(): void {
    this.news.onmessage = ({ data }: MessageEvent<OutboxNews>) => {
      if ('sent' in data) this.change(data.sent, { state: 'sent' })
      else if ('dropped' in data) this.forget(data.dropped)
      else void this.read()
    }
    window.addEventListener('online', this.wake)
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.wake()
    })
    void this.read().then(this.wake)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  all = (): readonly Outgoing[] => this.entries

  /** Takes a message over, shown at once; `draft` names the draft that it was. */
  async add(message: WaitingMessage, draft?: string): Promise<void> {
    this.set([...this.entries, { ...message, state: 'waiting', isKept: false }])
    try {
      await keepMessage(message, draft)
      this.change(message.messageId, { isKept: true })
      this.tell({ changed: true })
    } catch {
      // A browser that keeps nothing: it is shown as not kept, and sent from memory.
    }
    this.wake()
  }

  /** Tries a message again that was refused, or everything at once instead of later. */
  async retry(messageId: string): Promise<void> {
    await noteRefusal(messageId, undefined).catch(() => {})
    this.entries = this.entries.map((entry) =>
      entry.messageId === messageId ? { ...bare(entry), state: 'waiting' } : entry,
    )
    this.set(this.entries)
    this.wake()
  }

  async discard(messageId: string): Promise<void> {
    await dropMessage(messageId).catch(() => {})
    this.forget(messageId)
    this.tell({ dropped: messageId })
  }

  /** The server has told these back: they stand in the transcript now. */
  settle(messageIds: ReadonlySet<string>): void {
    const left = this.entries.filter(
      ({ messageId, state }) => state !== 'sent' || !messageIds.has(messageId),
    )
    if (left.length < this.entries.length) this.set(left)
  }

  /** Tries to send now. */
  wake = (): void => {
    clearTimeout(this.timer)
    if (this.sending) {
      this.isAskedAgain = true
      return
    }
    this.sending = this.run().finally(() => {
      this.sending = null
      if (!this.isAskedAgain) return
      this.isAskedAgain = false
      this.wake()
    })
  }

  private async run(): Promise<void> {
    const isThrough = (await this.sendKept()) && (await this.sendUnkept())
    this.failures = isThrough ? 0 : this.failures + 1
    if (isThrough) return
    this.timer = setTimeout(this.wake, backOff(this.failures, LONGEST_PAUSE_MS))
    await askForSync()
  }

  private async sendKept(): Promise<boolean> {
    return sendWaiting(this.send, this.note).catch(() => false)
  }

  private async sendUnkept(): Promise<boolean> {
    for (const entry of this.entries) {
      if (entry.isKept || entry.state !== 'waiting') continue
      const outcome = await sendOne(this.send, entry)
      this.note(entry, outcome)
      if (outcome !== 'sent' && 'trouble' in outcome) return false
    }
    return true
  }

  private note = ({ messageId }: WaitingMessage, outcome: Outcome): void => {
    if (outcome === 'sent') {
      this.change(messageId, { state: 'sent' })
      this.tell({ sent: messageId })
    } else if ('refusal' in outcome) {
      this.change(messageId, { state: 'refused', refusal: outcome.refusal })
      this.tell({ changed: true })
    } else {
      this.change(messageId, { trouble: outcome.trouble })
    }
  }

  /** Brings what is shown in step with what is kept: another window may have added, sent or dropped. */
  private async read(): Promise<void> {
    const kept = await waitingMessages().catch(() => [])
    const shown = new Map(this.entries.map((entry) => [entry.messageId, entry]))
    const waiting = kept.map((message): Outgoing => {
      const state = message.refusal === undefined ? 'waiting' : 'refused'
      return { ...shown.get(message.messageId), ...message, state, isKept: true }
    })
    const known = new Set(waiting.map(({ messageId }) => messageId))
    // What was kept and is not any more was sent by somebody: what is dropped is told apart.
    const others = this.entries
      .filter(({ messageId }) => !known.has(messageId))
      .map((entry): Outgoing => (entry.isKept ? { ...bare(entry), state: 'sent' } : entry))
    this.set([...others, ...waiting].sort((a, b) => a.typedAt - b.typedAt))
  }

  private forget(messageId: string): void {
    this.set(this.entries.filter((entry) => entry.messageId !== messageId))
  }

  private tell(news: OutboxNews): void {
    this.news.postMessage(news)
  }

  private change(messageId: string, to: Partial<Outgoing>): void {
    this.set(
      this.entries.map((entry) =>
        entry.messageId === messageId ? { ...bare(entry), ...to } : entry,
      ),
    )
  }

  private set(entries: readonly Outgoing[]): void {
    this.entries = entries
    for (const listener of this.listeners) listener()
  }
}

/** Without what went wrong before. */
const bare = ({ trouble: _, refusal: __, ...entry }: Outgoing): Outgoing => entry

/** Asks the browser to have the service worker send when the network is back, also with no window open. */
async function askForSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  const { sync } = (registration ?? {}) as { sync?: { register(tag: string): Promise<void> } }
  await sync?.register(SYNC_TAG).catch(() => {})
}
