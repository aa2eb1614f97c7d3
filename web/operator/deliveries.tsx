import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deliveriesQuery } from '../api/operator.ts'
import { dateAndTime } from '../shell/time.ts'
import { ListSection } from '../teacher/list-section.tsx'
import classes from './operator.module.css'

/** Nudges that did not arrive, or of which that is not known. */
export function Deliveries() {
  const { t, i18n } = useTranslation()
  const query = useQuery(deliveriesQuery)
  return (
    <ListSection title={t('operator.deliveries')} empty={t('operator.noDeliveries')} query={query}>
      {(items) => (
        <ul className={classes.list}>
          {items.map((one) => (
            <li key={`${one.nudgeId} ${one.channel} ${one.at}`} className={classes.item}>
              <Group gap="xs">
                <Badge color={one.status === 'failed' ? 'red' : 'orange'} variant="light">
                  {t(`operator.delivery.${one.status}`)}
                </Badge>
                <span>
                  {one.learner.name ?? one.learner.handle} · {t(`operator.channel.${one.channel}`)}{' '}
                  · {t(`operator.nudge.${one.kind}`)}
                </span>
                <Text span size="sm" c="dimmed">
                  {dateAndTime(Date.parse(one.at), i18n.language)} ·{' '}
                  {t('operator.tries', { count: one.attempts })}
                </Text>
              </Group>
              {one.failure && <code className={classes.message}>{one.failure}</code>}
            </li>
          ))}
        </ul>
      )}
    </ListSection>
  )
}
