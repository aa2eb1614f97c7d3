import type { ChannelName, NudgeKind } from './notice.ts'
import type { Agenda, Delivery } from './state.ts'

type Target = Pick<Delivery, 'channelId' | 'channel'>

interface Route {
  first: Target[]
  /** Used where none of the first reaches a person. */
  fallback: Target[]
}

/** Which channels a person hears of; a webhook is a program's. */
const ORDER: Record<'call' | 'letter', ChannelName[][]> = {
  // What calls for an answer goes everywhere it can be taken back or overlooked; e-mail stands in.
  call: [['telegram', 'push'], ['email']],
  // What is to be read goes to one place.
  letter: [['email'], ['telegram'], ['push']],
}

/**
 * The channels of a nudge: what the learner wishes for its kind, else Telegram and push, with e-mail standing in; a digest
 * goes by e-mail, with Telegram and push standing in. A webhook gets everything; the page does so anyway.
 */
export function routeOf({ facts, abilities }: Agenda, kind: NudgeKind): Route {
  const usable = facts.channels
    .filter(({ channel }) => abilities.some((able) => able.channel === channel))
    .filter(({ channel }) => facts.wishes[channel] !== false)
    .map(({ id, channel }) => ({ channelId: id, channel }))
  const of = (names: readonly ChannelName[]) =>
    usable.filter(({ channel }) => names.includes(channel))
  const webhook = of(['webhook'])
  const wish = wished(facts.wishes[kind])
  if (wish) {
    const first = of(wish.filter((name) => name !== 'webhook'))
    return { first: [...first, ...webhook], fallback: [] }
  }
  const order = ORDER[kind === 'digest' ? 'letter' : 'call'].map(of)
  const [people = [], ...fallback] = order.filter((targets) => targets.length > 0)
  return { first: [...people, ...webhook], fallback: fallback.flat() }
}

/** A setting such as `{"digest": "telegram"}` or `{"reviews": ["email", "push"]}`; null: none that can be read. */
function wished(setting: unknown): ChannelName[] | null {
  if (setting === false) return []
  const names = typeof setting === 'string' ? [setting] : setting
  return Array.isArray(names) ? (names as ChannelName[]) : null
}
