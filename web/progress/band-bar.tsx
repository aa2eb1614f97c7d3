import { useTranslation } from 'react-i18next'
import type { Progress } from '../../src/domain/mastery/band.ts'
import classes from './band-bar.module.css'

const BANDS = ['mastered', 'inMemory', 'learned'] as const

/** How many concepts are learned, in memory and mastered: a bar in three bands, and the same in words. */
export function BandBar({ progress, isFull = false }: { progress: Progress; isFull?: boolean }) {
  const { t } = useTranslation()
  const { learned, inMemory, mastered, total } = progress
  if (total === 0) return null
  const widths = { mastered, inMemory: inMemory - mastered, learned: learned - inMemory }
  return (
    <div className={classes.progress}>
      <div className={classes.bar} aria-hidden>
        {BANDS.map((band) => (
          <span key={band} data-band={band} style={{ width: `${(widths[band] / total) * 100}%` }} />
        ))}
      </div>
      <ul className={classes.legend} aria-label={t('band.label', { count: total })}>
        {[...BANDS].reverse().map((band) => (
          <li key={band} title={t(`band.${band}Help`)}>
            <span className={classes.swatch} data-band={band} aria-hidden />
            <b>{progress[band]}</b> {t(`band.${band}`)}
          </li>
        ))}
        <li>{t('band.of', { total })}</li>
      </ul>
      {isFull && (
        <p className={classes.help}>
          {t('band.learnedHelp')} {t('band.inMemoryHelp')} {t('band.masteredHelp')}
        </p>
      )}
    </div>
  )
}
