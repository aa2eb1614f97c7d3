import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useRevive, useStartReview } from '../api/topics.ts'

/** What a link in a nudge asks of a topic: to open what is due, or to go on although it was closed. */
export interface ArcSearch {
  review?: boolean | undefined
  revive?: boolean | undefined
}

/** The part of an address that says so: `?review=1`, `?revive=1`. */
export const arcSearchOf = ({ review, revive }: Record<string, unknown>): ArcSearch => ({
  ...(isSet(review) && { review: true }),
  ...(isSet(revive) && { revive: true }),
})

const isSet = (value: unknown) => value === true || String(value) === '1'

/** Does once what the link asked for, and takes it out of the address, so that a reload does not do it again. */
export function useOpenedByLink(arc: ArcView, { review, revive }: ArcSearch): void {
  const navigate = useNavigate()
  const startReviews = useStartReview(arc.arcId)
  const revival = useRevive(arc)
  const done = useRef(false)
  useEffect(() => {
    if (done.current || !(review || revive)) return
    done.current = true
    const stay = () =>
      navigate({ to: '/arcs/$arcId', params: { arcId: arc.arcId }, search: {}, replace: true })
    const isClosed = arc.phase === 'ABANDONED' || arc.phase === 'COMPLETED'
    if (revive && isClosed) {
      revival.mutate(arc.phase === 'COMPLETED' ? { onMastered: 'stay' } : {}, {
        onSuccess: ({ arcId }) =>
          navigate({ to: '/arcs/$arcId', params: { arcId }, search: {}, replace: true }),
        onError: stay,
      })
      return
    }
    // An open question stays: what is due comes after it.
    if (review && !isClosed && arc.pendingQuestion === null) startReviews.mutate()
    void stay()
  }, [review, revive, arc, navigate, startReviews, revival])
}
