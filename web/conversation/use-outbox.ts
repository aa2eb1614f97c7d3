import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { MessageAction } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { Outbox } from '../device/outbox.ts'
import type { Outgoing } from '../device/outgoing.ts'

export interface Words {
  text: string
  questionId?: string | undefined
  action?: MessageAction | undefined
  nodeId?: string | undefined
  /** The key of the draft that it was, which goes with it. */
  draft?: string | undefined
}

export interface ArcOutbox {
  outgoing: Outgoing[]
  send: (words: Words) => void
  retry: (messageId: string) => void
  discard: (messageId: string) => void
}

/** The outbox of this window; whatever screen is open, it sends. */
export const outbox = new Outbox(arcs.send)

/** What the learner says in an arc: kept on the device, sent by itself, under an id that makes it count once. */
export function useOutbox(arcId: string): ArcOutbox {
  const all = useSyncExternalStore(outbox.subscribe, outbox.all)
  const outgoing = useMemo(() => all.filter((entry) => entry.arcId === arcId), [all, arcId])
  const send = useCallback(
    ({ text, questionId, action, nodeId, draft }: Words) => {
      const message = {
        ...{ messageId: crypto.randomUUID(), arcId, text, typedAt: Date.now() },
        ...(questionId === undefined ? {} : { questionId }),
        ...(action === undefined ? {} : { action }),
        ...(nodeId === undefined ? {} : { nodeId }),
      }
      void outbox.add(message, draft)
    },
    [arcId],
  )
  const retry = useCallback((messageId: string) => void outbox.retry(messageId), [])
  const discard = useCallback((messageId: string) => void outbox.discard(messageId), [])
  return { outgoing, send, retry, discard }
}
