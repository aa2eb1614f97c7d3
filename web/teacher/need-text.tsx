import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ClassGrid } from '../../src/contracts/teaching.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { relativeTime, useNow } from '../shell/time.ts'
import { SessionLink } from './links.tsx'

type Row = Pick<ClassGrid['pupils'][number], 'need' | 'struggling' | 'lastActiveAt'> & {
  stuckAt?: ClassGrid['pupils'][number]['stuckAt']
}

const COLOURS = {
  stuck: 'red',
  struggling: 'orange',
  quiet: 'yellow',
  none: 'green',
  not_begun: 'gray',
} as const

/** Whether and why a pupil needs help, in words. */
export function NeedText({ of: { need, struggling, lastActiveAt, stuckAt } }: { of: Row }) {
  const { t, i18n } = useTranslation()
  const now = useNow(60_000)
  return (
    <div>
      <Badge
        color={COLOURS[need]}
        variant="light"
        styles={{ root: { height: 'auto' }, label: { whiteSpace: 'normal' } }}
      >
        {t(`desk.need.${need}`, { count: struggling })}
      </Badge>
      {lastActiveAt && (
        <Text size="xs" c="dimmed">
          {t('desk.lastHere', {
            when: relativeTime(Math.min(Date.parse(lastActiveAt), now), now, i18n.language),
          })}
        </Text>
      )}
      {stuckAt && (
        <Text component="div" size="xs" mt={2}>
          <SessionLink id={stuckAt.sessionId}>
            <InlineMarkdown text={stuckAt.problem} />
          </SessionLink>
        </Text>
      )}
    </div>
  )
}
