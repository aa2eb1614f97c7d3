import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isProblem } from '../../src/client/problem.ts'
import type { SessionTurns, SessionView, TurnResponse } from '../../src/contracts/practice.ts'
import { callServer } from './client.ts'

const key = (sessionId: string) => ['practice', sessionId] as const
const path = (sessionId: string) => `/sessions/${encodeURIComponent(sessionId)}`

/** How a practice session stands, with the problem in hand. */
export const usePractice = (sessionId: string) =>
  useQuery({
    queryKey: key(sessionId),
    queryFn: ({ signal }) => callServer<SessionView>(path(sessionId), { signal }),
  })

/** What was said in a session up to now, read once when its page is opened. */
export const useTurns = (sessionId: string) =>
  useQuery({
    queryKey: ['practice-turns', sessionId],
    queryFn: ({ signal }) => callServer<SessionTurns>(`${path(sessionId)}/turns`, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })

export interface Said {
  messageId: string
  text: string
}

const TRIES = 5

/** Says something in the session; sent again by itself while nobody answers, which counts once. */
export function useTurn(sessionId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ messageId, text }: Said) =>
      callServer<TurnResponse>('/webhook/tutor/message', {
        method: 'POST',
        body: { session_id: sessionId, message: text, message_id: messageId },
      }),
    retry: (tries, error) =>
      tries < TRIES && isProblem(error) && (error.status === 503 || error.status === 0),
    onSettled: () => client.invalidateQueries({ queryKey: key(sessionId) }),
  })
}

/** Ends the session where it stands. */
export function useEnd(sessionId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => callServer<unknown>(`${path(sessionId)}/complete`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey: key(sessionId) }),
  })
}
