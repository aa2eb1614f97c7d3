import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { isProblem } from '../../src/client/problem.ts'
import type { MessageAction } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import type { Outgoing } from './conversation.ts'

export interface Words {
  text: string
  questionId?: string | undefined
  action?: MessageAction | undefined
  nodeId?: string | undefined
}

export interface Outbox {
  outgoing: Outgoing[]
  send: (words: Words) => void
  retry: (message: Outgoing) => void
  discard: (messageId: string) => void
}

const isUnanswered = (error: unknown) =>
  isProblem(error) && (error.status === 0 || error.status >= 500)

/** Sends what the learner says, under an id of the page's making: said twice, it counts once. */
export function useOutbox(arcId: string): Outbox {
  const [outgoing, setOutgoing] = useState<Outgoing[]>([])

  const change = useCallback(
    (messageId: string, to: Partial<Outgoing>) =>
      setOutgoing((all) =>
        all.map((one) => (one.messageId === messageId ? { ...one, ...to } : one)),
      ),
    [],
  )
  const { mutate } = useMutation({
    mutationFn: ({ messageId, text, questionId, action, nodeId }: Outgoing) =>
      arcs.send(arcId, { messageId, text, questionId, action, nodeId }),
    retry: (failures, error) => failures < 2 && isUnanswered(error),
    onSuccess: (_, { messageId }) => change(messageId, { state: 'sent' }),
    onError: (error, { messageId }) => change(messageId, { state: 'failed', error }),
  })

  const send = useCallback(
    ({ text, questionId, action, nodeId }: Words) => {
      const message: Outgoing = {
        messageId: crypto.randomUUID(),
        text,
        state: 'sending',
        ...(questionId === undefined ? {} : { questionId }),
        ...(action === undefined ? {} : { action }),
        ...(nodeId === undefined ? {} : { nodeId }),
      }
      setOutgoing((all) => [...all, message])
      mutate(message)
    },
    [mutate],
  )
  const retry = useCallback(
    (message: Outgoing) => {
      change(message.messageId, { state: 'sending' })
      mutate(message)
    },
    [mutate, change],
  )
  const discard = useCallback(
    (messageId: string) =>
      setOutgoing((all) => all.filter((message) => message.messageId !== messageId)),
    [],
  )
  return { outgoing, send, retry, discard }
}
