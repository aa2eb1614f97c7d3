import { Badge, Group, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BookOpen, Check } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CourseSummary } from '../../src/client/arc-client.ts'
import { coursesQuery } from '../api/queries.ts'
import classes from './home.module.css'

interface Props {
  picked: CourseSummary | null
  onPick: (course: CourseSummary | null) => void
}

/** The courses that can be learned here; picking one fills in the topic. */
export function CoursePicker({ picked, onPick }: Props) {
  const { t } = useTranslation()
  const { data: courses, isPending, isError } = useQuery(coursesQuery)
  if (isError) return null
  if (isPending) return <Skeleton h={64} radius="md" />
  if (courses.length === 0) return null
  return (
    <fieldset className={classes.courses}>
      <legend>{t('home.courses')}</legend>
      <div className={classes.courseGrid}>
        {courses.map((course) => {
          const isPicked = picked?.courseId === course.courseId
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
                      hours: hours(course),
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

const hours = ({ units }: CourseSummary): number =>
  Math.max(1, Math.round(units.reduce((sum, unit) => sum + unit.effortMinutes, 0) / 60))
