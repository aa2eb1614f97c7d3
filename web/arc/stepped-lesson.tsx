import { Button, Group, Text } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keepDraft, readDraft } from '../device/use-kept-text.ts'
import { lessonSteps } from '../markdown/lesson-steps.ts'
import { Markdown } from '../markdown/markdown.tsx'
import classes from './message.module.css'

interface Props {
  messageId: string
  text: string
  /** Whether it is the lesson in hand; an earlier one is shown whole. */
  isInHand: boolean
}

/** A lesson, one idea at a time; how far it was read is kept on the device. */
export function SteppedLesson({ messageId, text, isInHand }: Props) {
  const { t } = useTranslation()
  const steps = useMemo(() => lessonSteps(text), [text])
  const [shown, setShown] = useState(1)
  const newest = useRef<HTMLDivElement>(null)
  const key = `lesson/${messageId}`
  useEffect(() => {
    if (!isInHand) return
    void readDraft(key).then((kept) => setShown((now) => Math.max(now, Number(kept) || 1)))
  }, [key, isInHand])
  const goTo = (step: number) => {
    setShown(step)
    void keepDraft(key, String(step))
    // The next idea has the focus, so that a reader goes on there, and keys can be pressed again.
    requestAnimationFrame(() => newest.current?.focus({ preventScroll: true }))
  }
  if (!isInHand || steps.length < 2) return <Markdown text={text} />
  return (
    <>
      {steps.slice(0, shown).map((step, index) => (
        <div
          key={step}
          ref={index === shown - 1 ? newest : null}
          tabIndex={-1}
          className={classes.step}
        >
          <Markdown text={step} />
        </div>
      ))}
      {shown < steps.length && (
        <Group gap={10} mt={4}>
          <Button
            size="compact-sm"
            rightSection={<ChevronDown size={14} aria-hidden />}
            onClick={() => goTo(shown + 1)}
          >
            {t('lesson.goOn')}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={() => goTo(steps.length)}>
            {t('lesson.whole')}
          </Button>
          <Text size="xs" c="dimmed">
            {t('lesson.place', { number: shown, total: steps.length })}
          </Text>
        </Group>
      )}
    </>
  )
}
