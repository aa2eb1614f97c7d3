import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Concept } from './concept.ts'
import { Legend } from './legend.tsx'
import classes from './mind-map.module.css'

interface Props {
  opened: boolean
  onClose: () => void
  title: string
  concepts: Concept[]
  /** The graph. */
  children: ReactNode
}

/** The map over the whole window. */
export function LargeMap({ opened, onClose, title, concepts, children }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      fullScreen
      classNames={{ body: classes.largeBody ?? '', content: classes.large ?? '' }}
    >
      <div className={classes.largeGraph}>{children}</div>
      <Legend concepts={concepts} />
    </Modal>
  )
}
