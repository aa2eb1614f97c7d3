import { UnstyledButton } from '@mantine/core'
import { Flag, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { MindMapView } from '../../src/contracts/arc.ts'
import { type Concept, neighbours, stateWord } from './concept.ts'
import mastery from './mastery.module.css'
import classes from './mind-map.module.css'

interface Props {
  map: MindMapView
  concepts: Concept[]
  onOpen: (id: string) => void
}

/** The same concepts in learning order, one a line, with what each needs first. */
export function ConceptList({ map, concepts, onOpen }: Props) {
  const { t } = useTranslation()
  return (
    <ol className={classes.list} aria-label={t('map.listLabel')}>
      {concepts.map((concept) => {
        const { before } = neighbours(map, concept.id)
        const needs = concepts.filter(({ id }) => before.includes(id)).map(({ label }) => label)
        const after =
          needs.length > 0 ? t('map.after', { labels: needs.join(', ') }) : t('map.first')
        return (
          <li key={concept.id}>
            <UnstyledButton
              className={`${mastery.mastery} ${classes.row}`}
              data-status={concept.status}
              aria-current={concept.isCurrent ? 'step' : undefined}
              onClick={() => onOpen(concept.id)}
            >
              <span className={classes.dot} aria-hidden />
              <span className={classes.rowText}>
                <span className={classes.rowLabel}>{concept.label}</span>
                <span className={classes.rowNeeds} title={after}>
                  {after}
                </span>
              </span>
              <span className={classes.rowState}>
                {concept.isGoal && <Flag size={11} aria-label={t('map.goal')} />}
                {concept.access === 'locked' && <Lock size={11} aria-label={t('access.locked')} />}
                {t(stateWord(concept))}
                <br />
                <b>
                  {concept.isInferred && '≈ '}
                  {concept.percent}%
                </b>
              </span>
            </UnstyledButton>
          </li>
        )
      })}
    </ol>
  )
}
