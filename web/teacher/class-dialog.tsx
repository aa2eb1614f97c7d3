import { Button, Group, Modal, Skeleton, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pupilsQuery, usePutClass } from '../api/teacher.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { PupilChoice } from './pupil-choice.tsx'
import classes from './teacher.module.css'

interface Props {
  /** The class that is changed; without it one is made. */
  of?: { id: string; title: string; pupils: readonly { id: string; name: string }[] }
  onClose: () => void
}

/** Makes a class, or changes its name and who is in it. */
export function ClassDialog({ of, onClose }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const known = useQuery(pupilsQuery)
  const put = usePutClass()
  const [title, setTitle] = useState(of?.title ?? '')
  const [chosen, setChosen] = useState<string[]>(of?.pupils.map(({ id }) => id) ?? [])
  const [added, setAdded] = useState<{ id: string; name: string }[]>([])
  const pupils = unique([...added, ...(known.data ?? []), ...(of?.pupils ?? [])])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const classId = of?.id ?? crypto.randomUUID()
    put.mutate(
      { classId, title: title.trim(), studentIds: chosen },
      {
        onSuccess: () => {
          onClose()
          if (!of) void navigate({ to: `/teaching/classes/${classId}` })
        },
      },
    )
  }
  const add = (name: string) => {
    setAdded((before) => [{ id: name, name }, ...before])
    setChosen((before) => (before.includes(name) ? before : [name, ...before]))
  }
  return (
    <Modal opened onClose={onClose} title={t(of ? 'desk.changeClass' : 'desk.newClass')}>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('desk.className')}
            placeholder={t('desk.classExample')}
            maxLength={200}
            required
            data-autofocus
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          {known.isPending ? (
            <Skeleton h={120} />
          ) : (
            <PupilChoice
              label={t('desk.whoIsIn')}
              pupils={pupils}
              chosen={chosen}
              onChange={setChosen}
            />
          )}
          <AddByName onAdd={add} />
          <ProblemAlert error={known.error ?? put.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('desk.cancel')}
            </Button>
            <Button type="submit" disabled={title.trim() === ''} loading={put.isPending}>
              {t(of ? 'desk.save' : 'desk.make')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

/** Somebody who has not been here yet, by the name under which they will practise. */
function AddByName({ onAdd }: { onAdd: (name: string) => void }) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const add = () => {
    if (name.trim() === '') return
    onAdd(name.trim())
    setName('')
  }
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        className={classes.note ?? ''}
        label={t('desk.addByName')}
        description={t('desk.addByNameHelp')}
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button variant="default" disabled={name.trim() === ''} onClick={add}>
        {t('desk.add')}
      </Button>
    </Group>
  )
}

/** Each pupil once, by name. */
function unique(pupils: readonly { id: string; name: string }[]) {
  const byId = new Map(pupils.map((pupil) => [pupil.id, pupil]))
  return [...byId.values()].sort((a, b) => a.name.localeCompare(b.name))
}
