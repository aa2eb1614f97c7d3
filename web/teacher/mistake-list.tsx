import { Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Mistake } from '../../src/contracts/teaching.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { PupilLink } from './links.tsx'
import classes from './teacher.module.css'

/** What wrong answers looked like, in words, with what was really answered. */
export function MistakeList({ items, withNames }: { items: Mistake[]; withNames: boolean }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Title order={2} size={18} id={id} mb="sm">
        {t('teacher.misconceptions')}
      </Title>
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('desk.noMistakes')}
        </Text>
      )}
      <div className={classes.grid}>
        {items.map((mistake) => (
          <MistakeCard
            key={`${mistake.tag} ${mistake.text}`}
            mistake={mistake}
            withNames={withNames}
          />
        ))}
      </div>
    </section>
  )
}

function MistakeCard({ mistake, withNames }: { mistake: Mistake; withNames: boolean }) {
  const { t } = useTranslation()
  const { kind, text, remedy, tag, count, examples } = mistake
  const plain = tag.replaceAll('_', ' ')
  return (
    <article className={classes.class}>
      <h3 className={classes.mistake}>
        {kind === 'course' && <InlineMarkdown text={text ?? plain} />}
        {kind === 'arithmetic' && t(`desk.arithmetic.${tag}`)}
        {kind === 'topic' && t('desk.mistakeInTopic', { topic: plain })}
        {kind === 'other' && t('desk.mistakeOther')}
      </h3>
      <p className={classes.count}>{t('desk.times', { count })}</p>
      {remedy && (
        <p className={classes.remedy}>
          <InlineMarkdown text={remedy} />
        </p>
      )}
      <ul className={classes.examples}>
        {examples.map(({ studentId, name, question, answer, expected, at }) => (
          <li key={`${studentId} ${at}`}>
            <span className={classes.question}>
              <InlineMarkdown text={question} />
            </span>
            <br />
            {withNames && (
              <>
                <PupilLink id={studentId}>{name}</PupilLink>:{' '}
              </>
            )}
            <q>
              <InlineMarkdown text={shown(answer)} />
            </q>
            {expected && (
              <>
                {' · '}
                {t('desk.expected')} <InlineMarkdown text={shown(expected)} />
              </>
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}

/** What was typed is shown as typed; only where it is written as a formula it is set as one. */
const shown = (text: string) => (text.includes('$') ? text : text.replaceAll(/([*_`~\\])/g, '\\$1'))
