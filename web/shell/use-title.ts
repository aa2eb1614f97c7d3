import { useEffect } from 'react'
import { useAgenda } from '../api/learner.ts'

/** Names the page in the browser's tab and to screen readers, with the number of reviews that wait. */
export function useTitle(title: string | undefined): void {
  const waiting = useAgenda().data?.due.length ?? 0
  useEffect(() => {
    const count = waiting > 0 ? `(${waiting}) ` : ''
    document.title = count + (title ? `${title} · Meno` : 'Meno')
  }, [title, waiting])
}
