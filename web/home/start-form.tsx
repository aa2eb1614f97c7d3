import {
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
import { useNavigate } from '@tanstack/react-router'
import { ArrowRight, ChevronDown } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseSummary, NewArc } from '../../src/client/arc-client.ts'
import { arcs } from '../api/client.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { CoursePicker } from './course-picker.tsx'
import classes from './home.module.css'

const LEVELS = ['unknown', 'beginner', 'intermediate', 'advanced'] as const
type Level = (typeof LEVELS)[number]

/** Topic, goal and the few settings worth choosing before the first question. */
export function StartForm() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [topic, setTopic] = useState('')
  const [goal, setGoal] = useState('')
  const [course, setCourse] = useState<CourseSummary | null>(null)
  const [level, setLevel] = useState<Level>('unknown')
  const [skipDiagnosis, setSkipDiagnosis] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
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
    mutationFn: () => arcs.begin(arc, key),
    onSuccess: ({ arcId }) => navigate({ to: '/arcs/$arcId', params: { arcId } }),
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (arc.topic === '') input.current?.focus()
    else start.mutate()
  }
  const pick = (picked: CourseSummary | null) => {
    setCourse(picked)
    if (picked) setTopic(picked.title)
    start.reset()
    input.current?.focus()
  }

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
            onChange={(event) => {
              setTopic(event.currentTarget.value)
              if (course && event.currentTarget.value !== course.title) setCourse(null)
            }}
          />
          <Button
            type="submit"
            size="md"
            loading={start.isPending}
            rightSection={<ArrowRight size={18} aria-hidden />}
          >
            {t('home.start')}
          </Button>
        </div>
        <TextInput
          label={t('home.goal')}
          size="md"
          placeholder={t('home.goalExample')}
          maxLength={500}
          value={goal}
          onChange={(event) => setGoal(event.currentTarget.value)}
        />
        <ProblemAlert error={start.error} title={t('home.notStarted')} />
        <CoursePicker picked={course} onPick={pick} />
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
              <Stack gap={6}>
                <Text size="sm" fw={500} id={`${advanced}-level`}>
                  {t('home.level')}
                </Text>
                <SegmentedControl
                  aria-labelledby={`${advanced}-level`}
                  value={level}
                  onChange={(value) => setLevel(value as Level)}
                  data={LEVELS.map((value) => ({ value, label: t(`level.${value}`) }))}
                />
              </Stack>
              <Switch
                mt={{ base: 0, sm: 30 }}
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

/** One key for as long as the request stays the same, so that a repeated click starts one arc. */
function useIdempotencyKey(request: string): string {
  const kept = useRef({ request, key: crypto.randomUUID() as string })
  if (kept.current.request !== request) kept.current = { request, key: crypto.randomUUID() }
  return kept.current.key
}
