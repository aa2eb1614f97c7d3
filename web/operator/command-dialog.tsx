import { Button, Checkbox, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperatorArc } from '../../src/contracts/operator.ts'
import { useArcCommand } from '../api/operator.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'

interface Props {
  arc: OperatorArc
  command: 'abandon' | 'replan'
  onClose: () => void
}

/** Closes a learner's arc or has its plan looked at again: with a reason, and once it is confirmed whose it is. */
export function CommandDialog({ arc, command, onClose }: Props) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [isSure, setSure] = useState(false)
  const sent = useArcCommand(arc.arcId, command)
  const canSend = reason.trim() !== '' && isSure
  const about = { topic: arc.title, learner: arc.learner.name ?? arc.learner.handle }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (canSend) sent.mutate(reason.trim(), { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={t(`operator.${command}Title`)}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t(`operator.${command}Text`, about)}</Text>
          <Textarea
            label={t('operator.reason')}
            description={t('operator.reasonHelp')}
            required
            autosize
            minRows={2}
            maxLength={500}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Checkbox
            label={t(`operator.${command}Sure`, about)}
            checked={isSure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
          <ProblemAlert error={sent.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('operator.cancel')}
            </Button>
            <Button
              type="submit"
              {...(command === 'abandon' ? { color: 'red' } : {})}
              disabled={!canSend}
              loading={sent.isPending}
            >
              {t(`operator.${command}Do`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
