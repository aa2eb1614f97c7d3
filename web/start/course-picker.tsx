import { Badge, Button, Group, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BookOpen, Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CourseSummary } from '../../src/client/arc-client.ts'
import { coursesQuery } from '../api/queries.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { hoursOf } from './course-plan.tsx'
import classes from './start.module.css'

interface Props {
  picked: string | null
  onPick: (course: CourseSummary | null) => void
}

/** The courses that can be learned here; picking one fills in the topic. */
export function CoursePicker({ picked, onPick }: Props) {
  const { t } = useTranslation()
  const { data: courses, error, isPending, refetch } = useQuery(coursesQuery)
  if (error) {
    return (
      <ProblemAlert
        error={error}
        title={t('home.coursesNotLoaded')}
        onRetry={() => void refetch()}
      />
    )
  }
  if (isPending) return <Skeleton h={64} radius="md" />
  if (courses.length === 0) return null
  return (
    <fieldset className={classes.courses}>
      <legend>{t('home.courses')}</legend>
      <div className={classes.courseGrid}>
        {courses.map((course) => {
          const isPicked = picked === course.courseId
          return (
            <UnstyledButton
              key={course.courseId}
              className={classes.course ?? ''}
              aria-pressed={isPicked}
              onClick={() => onPick(isPicked ? null : course)}
            >
              <span className={classes.courseIcon} aria-hidden>
                {isPicked ? <Check size={18} /> : <BookOpen size={18} />}
              </span>
              <span>
                <Text span fw={600} size="sm" display="block">
                  {course.title}
                </Text>
                <Group gap={6} component="span">
                  <Text span size="xs" c="dimmed">
                    {t('home.courseSize', {
                      count: course.units.length,
                      hours: hoursOf(
                        course.units.reduce((sum, unit) => sum + unit.effortMinutes, 0),
                      ),
                    })}
                  </Text>
                  {isPicked && (
                    <Badge component="span" size="xs" variant="light">
                      {t('home.picked')}
                    </Badge>
                  )}
                </Group>
              </span>
            </UnstyledButton>
          )
        })}
      </div>
    </fieldset>
  )
}

const EXAMPLES_OF_A_COURSE = 2

/** Topics to begin with, from what the courses teach. */
export function Examples({ onPick }: { onPick: (topic: string) => void }) {
  const { t } = useTranslation()
  const { data: courses = [] } = useQuery(coursesQuery)
  const examples = courses.flatMap(({ units }) =>
    units.slice(2, 2 + EXAMPLES_OF_A_COURSE).map(({ title }) => title),
  )
  if (examples.length === 0) return null
  return (
    <Group gap={8} role="group" aria-label={t('home.examples')}>
      <Text size="sm" c="dimmed" aria-hidden>
        {t('home.examples')}
      </Text>
      {examples.map((title) => (
        <Button
          key={title}
          size="compact-sm"
          radius="xl"
          variant="light"
          data-roomy
          classNames={{ root: classes.example ?? '', label: classes.exampleLabel ?? '' }}
          onClick={() => onPick(title)}
        >
          {title}
        </Button>
      ))}
    </Group>
  )
}
