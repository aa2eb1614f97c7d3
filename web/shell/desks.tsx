import { Checkbox } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/client.ts'
import classes from './shell.module.css'

const KEY = 'meno-desks'

const useWish = () =>
  useLocalStorage({ key: KEY, defaultValue: false, getInitialValueInEffect: false })

/** Whether the way to the teacher's and the operator's desk is shown: where there is somebody to teach, or it is wished. */
export function useDesks(): { isShown: boolean; isNeeded: boolean } {
  const [isWished] = useWish()
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

/** The quiet switch at the foot of the first screen; with somebody to teach there is nothing to switch. */
export function DesksSwitch() {
  const { t } = useTranslation()
  const [isWished, setWished] = useWish()
  const { isNeeded } = useDesks()
  if (isNeeded) return null
  return (
    <footer className={classes.foot}>
      <Checkbox
        size="xs"
        label={t('desk.switch')}
        checked={isWished}
        onChange={(event) => setWished(event.currentTarget.checked)}
      />
    </footer>
  )
}
