import { Button, Group, Kbd, Radio } from '@mantine/core'
import { CircleHelp, Eye, Lightbulb, SkipForward } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageAction, PendingQuestion } from '../../src/contracts/arc.ts'
import { InlineMarkdown, Markdown } from '../markdown/markdown.tsx'
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
    <section className={classes.panel} aria-labelledby={title} data-testid="question">
      <h2 className={classes.title} id={title}>
        <CircleHelp size={16} aria-hidden /> {t(`question.${question.kind}`)}
      </h2>
      {question.options && question.options.length > 0 ? (
        <Choices question={question} options={question.options} isBusy={isBusy} onSend={onSend} />
      ) : (
        <Markdown text={question.text} />
      )}
      <Ways question={question} isBusy={isBusy} onSend={onSend} />
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
      <Button type="submit" mt="md" disabled={chosen === null || isBusy}>
        {t('question.answer')}
      </Button>
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

const WAYS: { action: MessageAction | 'hint'; Icon: typeof Eye }[] = [
  { action: 'hint', Icon: Lightbulb },
  { action: 'dont_know', Icon: CircleHelp },
  { action: 'show', Icon: Eye },
  { action: 'skip', Icon: SkipForward },
]

/** What one may do instead of answering. */
function Ways({ question, isBusy, onSend }: Props) {
  const { t } = useTranslation()
  const send = (action: MessageAction | 'hint') =>
    action === 'hint'
      ? onSend({ text: t('action.hint') })
      : onSend({ text: t(`action.${action}`), action, questionId: question.id })
  const ways = WAYS.filter(({ action }) => question.kind !== 'choice' || action === 'skip')
  return (
    <Group gap={6} mt="sm" className={classes.ways ?? ''}>
      {ways.map(({ action, Icon }) => (
        <Button
          key={action}
          size="compact-sm"
          variant="default"
          radius="xl"
          disabled={isBusy}
          leftSection={<Icon size={14} aria-hidden />}
          onClick={() => send(action)}
        >
          {action === 'skip' && question.kind === 'diagnostic'
            ? t('action.skipDiagnosis')
            : t(`action.${action}`)}
        </Button>
      ))}
    </Group>
  )
}
