import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Activity } from '../../src/contracts/learner.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import classes from './me.module.css'

/** The concepts that went wrong most, each with the newest question and what was answered. */
export function Missed({ missed }: { missed: Activity['missed'] }) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="missed" className={classes.card}>
      <h2 id="missed" className={classes.title}>
        {t('me.missed')}
      </h2>
      {missed.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('me.noneMissed')}
        </Text>
      )}
      <ul className={classes.list}>
        {missed.map(({ arcId, topic, nodeId, label, misses, question, answer }) => (
          <li key={nodeId}>
            <div className={classes.missed}>
              <Link to="/arcs/$arcId" params={{ arcId }}>
                {label}
              </Link>
              <span>{t('me.misses', { count: misses })}</span>
            </div>
            <div className={classes.example}>
              <InlineMarkdown text={question} />{' '}
              {answer && <span>{t('me.answered', { answer })}</span>}
            </div>
            <Text size="xs" c="dimmed">
              {topic}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  )
}
