import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeskClass } from '../../src/contracts/teaching.ts'
import { classesQuery } from '../api/teacher.ts'
import { ClassDialog } from './class-dialog.tsx'
import { PupilLink } from './links.tsx'
import { ListSection } from './list-section.tsx'
import classes from './teacher.module.css'

/** Classes: who is stuck now, who has been quiet, who has not begun. */
export function ClassList() {
  const { t } = useTranslation()
  const query = useQuery(classesQuery)
  const [isMaking, setMaking] = useState(false)
  const make = (
    <Button
      size="compact-md"
      leftSection={<Plus size={15} aria-hidden />}
      onClick={() => setMaking(true)}
    >
      {t('desk.newClass')}
    </Button>
  )
  return (
    <>
      <ListSection
        title={t('teacher.classes')}
        empty={t('desk.noClasses')}
        query={query}
        actions={make}
      >
        {(items) => (
          <div className={classes.grid}>
            {items.map((one) => (
              <ClassCard key={one.id} of={one} />
            ))}
          </div>
        )}
      </ListSection>
      {isMaking && <ClassDialog onClose={() => setMaking(false)} />}
    </>
  )
}

const KINDS = ['stuckNow', 'quiet', 'notBegun'] as const

function ClassCard({ of }: { of: DeskClass }) {
  const { t } = useTranslation()
  return (
    <article className={classes.class}>
      <h3 className={classes.classTitle}>
        <Anchor component={Link} to={`/teaching/classes/${encodeURIComponent(of.id)}`} inherit>
          {of.title}
        </Anchor>
      </h3>
      <p className={classes.count}>{t('desk.pupils', { count: of.studentIds.length })}</p>
      <dl className={classes.facts}>
        {KINDS.filter((kind) => of[kind].length > 0).map((kind) => (
          <div key={kind}>
            <dt>{t(`desk.${kind}`)}</dt>
            <dd>
              <Names ids={of[kind]} names={of.names} />
            </dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

const SHOWN = 5

/** The first few names; of the rest the number. */
function Names({ ids, names }: { ids: string[]; names: Record<string, string> }) {
  const { t } = useTranslation()
  const rest = ids.length - SHOWN
  return (
    <>
      {ids.slice(0, SHOWN).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <PupilLink id={id}>{names[id] ?? id}</PupilLink>
        </span>
      ))}
      {rest > 0 && ` ${t('desk.andMore', { count: rest })}`}
    </>
  )
}
