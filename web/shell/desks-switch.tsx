import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useDesks, useWish } from './desks.tsx'
import classes from './shell.module.css'

/** The quiet switch at the foot of the first screen; with somebody to teach there is nothing to switch. */
export default function DesksSwitch() {
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
