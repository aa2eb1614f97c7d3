import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card.module.css'

/** What every card needs of the thread it stands in. */
export interface CardContext {
  threadId: string
  courseId: string
  /** The titles of the course's units, by id. */
  titles: ReadonlyMap<string, string>
  /** Whether the tutor is at work on a turn. */
  isBusy: boolean
}

interface Props {
  kind: 'concept' | 'drill' | 'exam'
  title: ReactNode
  /** The unit the card is about. */
  unit: string
  children: ReactNode
  /** Its buttons, bottom right. */
  actions?: ReactNode
}

/** The frame of a card in the timeline: a title, what it holds, and its buttons at the bottom right. */
export function CardFrame({ kind, title, unit, children, actions }: Props) {
  return (
    <article
      className={classes.card}
      data-kind={kind}
      aria-label={unit}
      data-testid={`${kind}-card`}
    >
      <div className={classes.head}>
        <h3 className={classes.title}>{title}</h3>
        <span className={classes.unit}>{unit}</span>
      </div>
      {children}
      {actions && (
        <Group justify="flex-end" gap="sm" mt="md">
          {actions}
        </Group>
      )}
    </article>
  )
}
