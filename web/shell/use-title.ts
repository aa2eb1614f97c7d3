import { useEffect } from 'react'

/** Names the page in the browser's tab and to screen readers. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Meno` : 'Meno'
  }, [title])
}
