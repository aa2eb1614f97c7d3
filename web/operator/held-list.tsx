import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { heldQuery } from '../api/operator.ts'
import { dateAndTime, relativeTime, useNow } from '../shell/time.ts'
import { ListSection } from '../teacher/list-section.tsx'
import classes from './operator.module.css'

/** What a fault holds up or whose date is past, of all products. */
export function HeldList() {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const query = useQuery(heldQuery)
  return (
    <ListSection title={t('operator.held')} empty={t('operator.nothingHeld')} query={query}>
      {(items) => (
        <ul className={classes.list}>
          {items.map((one) => (
            <li key={one.id} className={classes.item}>
              <Group gap="xs">
                <Badge color={one.why === 'fault' ? 'red' : 'orange'} variant="light">
                  {t(`operator.why.${one.why}`)}
                </Badge>
                <span>
                  {t(`operator.product.${one.product}`)}
                  {one.title && (
                    <>
                      {': '}
                      <Link to="/arcs/$arcId" params={{ arcId: one.id }}>
                        {one.title}
                      </Link>
                    </>
                  )}
                </span>
                <Text
                  span
                  size="sm"
                  c="dimmed"
                  title={dateAndTime(Date.parse(one.since), i18n.language)}
                >
                  {relativeTime(Math.min(Date.parse(one.since), now), now, i18n.language)}
                </Text>
                {one.temporalUrl && (
                  <a href={one.temporalUrl} target="_blank" rel="noreferrer">
                    {t('operator.workflow')} <ExternalLink size={12} aria-hidden />
                  </a>
                )}
              </Group>
              {one.message && <code className={classes.message}>{one.message}</code>}
            </li>
          ))}
        </ul>
      )}
    </ListSection>
  )
}
