import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeacherClass } from '../../src/contracts/practice.ts'
import { classesQuery } from '../api/teacher.ts'
import { ListSection } from './list-section.tsx'
import classes from './teacher.module.css'

/** Classes: who is stuck now, who has been quiet, what wrong answers looked like. */
export function ClassList() {
  const { t } = useTranslation()
  const query = useQuery(classesQuery)
  return (
    <ListSection title={t('teacher.classes')} empty={t('teacher.noClasses')} query={query}>
      {(items) => (
        <div className={classes.grid}>
          {items.map((one) => (
            <ClassCard key={one.id} of={one} />
          ))}
        </div>
      )}
    </ListSection>
  )
}

function ClassCard({ of: { title, stuckNow, quiet, misconceptions } }: { of: TeacherClass }) {
  const { t } = useTranslation()
  return (
    <article className={classes.class}>
      <h3 className={classes.classTitle}>{title}</h3>
      <dl className={classes.facts}>
        <Fact name={t('teacher.stuckNow')}>{listed(stuckNow) ?? t('teacher.nobody')}</Fact>
        <Fact name={t('teacher.quiet')}>{listed(quiet) ?? t('teacher.nobody')}</Fact>
        <Fact name={t('teacher.misconceptions')}>
          {misconceptions.length === 0 && t('teacher.none')}
          {misconceptions.map(({ tag, count }) => (
            <Text size="sm" key={tag}>
              {count} × {tag}
            </Text>
          ))}
        </Fact>
      </dl>
    </article>
  )
}

const listed = (students: string[]) => (students.length > 0 ? students.join(', ') : null)

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
