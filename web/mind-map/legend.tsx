import { Flag, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Concept } from './concept.ts'
import mastery from './mastery.module.css'
import classes from './mind-map.module.css'

const STATUSES = ['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered'] as const

/** What colours and signs of the map mean; only those that are on it. */
export function Legend({ concepts }: { concepts: readonly Concept[] }) {
  const { t } = useTranslation()
  const present = new Set(concepts.map(({ status }) => status))
  return (
    <ul className={classes.legend} aria-label={t('map.legend')}>
      {STATUSES.filter((status) => present.has(status)).map((status) => (
        <li key={status} className={mastery.mastery} data-status={status}>
          <span className={classes.dot} aria-hidden /> {t(`mastery.${status}`)}
        </li>
      ))}
      {concepts.some(({ isInferred }) => isInferred) && (
        <li>
          <b aria-hidden>≈</b> {t('map.legendInferred')}
        </li>
      )}
      {concepts.some(({ access }) => access === 'locked') && (
        <li>
          <Lock size={12} aria-hidden /> {t('access.locked')}
        </li>
      )}
      {concepts.some(({ isGoal }) => isGoal) && (
        <li>
          <Flag size={12} aria-hidden /> {t('map.goal')}
        </li>
      )}
      {concepts.some(({ isOnPath }) => isOnPath) && (
        <li>
          <span className={classes.pathSign} aria-hidden /> {t('map.path')}
        </li>
      )}
    </ul>
  )
}
