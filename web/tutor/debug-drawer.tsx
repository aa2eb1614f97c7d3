import { Button, Code, Drawer, Stack, Text } from '@mantine/core'
import { Bug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TurnDebug } from '../../src/contracts/course-tutor.ts'
import { useTurnDebug } from '../api/tutor.ts'
import classes from './tutor.module.css'

/** How the last turn came about, for those who may look and ask for it: `?debug`. Seed 004 PF-7.2. */
export function DebugButton({ threadId }: { threadId: string }) {
  const isWanted = new URLSearchParams(location.search).has('debug')
  return isWanted ? <DebugDrawer threadId={threadId} /> : null
}

function DebugDrawer({ threadId }: { threadId: string }) {
  const { t } = useTranslation()
  const { data } = useTurnDebug(threadId)
  const [isOpen, setIsOpen] = useState(false)
  if (!data) return null
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Bug size={14} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('debug.open')}
      </Button>
      <Drawer
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        position="right"
        size="lg"
        title={t('debug.title')}
      >
        <Chain turn={data} />
      </Drawer>
    </>
  )
}

function Chain({ turn }: { turn: TurnDebug }) {
  const { t } = useTranslation()
  const { validation, candidates, snapshotLite } = turn
  return (
    <Stack gap="md">
      <Part title={t('debug.outcome')}>
        <Text size="sm">
          <Code>{turn.action}</Code>{' '}
          {turn.fallback
            ? t('debug.fallback')
            : validation.passed
              ? t('debug.passed')
              : t('debug.refused')}
        </Text>
        <ul className={classes.plainList}>
          {validation.violations.map(({ rule, detail }) => (
            <li key={`${rule} ${detail}`}>
              <Code>{rule}</Code> {detail}
            </li>
          ))}
        </ul>
      </Part>
      <Part title={t('debug.mapped')}>
        <Units units={turn.mappedUnits.map(({ unitId, confidence }) => [unitId, confidence])} />
      </Part>
      <Part title={t('debug.candidates')}>
        <Units units={candidates.map(({ unitId, score }) => [unitId, score])} />
      </Part>
      <Part title={t('debug.policy')}>
        <Json value={turn.policy} label={t('debug.policy')} />
      </Part>
      <Part title={t('debug.snapshot')}>
        <Json value={snapshotLite} label={t('debug.snapshot')} />
      </Part>
      <Part title={t('debug.exams')}>
        <Json value={turn.examAvailability} label={t('debug.exams')} />
      </Part>
      {turn.prompt && (
        <Part title={t('debug.prompt')}>
          <Json value={turn.prompt} label={t('debug.prompt')} />
        </Part>
      )}
      {turn.rawAnswer && (
        <Part title={t('debug.answer')}>
          <Json value={turn.rawAnswer} label={t('debug.answer')} />
        </Part>
      )}
    </Stack>
  )
}

function Units({ units }: { units: [unitId: string, score: number][] }) {
  return (
    <ul className={classes.plainList}>
      {units.map(([unitId, score]) => (
        <li key={unitId}>
          {unitId}: {score.toFixed(3)}
        </li>
      ))}
    </ul>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={classes.boxTitle}>{title}</h3>
      {children}
    </section>
  )
}

function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <Code block tabIndex={0} role="region" aria-label={label} className={classes.json ?? ''}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </Code>
  )
}
