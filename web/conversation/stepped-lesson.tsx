import { Button, Group, Text } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keepDraft, readDraft } from '../device/use-kept-text.ts'
import { type LessonStep, lessonSteps } from '../markdown/lesson-steps.ts'
import { Markdown } from '../markdown/markdown.tsx'
import classes from './message.module.css'

interface Props {
  messageId: string
  text: string
  /** Whether it is the lesson in hand; an earlier one is shown whole. */
  isInHand: boolean
}

/** A lesson, one idea at a time, and its worked example line by line; how far it was read is kept on the device. */
export function SteppedLesson({ messageId, text, isInHand }: Props) {
  const steps = useMemo(() => lessonSteps(text), [text])
  const [shown, setShown] = useState(1)
  const newest = useRef<HTMLDivElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)
  const key = `lesson/${messageId}`
  useEffect(() => {
    if (!isInHand) return
    void readDraft(key).then((kept) => setShown((now) => Math.max(now, Number(kept) || 1)))
  }, [key, isInHand])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown is what the focus follows
  useLayoutEffect(() => {
    if (!pressed.current) return
    pressed.current = false
    // After a new idea a reader goes on there; from line to line the button stays under the finger.
    const isLine = steps[shown - 1]?.isLine === true
    if (isLine && next.current) next.current.scrollIntoView({ block: 'nearest' })
    else newest.current?.focus({ preventScroll: true })
  }, [shown])
  const goTo = (step: number) => {
    pressed.current = true
    setShown(step)
    void keepDraft(key, String(step))
  }
  if (!isInHand || steps.length < 2) return <Markdown text={text} />
  return (
    <div className={classes.steps}>
      {groupsOf(steps, shown).map(({ isLines, parts }) => (
        // What a press brings into an example is read out, as the focus stays on the button.
        <div
          key={parts[0]?.index}
          className={isLines ? classes.lines : classes.steps}
          aria-live={isLines ? 'polite' : undefined}
        >
          {parts
            .filter(({ index }) => index < shown)
            .map(({ text: part, index }) => (
              <div
                key={index}
                ref={index === shown - 1 ? newest : null}
                tabIndex={-1}
                className={classes.step}
              >
                <Markdown text={part} />
              </div>
            ))}
        </div>
      ))}
      {shown < steps.length && (
        <Further steps={steps} shown={shown} onShow={goTo} nextButton={next} />
      )}
    </div>
  )
}

interface Part {
  text: string
  index: number
}

/** What is shown, lines of an example apart from ideas; an example is there before its first line is. */
function groupsOf(steps: readonly LessonStep[], shown: number) {
  const groups: { isLines: boolean; parts: Part[] }[] = []
  for (const [index, { text, isLine }] of steps.entries()) {
    if (index > shown || (index === shown && !isLine)) break
    const last = groups.at(-1)
    if (last?.isLines === isLine) last.parts.push({ text, index })
    else groups.push({ isLines: isLine, parts: [{ text, index }] })
  }
  return groups
}

interface FurtherProps {
  steps: readonly LessonStep[]
  shown: number
  onShow: (step: number) => void
  nextButton: React.RefObject<HTMLButtonElement | null>
}

/** The way on: to the next idea, or to the next line of the example after asking what it may be. */
function Further({ steps, shown, onShow, nextButton }: FurtherProps) {
  const { t } = useTranslation()
  const isLine = steps[shown]?.isLine === true
  const isBegun = steps[shown - 1]?.isLine === true
  const afterLines = steps.findIndex(({ isLine: is }, index) => index >= shown && !is)
  const lines = steps.filter((step) => step.isLine).length
  return (
    <div>
      {isLine && (
        <p className={classes.wonder}>{t(isBegun ? 'lesson.whatNext' : 'lesson.howBegin')}</p>
      )}
      <Group gap={10}>
        <Button
          key={isLine ? 'line' : 'idea'}
          ref={nextButton}
          size="compact-sm"
          rightSection={<ChevronDown size={14} aria-hidden />}
          onClick={() => onShow(shown + 1)}
        >
          {t(isLine ? 'lesson.nextLine' : 'lesson.goOn')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => onShow(isLine && afterLines > 0 ? afterLines : steps.length)}
        >
          {t(isLine ? 'lesson.allLines' : 'lesson.whole')}
        </Button>
        <Text size="xs" c="dimmed">
          {isLine
            ? t('lesson.line', { number: linesIn(steps, shown), total: lines })
            : t('lesson.place', { number: shown, total: steps.length - lines })}
        </Text>
      </Group>
    </div>
  )
}

const linesIn = (steps: readonly LessonStep[], shown: number): number =>
  steps.slice(0, shown).filter((step) => step.isLine).length
