import { Button, Group, Kbd, Radio } from '@mantine/core'
import { CircleHelp, Dumbbell, Eye, Lightbulb, SkipForward } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageAction, PendingQuestion } from '../../src/contracts/arc.ts'
import { InlineMarkdown, Markdown } from '../markdown/markdown.tsx'
import { speakable } from '../markdown/speakable.ts'
import { ProgramAnswer } from './program-answer.tsx'
import classes from './question-panel.module.css'
import type { Words } from './use-outbox.ts'

interface Props {
  question: PendingQuestion
  isBusy: boolean
  onSend: (words: Words) => void
}

/** The question that waits for the learner; short answers are written in the composer below it. */
export function QuestionPanel({ question, isBusy, onSend }: Props) {
  const { t } = useTranslation()
  const title = useId()
  return (
    <section
      className={classes.panel}
      aria-labelledby={title}
      data-testid="question"
      data-question={question.id}
      data-goal
    >
      <h2 className={classes.title} id={title}>
        <CircleHelp size={16} aria-hidden /> {t(`question.${question.kind}`)}
      </h2>
      {question.options && question.options.length > 0 ? (
        <Choices question={question} options={question.options} isBusy={isBusy} onSend={onSend} />
      ) : question.program ? (
        <>
          <Markdown text={question.text} />
          <ProgramAnswer
            question={question}
            program={question.program}
            isBusy={isBusy}
            onSend={onSend}
          >
            <Ways question={question} isBusy={isBusy} onSend={onSend} />
          </ProgramAnswer>
        </>
      ) : (
        <>
          <Markdown text={question.text} />
          <Group gap={6} mt="md">
            <Ways question={question} isBusy={isBusy} onSend={onSend} />
          </Group>
        </>
      )}
    </section>
  )
}

type Options = NonNullable<PendingQuestion['options']>

function Choices({ question, options, isBusy, onSend }: Props & { options: Options }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useNumberKeys(options, isBusy, (id) => {
    setChosen(id)
    form.current?.querySelector<HTMLInputElement>(`input[value="${CSS.escape(id)}"]`)?.focus()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen !== null && !isBusy) onSend({ text: chosen, questionId: question.id })
  }
  return (
    <form ref={form} onSubmit={submit}>
      <Radio.Group
        label={<Markdown text={question.text} />}
        value={chosen}
        onChange={setChosen}
        classNames={{ label: classes.text ?? '' }}
      >
        <div className={classes.options}>
          {options.map(({ id, text }, index) => (
            <Radio
              key={id}
              value={id}
              // The formulas of the label have no name that every reader finds.
              aria-label={speakable(text)}
              disabled={isBusy}
              className={classes.option ?? ''}
              classNames={{ body: classes.body ?? '', labelWrapper: classes.wrapper ?? '' }}
              label={
                <span className={classes.label}>
                  <InlineMarkdown text={text} />
                  <Kbd size="xs" aria-hidden className={classes.key ?? ''}>
                    {index + 1}
                  </Kbd>
                </span>
              }
            />
          ))}
        </div>
      </Radio.Group>
      <Group gap={6} mt="md">
        <Button type="submit" mr={6} disabled={chosen === null || isBusy}>
          {t('question.answer')}
        </Button>
        <Ways question={question} isBusy={isBusy} onSend={onSend} />
      </Group>
    </form>
  )
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== 'radio')

/** The number keys choose an option, wherever the focus is but in a text field. */
function useNumberKeys(options: Options, isBusy: boolean, onChoose: (id: string) => void): void {
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isBusy || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTextField(event.target) || document.querySelector('[role="dialog"]')) return
      const option = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined
      if (!option) return
      event.preventDefault()
      choose.current(option.id)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [options, isBusy])
}

type Way = MessageAction | 'hint'

const WAYS: { way: Way; Icon: typeof Eye }[] = [
  { way: 'hint', Icon: Lightbulb },
  { way: 'dont_know', Icon: CircleHelp },
  { way: 'show', Icon: Eye },
  { way: 'practice', Icon: Dumbbell },
  { way: 'skip', Icon: SkipForward },
]

/** A level check shows no answers, a lesson may be practised, and a choice can only be made or passed over. */
function isOffered(way: Way, kind: PendingQuestion['kind']): boolean {
  if (way === 'practice') return kind === 'teach'
  return kind === 'choice' ? way === 'skip' : !(kind === 'diagnostic' && way === 'show')
}

/** What one may do instead of answering. */
function Ways({ question, isBusy, onSend }: Props) {
  const { t } = useTranslation()
  const send = (way: Way) =>
    way === 'hint'
      ? onSend({ text: t('action.hint') })
      : onSend({ text: t(`action.${way}`), action: way, questionId: question.id })
  return WAYS.filter(({ way }) => isOffered(way, question.kind)).map(({ way, Icon }) => (
    <Button
      key={way}
      size="compact-sm"
      variant="default"
      radius="xl"
      disabled={isBusy}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => send(way)}
    >
      {way === 'skip' && question.kind === 'diagnostic'
        ? t('action.skipDiagnosis')
        : t(`action.${way}`)}
    </Button>
  ))
}
