import { Text } from '@mantine/core'
import { CircleArrowUp, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SnapshotLite } from '../../src/contracts/course-tutor.ts'
import { useSnapshot } from '../api/tutor.ts'
import { relativeTime, useNow } from '../shell/time.ts'
import { TierBadge } from './tier-badge.tsx'
import classes from './tutor.module.css'

/** Where the learner stands: focus, what comes first, what to come back to, and how far. Seed 004 PV-AI-019. */
export function SnapshotPanel({ threadId }: { threadId: string }) {
  const { t } = useTranslation()
  const snapshot = useSnapshot(threadId)
  if (!snapshot) {
    return (
      <Text size="sm" c="dimmed">
        {t('snapshot.none')}
      </Text>
    )
  }
  const { focus, prereqNudge, revisit, progress } = snapshot
  return (
    <div className={classes.snapshot} data-testid="snapshot">
      <section className={classes.box}>
        <h2 className={classes.boxTitle}>{t('snapshot.focus')}</h2>
        <div className={classes.focus}>
          <strong>{focus.title}</strong>
          <TierBadge tier={focus.masteryTier} />
        </div>
      </section>
      {prereqNudge && (
        <section className={classes.box}>
          <h2 className={classes.boxTitle}>
            <CircleArrowUp size={15} aria-hidden /> {t('snapshot.prereq')}
          </h2>
          <Text size="sm">{t('snapshot.prereqText', { title: prereqNudge.title })}</Text>
        </section>
      )}
      <Revisit revisit={revisit} />
      <Progress progress={progress} />
    </div>
  )
}

function Revisit({ revisit }: Pick<SnapshotLite, 'revisit'>) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const { lockedCount, nextEligibleAt } = revisit
  return (
    <section className={classes.box}>
      <h2 className={classes.boxTitle}>
        <Lock size={14} aria-hidden /> {t('snapshot.revisit')}
      </h2>
      <Text size="sm">{t('snapshot.locked', { count: lockedCount })}</Text>
      {nextEligibleAt !== null && (
        <Text size="sm" c="dimmed">
          {t('snapshot.eligible', {
            when: relativeTime(Math.max(now, Date.parse(nextEligibleAt)), now, i18n.language),
          })}
        </Text>
      )}
    </section>
  )
}

const TIERS = ['gold', 'silver', 'bronze'] as const

function Progress({ progress }: Pick<SnapshotLite, 'progress'>) {
  const { t } = useTranslation()
  return (
    <section className={classes.box}>
      <h2 className={classes.boxTitle}>{t('snapshot.progress')}</h2>
      <div className={classes.track} aria-hidden>
        {TIERS.map((tier) => (
          <span key={tier} data-tier={tier} style={{ flexGrow: progress[tier] }} />
        ))}
        <span style={{ flexGrow: remaining(progress) }} />
      </div>
      <dl className={classes.counts}>
        {TIERS.map((tier) => (
          <div key={tier}>
            <dt>{t(`tier.${tier}`)}</dt>
            <dd>{progress[tier]}</dd>
          </div>
        ))}
        <div>
          <dt>{t('snapshot.total')}</dt>
          <dd>{progress.total}</dd>
        </div>
      </dl>
    </section>
  )
}

const remaining = ({ bronze, silver, gold, total }: SnapshotLite['progress']) =>
  Math.max(0, total - bronze - silver - gold)
