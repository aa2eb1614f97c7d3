import { Button, Group, Modal, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Pencil, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import type { ClassGrid } from '../../src/contracts/teaching.ts'
import { gridQuery, useRemoveClass } from '../api/teacher.ts'
import { NotFound } from '../shell/not-found.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { ClassDialog } from './class-dialog.tsx'
import { ClassTable } from './class-grid.tsx'
import { DeskFrame } from './desk-frame.tsx'
import { GiveDialog } from './give-dialog.tsx'
import { MistakeList } from './mistake-list.tsx'
import { SessionTable } from './session-table.tsx'
import classes from './teacher.module.css'

const route = getRouteApi('/teaching/classes/$classId')

type Dialog = 'change' | 'give' | 'remove' | null

/** A class: how its pupils stand in a course, what they get wrong, what they practise. */
export function ClassScreen() {
  const { t } = useTranslation()
  const { classId } = route.useParams()
  const [course, setCourse] = useState<string>()
  const [dialog, setDialog] = useState<Dialog>(null)
  const query = useQuery(gridQuery(classId, course))
  const grid = query.data
  if (isProblem(query.error) && query.error.status === 404) return <NotFound />
  if (!grid) {
    return (
      <DeskFrame title={t('desk.class')}>
        {query.isPending && <Skeleton h={240} aria-busy="true" />}
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      </DeskFrame>
    )
  }
  const close = () => setDialog(null)
  const isEmpty = grid.pupils.length === 0
  return (
    <DeskFrame title={grid.title} actions={<Actions isEmpty={isEmpty} onOpen={setDialog} />}>
      {isEmpty ? (
        <Stack align="flex-start" gap="sm" mb="xl">
          <Text>{t('desk.emptyClass')}</Text>
          <Button onClick={() => setDialog('change')}>{t('desk.fillClass')}</Button>
        </Stack>
      ) : (
        <>
          <Standing grid={grid} onCourse={setCourse} />
          <MistakeList items={grid.mistakes} withNames />
          <SessionTable classId={classId} empty={t('desk.noSessionsOfClass')} />
        </>
      )}
      {dialog === 'change' && <ClassDialog of={grid} onClose={close} />}
      {dialog === 'give' && <GiveDialog pupils={byName(grid.pupils)} onClose={close} />}
      {dialog === 'remove' && <RemoveDialog of={grid} onClose={close} />}
    </DeskFrame>
  )
}

const byName = (pupils: ClassGrid['pupils']) =>
  pupils.toSorted((a, b) => a.name.localeCompare(b.name))

function Actions({ isEmpty, onOpen }: { isEmpty: boolean; onOpen: (dialog: Dialog) => void }) {
  const { t } = useTranslation()
  return (
    <Group gap="xs">
      {!isEmpty && (
        <Button
          size="compact-md"
          leftSection={<Send size={14} aria-hidden />}
          onClick={() => onOpen('give')}
        >
          {t('desk.give')}
        </Button>
      )}
      <Button
        size="compact-md"
        variant="default"
        leftSection={<Pencil size={14} aria-hidden />}
        onClick={() => onOpen('change')}
      >
        {t('desk.changeClass')}
      </Button>
      <Button
        size="compact-md"
        variant="default"
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => onOpen('remove')}
      >
        {t('desk.removeClass')}
      </Button>
    </Group>
  )
}

function Standing({ grid, onCourse }: { grid: ClassGrid; onCourse: (key: string) => void }) {
  const { t } = useTranslation()
  return (
    <div className={classes.section}>
      <Group justify="space-between" align="flex-end" mb="xs" gap="xs">
        <Text size="sm" c="dimmed" maw={720}>
          {t('desk.rule')}
        </Text>
        {grid.courses.length > 1 && (
          <Select
            size="xs"
            label={t('desk.course')}
            allowDeselect={false}
            data={grid.courses.map(({ key, title, pupils }) => ({
              value: key,
              label: t('desk.courseWithCount', { title, count: pupils }),
            }))}
            value={grid.course}
            onChange={(key) => key && onCourse(key)}
          />
        )}
        {grid.courses.length === 1 && (
          <Text size="sm" fw={600}>
            {grid.courses[0]?.title}
          </Text>
        )}
      </Group>
      <ClassTable grid={grid} />
      {grid.courses.length === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('desk.noCourseInClass')}
        </Text>
      )}
    </div>
  )
}

function RemoveDialog({ of, onClose }: { of: ClassGrid; onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const remove = useRemoveClass()
  return (
    <Modal opened onClose={onClose} title={t('desk.removeClass')}>
      <Stack>
        <Text size="sm">{t('desk.removeText', { title: of.title, count: of.pupils.length })}</Text>
        <ProblemAlert error={remove.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('desk.cancel')}
          </Button>
          <Button
            color="red"
            loading={remove.isPending}
            onClick={() =>
              remove.mutate(of.id, { onSuccess: () => void navigate({ to: '/teaching' }) })
            }
          >
            {t('desk.removeClass')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
