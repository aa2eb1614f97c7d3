import { Flag, Lock } from 'lucide-react'
import type { FocusEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type Concept, stateWord } from './concept.ts'
import mastery from './mastery.module.css'
import classes from './mind-map.module.css'

interface Props {
  concept: Concept
  onOpen: (id: string) => void
  className?: string
  onFocus?: (event: FocusEvent) => void
}

/** A concept on a map: its name, how it stands and how much of it is mastered; pressed, it opens. */
export function ConceptButton({ concept, onOpen, className = '', onFocus }: Props) {
  const { t } = useTranslation()
  const { id, label, status, percent, isInferred, access, isCurrent, isGoal, isOnPath } = concept
  return (
    <button
      type="button"
      className={`${className} ${mastery.mastery} ${classes.node}`}
      data-concept={id}
      data-status={status}
      data-access={access}
      data-path={isOnPath || undefined}
      aria-current={isCurrent ? 'step' : undefined}
      onFocus={onFocus}
      onClick={() => onOpen(id)}
    >
      <span className={classes.nodeLabel} title={label}>
        {label}
      </span>
      <span className={classes.nodeState}>
        {isGoal && <Flag size={11} aria-label={t('map.goal')} />}
        {access === 'locked' && <Lock size={11} aria-label={t('access.locked')} />}
        <span>{t(stateWord(concept))}</span>
        {percent > 0 && (
          <span className={classes.percent}>
            {isInferred && '≈ '}
            {percent}%
          </span>
        )}
      </span>
      <span className={classes.bar} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
    </button>
  )
}
