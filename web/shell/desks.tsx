import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../api/client.ts'

const KEY = 'meno-desks'

/** Whether the learner wishes to see the desks, and how to change it; kept on this device. */
export const useDesksWish = () =>
  useLocalStorage({ key: KEY, defaultValue: false, getInitialValueInEffect: false })

/** Whether the way to the teacher's and the operator's desk is shown: where there is somebody to teach, or it is wished. */
export function useDesks(): { isShown: boolean; isNeeded: boolean } {
  const [isWished] = useDesksWish()
  const { data } = useQuery({
    queryKey: ['teacher', 'standing'],
    queryFn: ({ signal }) =>
      callApi<{ somethingToTeach: boolean }>('/teacher/standing', { signal }),
    staleTime: 60_000,
    retry: false,
  })
  const isNeeded = data?.somethingToTeach ?? false
  return { isShown: isWished || isNeeded, isNeeded }
}
