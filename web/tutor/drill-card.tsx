import { Badge, Button, Text, TextInput } from '@mantine/core'
import { Check, PencilLine, X } from 'lucide-react'
import { type FormEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import type {
  ClientEvent,
  DrillGradeResponse,
  TutorCard,
} from '../../src/contracts/course-tutor.ts'
import { useDrillGrade } from '../api/tutor.ts'
import { useKeptText } from '../device/use-kept-text.ts'
import { answerKindOf } from '../keys/answer-kind.ts'
import { PhoneKeys } from '../keys/phone-keys.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './card.module.css'
import { type CardContext, CardFrame } from './card-frame.tsx'
import { drillText } from './latex-text.ts'

export type Drill = Extract<TutorCard, { type: 'DRILL' }>

interface Props {
  card: Drill
  context: CardContext
  isLast: boolean
  onEvent: (event: ClientEvent) => void
}

/** An exercise with its answer field; once graded, with the verdict and the way on. Seed 004 PV-AI-021. */
export function DrillCard({ card, context, isLast, onEvent }: Props) {
  const { t } = useTranslation()
  const { unitId, prompt, questionLatex, token } = card
  const field = useRef<HTMLInputElement>(null)
  const [answer, setAnswer] = useKeptText(`drill/${token}`)
  const grade = useDrillGrade(context.threadId)
  // The server tells a verdict once: what it was is kept here, as the drill stays on the screen.
  const [kept, keepVerdict] = useKeptText(`verdict/${token}`)
  // What nobody could read is no verdict: the field stays, with what was typed.
  const unread = grade.data?.isCounted === false ? grade.data : null
  const verdict = unread ? null : (grade.data ?? readVerdict(kept))
  const isOver = isProblem(grade.error) && grade.error.status === 409
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const studentAnswer = answer.trim()
    if (studentAnswer === '' || grade.isPending) return
    const drill = { prompt, question_latex: questionLatex, token }
    grade.mutate(
      { courseId: context.courseId, unitId, drill, studentAnswer },
      { onSuccess: (graded) => graded.isCounted && keepVerdict(JSON.stringify(graded)) },
    )
  }
  const another = (
    <Button
      variant="default"
      disabled={context.isBusy}
      onClick={() => onEvent({ type: 'REQUEST_DRILL', unitId })}
    >
      {t('card.another')}
    </Button>
  )
  const isOpen = isLast && !verdict && !isOver
  const text = drillText(prompt, questionLatex)
  return (
    <CardFrame
      kind="drill"
      title={
        <>
          <PencilLine size={16} aria-hidden /> {t('card.drill')}
        </>
      }
      unit={context.titles.get(unitId) ?? unitId}
      actions={
        isLast && verdict ? (
          <>
            {another}
            <Button
              disabled={context.isBusy}
              onClick={() => onEvent({ type: 'DRILL_CONTINUE', unitId, lastResult: of(verdict) })}
            >
              {t('card.continue')}
            </Button>
          </>
        ) : (
          isLast && isOver && another
        )
      }
    >
      <Markdown text={text} />
      {isOpen && (
        <form onSubmit={submit}>
          <PhoneKeys kind={answerKindOf(text)} field={field} />
          <TextInput
            ref={field}
            label={t('card.answer')}
            value={answer}
            maxLength={2_000}
            autoComplete="off"
            onChange={(event) => setAnswer(event.currentTarget.value)}
          />
          <div className={classes.buttons}>
            <Button
              variant="default"
              disabled={context.isBusy}
              onClick={() => onEvent({ type: 'DRILL_STUCK', unitId })}
            >
              {t('card.stuck')}
            </Button>
            <Button type="submit" disabled={answer.trim() === ''} loading={grade.isPending}>
              {t('card.check')}
            </Button>
          </div>
        </form>
      )}
      {unread && (
        <div className={classes.verdict} role="status">
          <Markdown text={unread.feedbackText} />
        </div>
      )}
      {verdict && <Verdict answer={answer} grade={verdict} />}
      <ProblemAlert error={grade.error} />
    </CardFrame>
  )
}

function readVerdict(kept: string): DrillGradeResponse | null {
  return kept === '' ? null : (JSON.parse(kept) as DrillGradeResponse)
}

const of = ({ isCorrect }: DrillGradeResponse) => (isCorrect ? 'correct' : 'incorrect')

function Verdict({ answer, grade }: { answer: string; grade: DrillGradeResponse }) {
  const { t } = useTranslation()
  return (
    <div className={classes.verdict} role="status">
      <div className={classes.result}>
        <Badge
          color={grade.isCorrect ? '#237032' : 'red.9'}
          variant="filled"
          leftSection={
            grade.isCorrect ? <Check size={12} aria-hidden /> : <X size={12} aria-hidden />
          }
        >
          {t(`card.${of(grade)}`)}
        </Badge>
        <Text size="sm" c="dimmed">
          {t('card.answered', { answer })}
        </Text>
      </div>
      <Markdown text={grade.feedbackText} />
    </div>
  )
}
