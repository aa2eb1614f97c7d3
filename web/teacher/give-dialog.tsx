import { Alert, Button, Group, List, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import { giveSet, questionSetsQuery } from '../api/teacher.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { PupilChoice } from './pupil-choice.tsx'

interface Props {
  pupils: readonly { id: string; name: string }[]
  /** Chosen from the start; all of them unless told. */
  chosen?: readonly string[]
  /** The set that is given; to be chosen unless told. */
  questionSetId?: string
  onClose: () => void
}

interface Given {
  ok: string[]
  failed: { id: string; why: string }[]
}

/** Gives a question set as practice: a session for each pupil. */
export function GiveDialog({ pupils, chosen: first, questionSetId, onClose }: Props) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const sets = useQuery(questionSetsQuery)
  const [setId, setSetId] = useState<string | null>(questionSetId ?? null)
  const [chosen, setChosen] = useState<string[]>([...(first ?? pupils.map(({ id }) => id))])
  // One key for all that this dialog gives: pressing again after a failure gives nothing twice.
  const attempt = useRef(crypto.randomUUID())
  const give = useMutation({
    mutationFn: () => giveToAll(setId ?? '', chosen, attempt.current),
    onSettled: () => client.invalidateQueries({ queryKey: ['teacher'] }),
  })
  const nameOf = (id: string) => pupils.find((pupil) => pupil.id === id)?.name ?? id
  const submit = (event: FormEvent) => {
    event.preventDefault()
    give.mutate()
  }
  const isDone = give.data?.failed.length === 0
  return (
    <Modal opened onClose={onClose} title={t('desk.give')}>
      <form onSubmit={submit}>
        <Stack>
          {sets.data?.length === 0 ? (
            <Text size="sm">
              {t('desk.noSets')} <Link to="/teaching/sets/new">{t('desk.newSet')}</Link>
            </Text>
          ) : (
            <Select
              label={t('desk.set')}
              placeholder={t('desk.chooseSet')}
              data={(sets.data ?? []).map(({ questionSetId: id, title, problems }) => ({
                value: id,
                label: t('desk.setWithCount', { title, count: problems }),
              }))}
              value={setId}
              disabled={isDone}
              onChange={setSetId}
              allowDeselect={false}
              data-autofocus
            />
          )}
          {!isDone && (
            <PupilChoice
              label={t('desk.givenTo')}
              pupils={pupils}
              chosen={chosen}
              onChange={setChosen}
            />
          )}
          <ProblemAlert error={sets.error ?? give.error} />
          {give.data && give.data.failed.length > 0 && (
            <Alert role="alert" color="red" variant="light" title={t('desk.notGiven')}>
              <List size="sm">
                {give.data.failed.map(({ id, why }) => (
                  <List.Item key={id}>
                    {nameOf(id)}: {why}
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          {isDone && (
            <Alert role="status" color="green" variant="light">
              {t('desk.given', { count: give.data?.ok.length ?? 0 })}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t(isDone ? 'desk.close' : 'desk.cancel')}
            </Button>
            {!isDone && (
              <Button
                type="submit"
                disabled={setId === null || chosen.length === 0}
                loading={give.isPending}
              >
                {t('desk.giveTo', { count: chosen.length })}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** One after the other, so that a class of a hundred does not crowd out who is learning. */
async function giveToAll(setId: string, pupils: string[], attempt: string): Promise<Given> {
  const given: Given = { ok: [], failed: [] }
  for (const id of pupils) {
    try {
      await giveSet(setId, id, await keyFor(attempt, setId, id))
      given.ok.push(id)
    } catch (error) {
      given.failed.push({ id, why: isProblem(error) ? error.message : String(error) })
    }
  }
  return given
}

/** A key has at most 200 characters of ASCII; a pupil's id may have others. */
async function keyFor(...parts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(parts.join('\n'))
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
