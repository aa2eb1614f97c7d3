import { Badge, Button, Group, Kbd, Loader, Radio } from '@mantine/core'
import {
  BookOpen,
  CircleHelp,
  Dumbbell,
  Ellipsis,
  Eye,
  FastForward,
  GraduationCap,
  Lightbulb,
  ListOrdered,
  SkipForward,
} from 'lucide-react'
import { type FormEvent, lazy, Suspense, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { MessageAction, PendingQuestion } from '../../src/contracts/arc.ts'
import { useKeptText } from '../device/use-kept-text.ts'
import { InlineMarkdown, Markdown } from '../markdown/markdown.tsx'
import { speakable } from '../markdown/speakable.ts'
import { LateMenu } from '../shell/late-menu.tsx'
import classes from './question-panel.module.css'
import type { Words } from './use-outbox.ts'

const ProgramAnswer = lazy(async () => ({
  default: (await import('./program-answer.tsx')).ProgramAnswer,
}))

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
        {question.attempt === 2 && (
          <Badge size="sm" variant="light">
            {t('question.second')}
          </Badge>
        )}
      </h2>
      {question.kind === 'choice' && question.options ? (
        <Offer question={question} options={question.options} isBusy={isBusy} onSend={onSend} />
      ) : question.options && question.options.length > 0 ? (
        <Choices question={question} options={question.options} isBusy={isBusy} onSend={onSend} />
      ) : question.program ? (
        <>
          <Markdown text={question.text} />
          <Suspense fallback={<Loader type="dots" size="sm" aria-hidden />}>
            <ProgramAnswer
              question={question}
              program={question.program}
              isBusy={isBusy}
              onSend={onSend}
            >
              <Ways question={question} isBusy={isBusy} onSend={onSend} />
            </ProgramAnswer>
          </Suspense>
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
  const key = `choice/${question.id}`
  const [kept, setChosen] = useKeptText(key)
  const chosen = options.some(({ id }) => id === kept) ? kept : null
  const form = useRef<HTMLFormElement>(null)
  useOptionKeys(options, isBusy, (id) => {
    setChosen(id)
    form.current?.querySelector<HTMLInputElement>(`input[value="${CSS.escape(id)}"]`)?.focus()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen !== null && !isBusy) onSend({ text: chosen, questionId: question.id, draft: key })
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
                    {keyOf(id, index)}
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

/** The key beside an option: its letter, as the tutor calls it. */
const keyOf = (id: string, index: number) => (/^[a-z]$/.test(id) ? id : String(index + 1))

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== 'radio')

/** Its key or its number chooses an option, wherever the focus is but in a text field. */
function useOptionKeys(options: Options, isBusy: boolean, onChoose: (id: string) => void): void {
  const choose = useRef(onChoose)
  choose.current = onChoose
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isBusy || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTextField(event.target) || document.querySelector('[role="dialog"]')) return
      const option = /^[1-9]$/.test(event.key)
        ? options[Number(event.key) - 1]
        : options.find(({ id }, index) => keyOf(id, index) === event.key.toLowerCase())
      if (!option) return
      event.preventDefault()
      choose.current(option.id)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [options, isBusy])
}

const WAYS: { way: MessageAction; Icon: typeof Eye }[] = [
  { way: 'hint', Icon: Lightbulb },
  { way: 'dont_know', Icon: CircleHelp },
  { way: 'show', Icon: Eye },
  { way: 'skip', Icon: SkipForward },
]

const MORE: { way: MessageAction; Icon: typeof Eye }[] = [
  { way: 'explain', Icon: BookOpen },
  { way: 'example', Icon: ListOrdered },
  { way: 'practice', Icon: Dumbbell },
  { way: 'know_this', Icon: GraduationCap },
  { way: 'skip_concept', Icon: FastForward },
]

/** A level check gives no hints and shows no answers. */
const isOffered = (way: MessageAction, kind: PendingQuestion['kind']): boolean =>
  kind !== 'diagnostic' || way === 'dont_know' || way === 'skip'

/** What one may do instead of answering: the usual at hand, the rest in a menu. */
function Ways({ question, isBusy, onSend }: Props) {
  const { t } = useTranslation()
  const { id, kind, hintsLeft } = question
  const nameOf = (way: MessageAction) => {
    if (way === 'skip' && kind === 'diagnostic') return t('action.skipDiagnosis')
    return way === 'hint' && hintsLeft > 0
      ? t('action.hintsLeft', { count: hintsLeft })
      : t(`action.${way}`)
  }
  const send = (way: MessageAction) =>
    onSend({ text: t(`action.${way}`), action: way, questionId: id })
  return (
    <>
      {WAYS.filter(({ way }) => isOffered(way, kind)).map(({ way, Icon }) => (
        <Button
          key={way}
          size="compact-sm"
          variant="default"
          radius="xl"
          disabled={isBusy}
          leftSection={<Icon size={14} aria-hidden />}
          onClick={() => send(way)}
        >
          {nameOf(way)}
        </Button>
      ))}
      {kind !== 'diagnostic' && (
        <LateMenu
          position="top-start"
          shadow="md"
          hideDetached={false}
          button={
            <Button
              size="compact-sm"
              variant="default"
              radius="xl"
              disabled={isBusy}
              leftSection={<Ellipsis size={14} aria-hidden />}
            >
              {t('action.more')}
            </Button>
          }
          entries={MORE.map(({ way, Icon }) => ({
            name: way,
            label: t(`action.${way}`),
            Icon,
            act: () => send(way),
          }))}
        />
      )}
    </>
  )
}

/** A choice that is made with one press. */
function Offer({ question, options, isBusy, onSend }: Props & { options: Options }) {
  return (
    <>
      <Markdown text={question.text} />
      <Group gap={6} mt="md">
        {options.map(({ id, text }, index) => (
          <Button
            key={id}
            variant={index === 0 ? 'filled' : 'default'}
            disabled={isBusy}
            onClick={() => onSend({ text: id, questionId: question.id })}
          >
            {text}
          </Button>
        ))}
      </Group>
    </>
  )
}
