import type { ChannelName, Notice } from '../contracts/channel.ts'

/** What every channel needs to know besides the address. */
export interface Sending {
  /** The same for every try of one notice on one channel: a receiver that knows it drops repeats. */
  key: string
  learnerId: string
  /** Where links lead: the page's address without a slash at its end. */
  pageUrl: string
  signal: AbortSignal
}

/** A way to reach a learner who has no page open. */
export interface Channel {
  readonly name: ChannelName
  /** Whether its receiver tells repeats by the key: only then a try whose outcome is unknown is made again. */
  readonly tellsRepeats: boolean
  /**
   * Sends a notice.
   * @returns what the channel calls it, to take it back by, or null
   * @throws {ChannelFailure}
   */
  send(
    address: Record<string, unknown>,
    notice: Notice,
    sending: Sending,
  ): Promise<Record<string, unknown> | null>
  /** Takes back what was sent, where a channel can: the learner has answered elsewhere. */
  withdraw?(
    address: Record<string, unknown>,
    reference: Record<string, unknown>,
    notice: Notice,
    sending: Sending,
  ): Promise<void>
}

/**
 * Why a notice did not go out. `gone`: the address is no more, and the channel is unlinked; `refused`: this notice will
 * never be taken; `unavailable`: it certainly was not taken, and may be later; `uncertain`: nobody knows whether it was
 * taken.
 */
export class ChannelFailure extends Error {
  readonly kind: 'gone' | 'refused' | 'unavailable' | 'uncertain'
  readonly retryAfterMs: number | null

  constructor(
    kind: ChannelFailure['kind'],
    message: string,
    retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}
