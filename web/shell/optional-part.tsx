import { Button, Text } from '@mantine/core'
import { Component, type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './shell.module.css'

interface Props<P> {
  /** Fetches the part, anew at every call. */
  load: () => ComponentType<P>
  props: P
  /** What is read where the part cannot be fetched. */
  missing: string
  waiting: ReactNode
  /** What does the same meanwhile. */
  instead?: ReactNode
}

/** A part of a screen that is fetched when it is wanted. Where it cannot be had, a sentence and a way to try again. */
export function OptionalPart<P extends object>(given: Props<P>) {
  const { load, props, missing, waiting, instead } = given
  const { t } = useTranslation()
  const [{ tries, Part }, setPart] = useState(() => ({ tries: 0, Part: load() }))
  const again = () => setPart({ tries: tries + 1, Part: load() })
  return (
    <Boundary
      key={tries}
      fallback={
        <div className={classes.missing}>
          <div role="alert">
            <Text size="sm">{missing}</Text>
          </div>
          <Button size="compact-sm" variant="default" onClick={again}>
            {t('problem.retry')}
          </Button>
          {instead}
        </div>
      }
    >
      <Suspense fallback={waiting}>
        <Part {...props} />
      </Suspense>
    </Boundary>
  )
}

class Boundary extends Component<{ fallback: ReactNode; children: ReactNode }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
