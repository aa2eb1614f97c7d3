import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Route } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { arcs } from '../api/client.ts'
import classes from './start.module.css'

const TYPING_MS = 350

interface Props {
  topic: string
  goal: string
  courseId: string | null
}

/** What a topic will become, before it starts: the concepts on the way and how long they take. */
export function CoursePlan({ topic, goal, courseId }: Props) {
  const { t } = useTranslation()
  const [wish] = useDebouncedValue({ topic: topic.trim(), goal: goal.trim(), courseId }, TYPING_MS)
  const { data: course } = useQuery({
    queryKey: ['plan', wish.courseId ?? wish.topic, wish.goal],
    queryFn: ({ signal }) =>
      arcs.plan(
        {
          topic: wish.topic,
          ...(wish.courseId ? { courseId: wish.courseId } : {}),
          ...(wish.goal ? { goal: wish.goal } : {}),
        },
        signal,
      ),
    enabled: wish.topic.length > 2,
    placeholderData: keepPreviousData,
    staleTime: 600_000,
  })
  if (!course || topic.trim().length <= 2) return null
  const needed = new Set(course.needed)
  const units = course.units.filter(({ unitId }) => needed.has(unitId))
  const minutes = units.reduce((sum, { effortMinutes }) => sum + effortMinutes, 0)
  return (
    <div className={classes.plan} role="status" data-testid="plan">
      <Route size={18} aria-hidden />
      <div>
        <Text size="sm" fw={600}>
          {t('plan.size', { count: units.length, hours: hoursOf(minutes), course: course.title })}
        </Text>
        <details>
          <summary>{t('plan.show')}</summary>
          <ol>
            {units.map(({ unitId, title }) => (
              <li key={unitId}>{title}</li>
            ))}
          </ol>
        </details>
        <Text size="xs" c="dimmed">
          {t('plan.less')}
        </Text>
      </div>
    </div>
  )
}

/** Whole hours, at least one. */
export const hoursOf = (minutes: number): number => Math.max(1, Math.round(minutes / 60))
