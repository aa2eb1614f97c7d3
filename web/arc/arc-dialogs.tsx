import { Button, Group, Kbd, Modal, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcCommand } from '../../src/client/arc-client.ts'
import type { ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { arcKeys } from '../api/queries.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { nameOf } from '../topics/names.ts'

interface DialogProps {
  arc: ArcView
  opened: boolean
  onClose: () => void
}

function useCommand(arc: ArcView, command: ArcCommand, onDone: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { reason?: string; goal?: string }) =>
      arcs.command(arc.arcId, command, body),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: arcKeys(arc.arcId).arc, exact: true })
    },
  })
}

/** Closes the arc for good, once the learner has typed the word. */
export function AbandonDialog({ arc, opened, onClose }: DialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const command = useCommand(arc, 'abandon', onClose)
  const word = t('abandon.word')
  const isSure = typed.trim().toLowerCase() === word
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSure) command.mutate(reason.trim() ? { reason: reason.trim() } : {})
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('abandon.title')}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('abandon.text', { topic: nameOf(arc) })}</Text>
          <TextInput
            label={t('abandon.reason')}
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <TextInput
            label={t('abandon.confirm', { word })}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <ProblemAlert error={command.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('abandon.cancel')}
            </Button>
            <Button type="submit" color="red" disabled={!isSure} loading={command.isPending}>
              {t('abandon.do')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const SHORTCUTS = [
  [['Enter'], 'send'],
  [['Shift', 'Enter'], 'newline'],
  [['1', '–', '9'], 'option'],
  [['Shift', 'Esc'], 'focus'],
  [['Esc'], 'leave'],
] as const

/** The keys that do something here. */
export function ShortcutsDialog({ opened, onClose }: Omit<DialogProps, 'arc'>) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('shortcuts.title')}>
      <Table>
        <Table.Tbody>
          {SHORTCUTS.map(([keys, name]) => (
            <Table.Tr key={name}>
              <Table.Td w={140}>
                {keys.map((key) => (key === '–' ? ' – ' : <Kbd key={key}>{key}</Kbd>))}
              </Table.Td>
              <Table.Td>{t(`shortcuts.${name}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
