import { ActionIcon, Button, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { SendHorizontal, Square } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft } from '../../src/client/arc-event.ts'
import { isProblem } from '../../src/client/problem.ts'
import type { ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { useKeptText } from '../device/use-kept-text.ts'
import { PhoneKeys } from '../keys/phone-keys.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './conversation.module.css'
import { isTerminal } from './conversation.ts'
import { ReadingPreview } from './reading-preview.tsx'
import type { Words } from './use-outbox.ts'

interface Props {
  arc: ArcView
  isBusy: boolean
  /** Whether an answer to the open question waits on this device. */
  isAnswered: boolean
  /** The text being written, which may be stopped. */
  draft: Draft | null
  onSend: (words: Words) => void
}

/** Where the learner writes: an answer while a short one is asked for, else whatever they want to say. */
export function Composer({ arc, isBusy, isAnswered, draft, onSend }: Props) {
  const { t } = useTranslation()
  const field = useRef<HTMLTextAreaElement>(null)
  const open = isAnswered ? null : arc.pendingQuestion
  const isAnswer = open !== null && !open.options?.length && !open.program
  const key = `${arc.arcId}/${isAnswer ? open.id : ''}`
  const [text, setText] = useKeptText(key)
  useShortcut(field)
  useReadyField(field, isAnswer && !isBusy ? open.id : null)
  if (isTerminal(arc)) return <Ended arc={arc} />

  const isEmpty = text.trim() === ''
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isEmpty || isBusy) return
    onSend({ text: text.trim(), questionId: isAnswer ? open.id : undefined, draft: key })
    setText('')
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.shiftKey) {
      document.getElementById('timeline')?.focus()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      submit()
    }
  }
  const label = isAnswer ? t('composer.answer') : t('composer.say')
  return (
    <form onSubmit={submit}>
      {isAnswer && open.answerKind && <PhoneKeys kind={open.answerKind} field={field} />}
      <div className={classes.composer}>
        <Textarea
          ref={field}
          aria-label={label}
          placeholder={isAnswer ? t('composer.answerExample') : t('composer.sayExample')}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={8_000}
          size="md"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          className={classes.field ?? ''}
          classNames={{ input: classes.input ?? '' }}
        />
        {draft ? (
          <StopButton arcId={arc.arcId} turnId={draft.turnId} />
        ) : (
          <ActionIcon
            type="submit"
            size={38}
            radius="xl"
            aria-label={isAnswer ? t('composer.sendAnswer') : t('composer.send')}
            disabled={isEmpty || isBusy}
            className={classes.send ?? ''}
          >
            <SendHorizontal size={18} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {isAnswer && <ReadingPreview question={open} text={text} />}
    </form>
  )
}

/** Ends what is being written; a text that ended by itself meanwhile is no fault to tell of. */
function StopButton({ arcId, turnId }: { arcId: string; turnId: string }) {
  const { t } = useTranslation()
  const stop = useMutation({ mutationFn: () => arcs.stop(arcId, turnId) })
  const isOver = isProblem(stop.error) && stop.error.status === 409
  return (
    <>
      <ActionIcon
        size={38}
        radius="xl"
        aria-label={t('composer.stop')}
        loading={stop.isPending}
        className={classes.send ?? ''}
        onClick={() => stop.mutate()}
      >
        <Square size={15} fill="currentColor" aria-hidden />
      </ActionIcon>
      {!isOver && <ProblemAlert error={stop.error} />}
    </>
  )
}

/** What is over can be gone on with: what is mastered is kept fresh, what was closed is taken up again. */
function Ended({ arc: { arcId, phase, mastery } }: { arc: ArcView }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const revive = useMutation({
    mutationFn: () => arcs.revive(arcId, phase === 'COMPLETED' ? { onMastered: 'stay' } : {}),
    onSuccess: (revived) => navigate({ to: '/arcs/$arcId', params: { arcId: revived.arcId } }),
  })
  return (
    <div className={classes.ended}>
      <Text size="sm">
        {phase === 'COMPLETED' && mastery.mastered < mastery.total
          ? t('ended.partly', { ...mastery, count: mastery.total })
          : t(`ended.${phase}`)}
      </Text>
      <ProblemAlert error={revive.error} />
      <Button size="xs" loading={revive.isPending} onClick={() => revive.mutate()}>
        {phase === 'COMPLETED' && mastery.mastered > 0 ? t('ended.keepFresh') : t('ended.goOn')}
      </Button>
      <Button component={Link} to="/" size="xs" variant="default">
        {t('ended.back')}
      </Button>
    </div>
  )
}

/** Shift and Escape bring the focus to the field from anywhere. */
function useShortcut(field: React.RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && event.shiftKey) field.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [field])
}

/** A new question that is answered here takes the focus, if nothing else has it. */
function useReadyField(
  field: React.RefObject<HTMLTextAreaElement | null>,
  questionId: string | null,
): void {
  useEffect(() => {
    if (questionId === null) return
    const { activeElement } = document
    const isFree = activeElement === document.body || activeElement?.id === 'main'
    if (isFree && matchMedia('(hover: hover)').matches)
      field.current?.focus({ preventScroll: true })
  }, [field, questionId])
}
