import type { AgendaEffect, Delivery, Nudge } from './state.ts'

const MINUTE_MS = 60_000
/** The pauses before a channel that could not be reached is tried again; the last one stays. */
const PAUSES_MS = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS]
/** After so many tries others stand in, while it goes on being tried. */
const TRIES_TO_FALL_BACK = 3

/** What became of a try to send. */
export type Sent =
  | { outcome: 'sent'; reference: Record<string, unknown> | null }
  /** It certainly was not taken, or its receiver tells repeats: it is tried again. */
  | { outcome: 'unavailable'; retryAfterMs: number | null; failure: string }
  /** The address is no more. */
  | { outcome: 'gone'; failure: string }
  | { outcome: 'refused'; failure: string }
  /** Nobody knows whether it was taken, and its receiver does not tell repeats. */
  | { outcome: 'uncertain'; failure: string }
  /** It was over before it left. */
  | { outcome: 'dropped' }

export interface Settled {
  /** The nudge as it is now. */
  nudge: Nudge
  effects: AgendaEffect[]
}

interface Circumstances {
  at: number
  /** Whether the channel can take back what was sent. */
  withdraws: boolean
  /** The first moment from another one on at which the learner may be disturbed. */
  free(at: number): number
}

export const sendKey = (nudge: Pick<Nudge, 'id'>, { channelId, tries }: Delivery): string =>
  `send/${nudge.id}/${channelId}/${tries}`

export const withdrawKey = (nudge: Pick<Nudge, 'id'>, { channelId }: Delivery): string =>
  `withdraw/${nudge.id}/${channelId}`

/** A try to send has an outcome. */
export function settleSending(
  nudge: Nudge,
  delivery: Delivery,
  sent: Sent,
  { at, withdraws, free }: Circumstances,
): Settled {
  const { id: nudgeId } = nudge
  const { channelId } = delivery
  const note = (status: 'pending' | 'sent' | 'failed' | 'uncertain', more = {}): AgendaEffect => ({
    type: 'delivery',
    ...{ nudgeId, channelId, status, at },
    ...more,
  })
  switch (sent.outcome) {
    case 'sent': {
      const isOver = nudge.over !== null && nudge.kind !== 'digest'
      const status = isOver && withdraws && sent.reference ? 'withdrawing' : 'sent'
      const stays = withdraws && sent.reference !== null && nudge.kind !== 'digest'
      return {
        nudge: replaced(nudge, delivery, stays ? { ...delivery, status } : null),
        effects: [note('sent', { reference: sent.reference })],
      }
    }
    case 'unavailable':
      return tryLater(nudge, delivery, sent, { at, free }, note)
    case 'gone':
    case 'refused': {
      const fallen = fallBack(replaced(nudge, delivery, null), at)
      const { failure } = sent
      return {
        nudge: fallen.nudge,
        effects: [
          note('failed', { failure }),
          ...(sent.outcome === 'gone'
            ? [{ type: 'channel-gone', channelId, failure } as const]
            : []),
          ...fallen.effects,
        ],
      }
    }
    case 'uncertain':
      return {
        nudge: replaced(nudge, delivery, null),
        effects: [note('uncertain', { failure: sent.failure })],
      }
    case 'dropped':
      return { nudge: replaced(nudge, delivery, null), effects: [] }
  }
}

function tryLater(
  nudge: Nudge,
  delivery: Delivery,
  { retryAfterMs, failure }: Extract<Sent, { outcome: 'unavailable' }>,
  { at, free }: Pick<Circumstances, 'at' | 'free'>,
  note: (status: 'pending' | 'failed', more?: object) => AgendaEffect,
): Settled {
  const tries = delivery.tries + 1
  const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length) - 1] ?? 0
  const next = free(at + Math.max(pause, retryAfterMs ?? 0))
  const isTooLate = next >= nudge.expiresAt || (nudge.over !== null && nudge.kind !== 'digest')
  const now = isTooLate ? null : ({ ...delivery, status: 'waiting', tries, at: next } as const)
  const waiting = replaced(nudge, delivery, now)
  const fallen =
    tries === TRIES_TO_FALL_BACK || isTooLate
      ? fallBack(waiting, at)
      : { nudge: waiting, effects: [] }
  return {
    nudge: fallen.nudge,
    effects: [note(isTooLate ? 'failed' : 'pending', { failure }), ...fallen.effects],
  }
}

/** The channels that stand in are used, once, for a nudge that is out. */
function fallBack(nudge: Nudge, at: number): Settled {
  const { id, fallback, deliveries } = nudge
  const isOver = nudge.over !== null && nudge.kind !== 'digest'
  if (fallback.length === 0 || isOver || at >= nudge.expiresAt) return { nudge, effects: [] }
  const [next, ...rest] = fallback
  if (!next) return { nudge, effects: [] }
  const begun = { ...next, status: 'sending', tries: 0, at } as const
  return {
    nudge: { ...nudge, fallback: rest, deliveries: [...deliveries, begun] },
    effects: [{ type: 'fallback', nudgeId: id, delivery: next }],
  }
}

/** The nudge is over: what runs is waited for, what is there is taken back where it can be, what waits is dropped. */
export function withdrawn(nudge: Nudge, why: NonNullable<Nudge['over']>): Nudge {
  const deliveries = nudge.deliveries.flatMap((delivery): Delivery[] => {
    if (delivery.status === 'waiting') return []
    return [delivery.status === 'sent' ? { ...delivery, status: 'withdrawing' } : delivery]
  })
  return { ...nudge, over: why, deliveries, fallback: [] }
}

function replaced(nudge: Nudge, before: Delivery, now: Delivery | null): Nudge {
  const deliveries = nudge.deliveries.flatMap((each) => {
    if (each.channelId !== before.channelId) return [each]
    return now ? [now] : []
  })
  return { ...nudge, deliveries }
}

/** A step that takes something back has ended, however: it is not tried for ever. */
export function settleWithdrawing(
  nudge: Nudge,
  delivery: Delivery,
  done: boolean,
  at: number,
): Settled {
  const { id: nudgeId } = nudge
  const { channelId } = delivery
  return {
    nudge: replaced(nudge, delivery, null),
    effects: done ? [{ type: 'delivery', nudgeId, channelId, status: 'withdrawn', at }] : [],
  }
}
