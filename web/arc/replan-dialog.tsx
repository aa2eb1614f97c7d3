import { Button, Group, Loader, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcMessage, ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { useMessages } from '../api/queries.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'

interface Props {
  arc: ArcView
  opened: boolean
  onClose: () => void
}

/** Asks for the plan to be looked at again, with a reason and another goal if there are any, and says what came of it. */
export function ReplanDialog({ arc, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('replan.title')}>
      <Replan arc={arc} onClose={onClose} />
    </Modal>
  )
}

function Replan({ arc, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [goal, setGoal] = useState(arc.goal ?? '')
  const { data: messages = [] } = useMessages(arc.arcId)
  const command = useMutation({
    mutationFn: async () => {
      const known = messages.length
      const changed = goal.trim() === (arc.goal ?? '') ? '' : goal.trim()
      await arcs.command(arc.arcId, 'replan', {
        ...(reason.trim() ? { reason: reason.trim() } : {}),
        ...(changed ? { goal: changed } : {}),
      })
      return { known }
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    command.mutate()
  }
  if (command.data) {
    return <Outcome replies={repliesSince(messages, command.data.known)} onClose={onClose} />
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('replan.text')}</Text>
        <Textarea
          data-autofocus
          label={t('replan.reason')}
          placeholder={t('replan.example')}
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          label={t('replan.goal')}
          maxLength={500}
          value={goal}
          onChange={(event) => setGoal(event.currentTarget.value)}
        />
        <ProblemAlert error={command.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('replan.cancel')}
          </Button>
          <Button type="submit" loading={command.isPending}>
            {t('replan.do')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** What the tutor said since, without the question that stands open. */
const repliesSince = (messages: readonly ArcMessage[], known: number): ArcMessage[] =>
  messages
    .slice(known)
    .filter(({ role, questionId }) => role !== 'learner' && questionId === undefined)

function Outcome({ replies, onClose }: { replies: readonly ArcMessage[]; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Stack role="status">
      {replies.length === 0 ? (
        <Group gap="sm">
          <Loader size="sm" /> <Text size="sm">{t('replan.working')}</Text>
        </Group>
      ) : (
        replies.map(({ id, text }) => <Markdown key={id} text={text} />)
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('replan.close')}</Button>
      </Group>
    </Stack>
  )
}
