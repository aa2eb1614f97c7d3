import { useMutation, useQueryClient } from '@tanstack/react-query'
import { arcKeys, commandArc } from '../api/queries.ts'

/** Opens what is due for review, without waiting for the tutor to. */
export function useStartReview(arcId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => commandArc(arcId, 'reviews/start'),
    onSettled: () => client.invalidateQueries({ queryKey: arcKeys(arcId).arc, exact: true }),
  })
}
