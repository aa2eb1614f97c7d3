import {
  Alert,
  Button,
  Collapse,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown, CopyCheck } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseSummary, NewArc } from '../../src/client/arc-client.ts'
import { isProblem } from '../../src/client/problem.ts'
import type { ArcView } from '../../src/contracts/arc.ts'
import { arcs as api } from '../api/client.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { alreadyLearned, nameOf } from '../topics/names.ts'
import { CoursePicker, Examples } from './course-picker.tsx'
import { CoursePlan } from './course-plan.tsx'
import classes from './start.module.css'

const LEVELS = ['unknown', 'beginner', 'intermediate', 'advanced'] as const
type Level = (typeof LEVELS)[number]

interface Props {
  arcs: readonly ArcView[]
  /** Whether nothing was learned here yet. */
  isFirst: boolean
}

/** Topic, goal and the few settings worth choosing before the first question. */
export function StartForm({ arcs, isFirst }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [topic, setTopic] = useState('')
  const [goal, setGoal] = useState('')
  const [course, setCourse] = useState<Pick<CourseSummary, 'courseId' | 'title'> | null>(null)
  const [level, setLevel] = useState<Level>('unknown')
  const [skipDiagnosis, setSkipDiagnosis] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const [twice, setTwice] = useState<ArcView | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const advanced = useId()

  const arc: NewArc = {
    topic: topic.trim(),
    ...(goal.trim() ? { goal: goal.trim() } : {}),
    ...(course ? { courseId: course.courseId } : {}),
    settings: { level, skipDiagnosis },
  }
  const key = useIdempotencyKey(JSON.stringify(arc))
  const start = useMutation({
    mutationFn: () => api.begin(arc, key),
    onSuccess: ({ arcId }) => navigate({ to: '/arcs/$arcId', params: { arcId } }),
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (arc.topic === '') return input.current?.focus()
    const known = alreadyLearned(arcs, arc)
    if (known && twice?.arcId !== known.arcId) return setTwice(known)
    start.mutate()
  }
  const ask = (text: string, picked: typeof course) => {
    setTopic(text)
    setCourse(picked)
    setTwice(null)
    start.reset()
  }
  const pick = (picked: typeof course) => {
    ask(picked?.title ?? '', picked)
    input.current?.focus()
  }
  const offered = isProblem(start.error) ? start.error.courses : []

  return (
    <form onSubmit={submit} className={classes.form}>
      <Stack gap="md">
        <div className={classes.ask}>
          <TextInput
            ref={input}
            label={t('home.topic')}
            placeholder={t('home.topicExample')}
            size="md"
            maxLength={200}
            required
            withAsterisk={false}
            value={topic}
            onChange={({ currentTarget: { value } }) =>
              ask(value, course && value === course.title ? course : null)
            }
          />
          <Button
            type="submit"
            size="md"
            variant={isFirst ? 'filled' : 'light'}
            loading={start.isPending}
            rightSection={<ArrowRight size={18} aria-hidden />}
          >
            {t('home.start')}
          </Button>
        </div>
        {isFirst && <Examples onPick={(text) => ask(text, null)} />}
        {twice && <Twice arc={twice} onAgain={() => start.mutate()} isBusy={start.isPending} />}
        <ProblemAlert error={start.error} title={t('home.notStarted')}>
          {offered.length > 0 && <Instead courses={offered} onPick={pick} />}
        </ProblemAlert>
        <CoursePlan topic={topic} goal={goal} courseId={course?.courseId ?? null} />
        <TextInput
          label={t('home.goal')}
          size="md"
          placeholder={t('home.goalExample')}
          maxLength={500}
          value={goal}
          onChange={(event) => setGoal(event.currentTarget.value)}
        />
        <CoursePicker picked={course?.courseId ?? null} onPick={pick} />
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isOpen}
            aria-controls={advanced}
            rightSection={
              <ChevronDown size={16} aria-hidden className={isOpen ? classes.turned : undefined} />
            }
            onClick={() => setIsOpen(!isOpen)}
            ml={-8}
          >
            {t('home.advanced')}
          </Button>
          <Collapse expanded={isOpen} id={advanced}>
            <Group gap="xl" align="flex-start" pt="sm">
              <Stack gap={6} className={classes.level ?? ''}>
                <Text size="sm" fw={500} id={`${advanced}-level`}>
                  {t('home.level')}
                </Text>
                <SegmentedControl
                  aria-labelledby={`${advanced}-level`}
                  classNames={{ root: classes.levels ?? '' }}
                  value={level}
                  onChange={(value) => setLevel(value as Level)}
                  data={LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
                />
              </Stack>
              <Switch
                label={t('home.skipDiagnosis')}
                description={t('home.skipDiagnosisHelp')}
                checked={skipDiagnosis}
                onChange={(event) => setSkipDiagnosis(event.currentTarget.checked)}
              />
            </Group>
          </Collapse>
        </div>
      </Stack>
    </form>
  )
}

interface TwiceProps {
  arc: ArcView
  isBusy: boolean
  onAgain: () => void
}

/** The topic is being learned already: to go on with it, or to begin it a second time. */
function Twice({ arc, isBusy, onAgain }: TwiceProps) {
  const { t } = useTranslation()
  return (
    <Alert
      role="alert"
      color="yellow"
      variant="light"
      icon={<CopyCheck aria-hidden />}
      title={t('home.twice', { topic: nameOf(arc) })}
    >
      <Group gap="sm">
        <Button component={Link} to={`/arcs/${encodeURIComponent(arc.arcId)}`} size="sm">
          {t('home.goOn')}
        </Button>
        <Button variant="default" size="sm" loading={isBusy} onClick={onAgain}>
          {t('home.again')}
        </Button>
      </Group>
    </Alert>
  )
}

interface InsteadProps {
  courses: readonly { courseId: string; title: string }[]
  onPick: (course: { courseId: string; title: string }) => void
}

/** What can be taught without a model, and how one is connected. */
function Instead({ courses, onPick }: InsteadProps) {
  const { t } = useTranslation()
  return (
    <>
      <Group gap={8} mt={8} mb={8}>
        {courses.map((course) => (
          <Button
            key={course.courseId}
            size="compact-sm"
            variant="default"
            onClick={() => onPick(course)}
          >
            {t('home.take', { course: course.title })}
          </Button>
        ))}
      </Group>
      <Text size="sm">{t('home.connect')}</Text>
    </>
  )
}

/** One key for as long as the request stays the same, so that a repeated click starts one arc. */
function useIdempotencyKey(request: string): string {
  const kept = useRef({ request, key: crypto.randomUUID() as string })
  if (kept.current.request !== request) kept.current = { request, key: crypto.randomUUID() }
  return kept.current.key
}
