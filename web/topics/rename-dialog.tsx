import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useChangeArc } from '../api/topics.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { nameOf } from './names.ts'

interface Props {
  arc: ArcView
  opened: boolean
  onClose: () => void
}

/** Gives a topic a name of the learner's own; without one it is called as it was asked for. */
export function RenameDialog({ arc, opened, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('topics.renameTitle')}>
      <Name arc={arc} onClose={onClose} />
    </Modal>
  )
}

function Name({ arc, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation()
  const [name, setName] = useState(nameOf(arc))
  const change = useChangeArc(arc.arcId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const title = name.trim()
    change.mutate(
      { title: title === '' || title === arc.topic ? null : title },
      { onSuccess: onClose },
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          data-autofocus
          label={t('topics.name')}
          description={t('topics.nameHelp', { topic: arc.topic })}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ProblemAlert error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('topics.cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('topics.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
