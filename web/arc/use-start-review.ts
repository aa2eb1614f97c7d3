import { useMutation, useQueryClient } from '@tanstack/react-query'
import { arcs } from '../api/client.ts'
import { arcKeys } from '../api/queries.ts'

/** Opens what is due for review, without waiting for the tutor to. */
export function useStartReview(arcId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => arcs.command(arcId, 'reviews/start'),
    onSettled: () => client.invalidateQueries({ queryKey: arcKeys(arcId).arc, exact: true }),
  })
}
