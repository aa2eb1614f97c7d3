import { useEffect, useRef } from 'react'
import { useChangeLearner, useLearner } from '../api/learner.ts'
import { firstSpoken, speak } from '../i18n/i18n.ts'

/** The page speaks the language that the learner has set, else the browser's. */
export function useLanguage(): void {
  const { data: learner } = useLearner()
  const chosen = learner?.chosen.includes('language') ? learner.language : null
  useEffect(() => {
    void speak(firstSpoken(chosen === null ? navigator.languages : [chosen]))
  }, [chosen])
}

/** The zone of the browser's clock, an IANA name. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Tells the server the browser's time zone where nobody has chosen one yet. */
export function useTimeZone(): void {
  const { data: learner } = useLearner()
  const { mutate } = useChangeLearner()
  const isSent = useRef(false)
  useEffect(() => {
    if (!learner || isSent.current || learner.chosen.includes('timeZone')) return
    const timeZone = browserZone()
    if (learner.timeZone === timeZone) return
    isSent.current = true
    mutate({ timeZone })
  }, [learner, mutate])
}
