import { Badge, Group, Title, Tooltip } from '@mantine/core'
import { BookMarked, WifiOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import type { Connection } from '../api/event-stream.ts'
import classes from './arc.module.css'
import { ArcMenu } from './arc-menu.tsx'
import { PhaseStepper } from './phase-stepper.tsx'

/** What is learned, by which tutor, and where the arc stands. */
export function ArcHeader({ arc, connection }: { arc: ArcView; connection: Connection }) {
  const { t } = useTranslation()
  return (
    <div className={classes.header}>
      <div className={classes.heading}>
        <div className={classes.titles}>
          <Title order={1} className={classes.topic ?? ''} title={arc.topic}>
            {arc.topic}
          </Title>
          {arc.goal && <p className={classes.goal}>{t('arc.goal', { goal: arc.goal })}</p>}
        </div>
        <Group gap="xs" wrap="nowrap" ml="auto">
          {connection === 'reconnecting' && (
            <Badge color="orange" variant="light" leftSection={<WifiOff size={12} aria-hidden />}>
              {t('arc.reconnecting')}
            </Badge>
          )}
          {arc.tutor === 'offline' && (
            <Tooltip label={t('arc.offlineHelp')} multiline w={260}>
              <Badge
                variant="light"
                color="gray"
                size="lg"
                leftSection={<BookMarked size={13} aria-hidden />}
                className={classes.offline ?? ''}
              >
                {t('arc.offline')}
                <span className={classes.offlineMore}>{t('arc.offlineMore')}</span>
              </Badge>
            </Tooltip>
          )}
          <ArcMenu arc={arc} />
        </Group>
      </div>
      <PhaseStepper arc={arc} />
    </div>
  )
}
