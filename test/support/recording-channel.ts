import type { Channel, Sending } from '../../src/channels/channel.ts'
import type { ChannelName, Notice } from '../../src/contracts/channel.ts'

/** What a channel was asked to do. */
export interface Recorded {
  what: 'send' | 'withdraw'
  key: string
  learnerId: string
  notice: Notice
  reference?: Record<string, unknown>
}

/** A channel that writes down what it is asked, and fails as it is told to. */
export interface RecordingChannel extends Channel {
  readonly recorded: Recorded[]
  /** What it was asked for one learner. */
  of(learnerId: string): Recorded[]
  /** Called after it was written down: the learner may have it, whatever is thrown. */
  afterSend: ((sending: Sending) => void | Promise<void>) | null
}

export function recordingChannel(
  name: ChannelName,
  { tellsRepeats = true, withdraws = false } = {},
): RecordingChannel {
  const recorded: Recorded[] = []
  const channel: RecordingChannel = {
    ...{ name, tellsRepeats, recorded },
    of: (learnerId) => recorded.filter((each) => each.learnerId === learnerId),
    afterSend: null,
    async send(_, notice, sending) {
      recorded.push({ what: 'send', key: sending.key, learnerId: sending.learnerId, notice })
      await channel.afterSend?.(sending)
      return { number: recorded.length }
    },
  }
  if (!withdraws) return channel
  return Object.assign(channel, {
    async withdraw(
      _: Record<string, unknown>,
      reference: Record<string, unknown>,
      notice: Notice,
      { key, learnerId }: Sending,
    ) {
      recorded.push({ what: 'withdraw', key, learnerId, notice, reference })
    },
  })
}
