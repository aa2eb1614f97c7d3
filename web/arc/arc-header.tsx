import { Badge } from '@mantine/core'
import { BookMarked, Target, WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '../../src/client/event-stream.ts'
import type { ArcView } from '../../src/contracts/arc.ts'
import { nameOf } from '../topics/names.ts'
import classes from './arc-header.module.css'
import { ArcMenu } from './arc-menu.tsx'
import { PhaseStepper } from './phase-stepper.tsx'
import { QuestionPlace } from './question-place.tsx'

/** What is learned, by which tutor, and where the arc stands. */
export function ArcHeader({ arc, connection }: { arc: ArcView; connection: Connection }) {
  const { t } = useTranslation()
  const name = nameOf(arc)
  return (
    <div className={classes.header}>
      <div className={classes.titles}>
        <h1 className={classes.topic} title={name}>
          {name}
        </h1>
        <p className={classes.about}>
          <span className={classes.place}>
            <QuestionPlace arc={arc} />
          </span>
          {arc.tutor === 'offline' && (
            <span className={classes.fact} title={t('arc.offlineHelp')}>
              <BookMarked size={13} aria-hidden />
              {t('arc.offline')}
            </span>
          )}
          {arc.goal && arc.goal !== arc.topic && (
            <span className={classes.fact} title={arc.goal}>
              <Target size={13} aria-hidden />
              {t('arc.goal', { goal: arc.goal })}
            </span>
          )}
        </p>
      </div>
      <div className={classes.phases}>
        <PhaseStepper arc={arc} />
      </div>
      <div className={classes.tools}>
        {connection === 'reconnecting' && (
          <Badge color="orange" variant="light" leftSection={<WifiOff size={12} aria-hidden />}>
            {t('arc.reconnecting')}
          </Badge>
        )}
        <ArcMenu arc={arc} />
      </div>
    </div>
  )
}
