import type { QueryClient } from '@tanstack/react-query'
import type { ArcEvent } from '../../src/client/arc-event.ts'
import { type ArcState, applyEvents, type Part } from './arc-state.ts'
import { agendaKey } from './learner.ts'
import { arcKeys } from './queries.ts'

const REFETCH_MS = 150
const PARTS: readonly string[] = ['arc', 'messages', 'mindMap'] satisfies Part[]
const isPart = (name: string): name is Part => PARTS.includes(name)
/** An animation frame, or this where frames are not drawn because the page is hidden. */
const HIDDEN_FRAME_MS = 250

/** The animation frames of a page. */
export interface Frames {
  request(draw: () => void): number
  cancel(frame: number): void
}

/** Gathers events for a frame, then applies them at once, so that a fast stream costs one render a frame. */
export function cacheWriter(client: QueryClient, arcId: string, frames: Frames) {
  const keys = arcKeys(arcId)
  let waiting: ArcEvent[] = []
  let stale = new Set<Part>()
  let frame = 0
  let hidden: ReturnType<typeof setTimeout> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const refetch = (parts: Iterable<Part>) => {
    stale = new Set([...stale, ...parts])
    timer ??= setTimeout(() => {
      timer = undefined
      for (const part of stale) void client.invalidateQueries({ queryKey: keys[part], exact: true })
      stale = new Set()
    }, REFETCH_MS)
  }

  const flush = () => {
    frames.cancel(frame)
    clearTimeout(hidden)
    hidden = undefined
    const events = waiting
    waiting = []
    const before = readState(client, arcId)
    const { state, refetch: parts } = applyEvents(before, events)
    for (const part of Object.keys(keys) as (keyof ArcState)[]) {
      if (state[part] === before[part]) continue
      client.setQueryData(keys[part], state[part])
      // What is being read just now may be older than the event, and would be written over it.
      if (isPart(part) && client.isFetching({ queryKey: keys[part], exact: true }) > 0)
        parts.add(part)
    }
    if (parts.size > 0) refetch(parts)
    if (events.some(({ type }) => type === 'node' || type === 'review')) {
      void client.invalidateQueries({ queryKey: agendaKey })
    }
  }

  return {
    refetch,
    take(event: ArcEvent) {
      waiting.push(event)
      if (hidden !== undefined) return
      frame = frames.request(flush)
      hidden = setTimeout(flush, HIDDEN_FRAME_MS)
    },
    stop() {
      frames.cancel(frame)
      clearTimeout(hidden)
      clearTimeout(timer)
    },
  }
}

function readState(client: QueryClient, arcId: string): ArcState {
  const keys = arcKeys(arcId)
  return {
    arc: client.getQueryData(keys.arc),
    messages: client.getQueryData(keys.messages),
    mindMap: client.getQueryData(keys.mindMap),
    draft: client.getQueryData(keys.draft) ?? null,
    nudge: client.getQueryData(keys.nudge) ?? null,
  }
}
