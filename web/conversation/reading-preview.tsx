import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import classes from './conversation.module.css'

interface Props {
  question: PendingQuestion
  /** What the learner has typed. */
  text: string
}

/** Words are read as they stand: to repeat them helps nobody. */
const PLAIN = ['text', 'code']

/** What code reads in an answer that is being typed, set as mathematics; it knows the kind of answer and never the key. */
export function ReadingPreview({ question, text }: Props) {
  const { t } = useTranslation()
  const [reading, setReading] = useState<string | null>(null)
  const kind = question.answerKind
  useEffect(() => {
    if (!kind || PLAIN.includes(kind) || text.trim() === '') {
      setReading(null)
      return
    }
    let isOld = false
    void import('../../src/domain/answers/reading.ts').then(
      ({ readingOf }) => {
        if (!isOld) setReading(readingOf(text, kind, { text: question.text }))
      },
      () => {
        // Without a network it may not be there: the answer is taken all the same.
      },
    )
    return () => {
      isOld = true
    }
  }, [kind, question.text, text])
  if (reading === null) return null
  return (
    <Text size="sm" c="dimmed" className={classes.reading ?? ''} data-testid="reading">
      {t('composer.readAs')} <InlineMarkdown text={reading} />
    </Text>
  )
}
