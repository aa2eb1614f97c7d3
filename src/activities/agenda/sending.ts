import { type Channel, ChannelFailure, type Sending } from '../../channels/channel.ts'
import type { ChannelName } from '../../contracts/channel.ts'
import type { Sent } from '../../domain/agenda/deliveries.ts'
import { claimDelivery, readSent } from '../../store/agenda/outbox.ts'
import type { Db } from '../../store/database.ts'
import { TutorFailure } from '../../tutor/mind.ts'

export interface SendingDependencies {
  db: Db
  channels: readonly Channel[]
  /** Where links lead, without a slash at the end. */
  pageUrl: string
}

/** A nudge on one channel of a learner. */
export interface Target {
  learnerId: string
  nudgeId: string
  channelId: string
  channel: ChannelName
}

/**
 * Sends a nudge over one channel, at most once: it is noted before it leaves, and one that was begun and left no outcome
 * is sent again only where its receiver tells repeats.
 * @throws what the store throws, and what a channel throws once the step is cancelled
 */
export async function sendNudge(
  dependencies: SendingDependencies,
  target: Target,
  signal: AbortSignal,
): Promise<Sent> {
  const channel = channelOf(dependencies, target)
  const claimed = await claimDelivery(dependencies.db, target.nudgeId, target.channelId)
  if (!claimed) return { outcome: 'dropped' }
  const { isRepeat, notice, address } = claimed
  if (isRepeat && !channel.tellsRepeats) {
    return { outcome: 'uncertain', failure: 'a try to send it was cut off' }
  }
  try {
    const sending = sendingOf(dependencies, target, signal)
    return { outcome: 'sent', reference: await channel.send(address, notice, sending) }
  } catch (error) {
    if (signal.aborted) throw error
    return failedSending(channel, error)
  }
}

function failedSending({ tellsRepeats }: Channel, error: unknown): Sent {
  const failure = error instanceof Error ? error.message : String(error)
  const kind = error instanceof ChannelFailure ? error.kind : 'uncertain'
  const retryAfterMs = error instanceof ChannelFailure ? error.retryAfterMs : null
  if (kind === 'gone' || kind === 'refused') return { outcome: kind, failure }
  if (kind === 'unavailable' || tellsRepeats) {
    return { outcome: 'unavailable', retryAfterMs, failure }
  }
  return { outcome: 'uncertain', failure }
}

/**
 * Takes back what was sent, where the channel can.
 * @returns whether it was taken back
 * @throws {TutorFailure} `unavailable`, to be tried again a few times
 */
export async function withdrawNudge(
  dependencies: SendingDependencies,
  target: Target,
  signal: AbortSignal,
): Promise<{ done: boolean }> {
  const channel = channelOf(dependencies, target)
  const sent = await readSent(dependencies.db, target.nudgeId, target.channelId)
  if (!sent || !channel.withdraw) return { done: false }
  const { address, reference, notice } = sent
  try {
    await channel.withdraw(address, reference, notice, sendingOf(dependencies, target, signal))
    return { done: true }
  } catch (error) {
    if (signal.aborted) throw error
    if (error instanceof ChannelFailure && error.kind !== 'unavailable') return { done: false }
    throw new TutorFailure('unavailable', error instanceof Error ? error.message : String(error))
  }
}

const sendingOf = (
  { pageUrl }: SendingDependencies,
  { learnerId, nudgeId, channelId }: Target,
  signal: AbortSignal,
): Sending => ({ key: `${nudgeId}/${channelId}`, learnerId, pageUrl, signal })

function channelOf({ channels }: SendingDependencies, { channel }: Target): Channel {
  const found = channels.find(({ name }) => name === channel)
  if (!found) throw new TutorFailure('refused', `${channel} is not set up`)
  return found
}
