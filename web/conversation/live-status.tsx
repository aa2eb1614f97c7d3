import { VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

const CLEAR_MS = 1_500

interface Props {
  isWriting: boolean
  questionId: string | null
}

/** Tells a screen reader that the tutor writes, or that a question waits; never the text itself, which may be long. */
export function LiveStatus({ isWriting, questionId }: Props) {
  const { t } = useTranslation()
  const [said, setSaid] = useState('')
  const before = useRef<Props>({ isWriting: false, questionId: null })
  useEffect(() => {
    const last = before.current
    before.current = { isWriting, questionId }
    if (isWriting && !last.isWriting) setSaid(t('status.writing'))
    else if (questionId !== null && questionId !== last.questionId) setSaid(t('status.question'))
    else if (!isWriting && last.isWriting) setSaid(t('status.finished'))
  }, [isWriting, questionId, t])
  useEffect(() => {
    if (said === '') return
    const timer = setTimeout(() => setSaid(''), CLEAR_MS)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {said}
    </VisuallyHidden>
  )
}
