import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ArcView, ChangeArc, MessageAction } from '../../src/contracts/arc.ts'
import { arcs } from './client.ts'
import { agendaKey } from './learner.ts'
import { arcKeys, arcsQuery } from './queries.ts'

/** Renames an arc, takes it out of the way or brings it back, or says what comes after mastery. */
export function useChangeArc(arcId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: ChangeArc) => arcs.change(arcId, change),
    onSuccess: (arc) => {
      client.setQueryData(arcKeys(arcId).arc, arc)
      void client.invalidateQueries({ queryKey: agendaKey })
      return client.invalidateQueries({ queryKey: arcsQuery.queryKey })
    },
  })
}

/** Goes on with a closed arc in a new one, which takes its name and its place. */
export function useRevive({ arcId, title }: ArcView) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (settings: { onMastered?: 'stay' }) => {
      const revived = await arcs.revive(arcId, settings)
      await Promise.all([
        arcs.change(arcId, { archived: true }),
        ...(title === null ? [] : [arcs.change(revived.arcId, { title })]),
      ])
      return revived
    },
    onSuccess: () => client.invalidateQueries({ queryKey: arcsQuery.queryKey }),
  })
}

/** How long the tutor may take to lay out a practice before the page looks for it itself. */
const PRACTICE_SECONDS = 20

/** Begins a practice session on a concept, or on what needs it most; null where none came about. */
export function useStartPractice(arcId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ text, nodeId }: { text: string; nodeId?: string }) => {
      const action: MessageAction = 'practice'
      const message = {
        messageId: crypto.randomUUID(),
        text,
        action,
        ...(nodeId ? { nodeId } : {}),
      }
      const { replies = [] } = await arcs.say(arcId, message, PRACTICE_SECONDS)
      for (const { card } of replies) {
        if (card?.type === 'PRACTICE' && typeof card.sessionId === 'string') return card.sessionId
      }
      return (await arcs.arc(arcId)).practiceSessionId ?? null
    },
    onSettled: () => client.invalidateQueries({ queryKey: arcKeys(arcId).arc }),
  })
}

/** Opens what is due for review, without waiting for the tutor to. */
export function useStartReview(arcId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => arcs.command(arcId, 'reviews/start'),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: agendaKey })
      return client.invalidateQueries({ queryKey: arcKeys(arcId).arc, exact: true })
    },
  })
}
