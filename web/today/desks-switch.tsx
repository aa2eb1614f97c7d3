import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useDesks, useDesksWish } from '../shell/desks.tsx'
import classes from './today.module.css'

/** The quiet switch at the foot of the first screen; with somebody to teach there is nothing to switch. */
export function DesksSwitch() {
  const { t } = useTranslation()
  const [isWished, setWished] = useDesksWish()
  const { isNeeded } = useDesks()
  if (isNeeded) return null
  return (
    <footer className={classes.foot}>
      <Switch
        size="xs"
        label={t('desk.switch')}
        checked={isWished}
        onChange={(event) => setWished(event.currentTarget.checked)}
      />
    </footer>
  )
}
