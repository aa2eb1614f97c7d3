import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** A pupil's name, leading to the pupil's page. */
export function PupilLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={`/teaching/pupils/${encodeURIComponent(id)}`} inherit>
      {children}
    </Anchor>
  )
}

/** A session by what it is about, leading to what was said in it. */
export function SessionLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={`/teaching/sessions/${encodeURIComponent(id)}`} inherit>
      {children}
    </Anchor>
  )
}
