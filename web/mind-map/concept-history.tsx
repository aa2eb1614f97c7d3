import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleSlash, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { GradedAnswer } from '../../src/client/arc-client.ts'
import { arcs } from '../api/client.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { timeAgo, useNow } from '../shell/time.ts'
import classes from './mind-map.module.css'

const NEWEST = 8
const PASSES = 3

/** What was answered on a concept up to now, newest first. */
export function ConceptHistory({ arcId, nodeId }: { arcId: string; nodeId: string }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['arc', arcId, 'responses', nodeId],
    queryFn: ({ signal }) => arcs.responses(arcId, nodeId, signal),
    refetchOnMount: 'always',
  })
  return (
    <section aria-labelledby="concept-history">
      <h3 className={classes.sub} id="concept-history">
        {t('history.title')}
      </h3>
      {isPending && <Skeleton h={40} radius="md" />}
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('history.none')}
        </Text>
      )}
      {data && data.length > 0 && (
        <ol className={classes.history}>
          {data.slice(0, NEWEST).map((answer) => (
            <li key={answer.id}>
              <Verdict answer={answer} />
              <div className={classes.answer}>
                <InlineMarkdown text={answer.questionText} />
                <span className={classes.said}>
                  <Said answer={answer} /> · {t(`history.${answer.responseType}`)} ·{' '}
                  {timeAgo(Date.parse(answer.respondedAt), now, i18n.language)}
                </span>
              </div>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** What was said, as it was typed; only the words of an option are set as such. */
function Said({ answer: { userAnswer, answerInWords } }: { answer: GradedAnswer }) {
  const { t } = useTranslation()
  if (!answerInWords) return t('history.unsaid')
  const text = t('history.said', { answer: answerInWords })
  return answerInWords === userAnswer ? text : <InlineMarkdown text={text} />
}

function Verdict({ answer: { quality } }: { answer: GradedAnswer }) {
  const { t } = useTranslation()
  const [name, Icon] =
    quality >= PASSES
      ? (['right', Check] as const)
      : quality === 0
        ? (['missing', CircleSlash] as const)
        : (['wrong', X] as const)
  return (
    <span className={classes.verdict} data-verdict={name} title={t('history.grade', { quality })}>
      <Icon size={14} aria-label={t(`history.${name}`)} />
    </span>
  )
}
