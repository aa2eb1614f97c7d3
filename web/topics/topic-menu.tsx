import { ActionIcon, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Ellipsis, PencilLine, RotateCcw, Sprout } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useChangeArc, useRevive } from '../api/topics.ts'
import { isEnded, nameOf } from './names.ts'
import { ProblemDialog } from './problem-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

/** What can be done with a topic as a whole, from its card. */
export function TopicMenu({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const [isRenaming, setIsRenaming] = useState(false)
  const { items, error, dismiss } = useTopicActions(arc, () => setIsRenaming(true))
  return (
    <>
      <Menu position="bottom-end" width={250} withinPortal>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-label={t('topics.menu', { topic: nameOf(arc) })}
          >
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {items.map(({ name, Icon, act }) => (
            <Menu.Item key={name} leftSection={<Icon size={16} aria-hidden />} onClick={act}>
              {t(`topics.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <RenameDialog arc={arc} opened={isRenaming} onClose={() => setIsRenaming(false)} />
      <ProblemDialog error={error} onClose={dismiss} />
    </>
  )
}

/** What can be done with a topic, by how it stands. */
export function useTopicActions(arc: ArcView, onRename: () => void) {
  const navigate = useNavigate()
  const change = useChangeArc(arc.arcId)
  const revive = useRevive(arc)
  const goOn = (settings: { onMastered?: 'stay' }) =>
    revive.mutate(settings, {
      onSuccess: ({ arcId }) => navigate({ to: '/arcs/$arcId', params: { arcId } }),
    })
  const stays = arc.settings.onMastered === 'stay'
  const items = [
    { name: 'rename', Icon: PencilLine, act: onRename },
    ...(isEnded(arc)
      ? []
      : [
          {
            name: stays ? 'endWhenMastered' : 'keepFresh',
            Icon: Sprout,
            act: () => change.mutate({ onMastered: stays ? 'complete' : 'stay' }),
          },
        ]),
    ...(arc.phase === 'COMPLETED'
      ? [{ name: 'keepFresh', Icon: Sprout, act: () => goOn({ onMastered: 'stay' }) }]
      : []),
    ...(arc.phase === 'ABANDONED' && arc.progress.total > 0
      ? [{ name: 'reopen', Icon: RotateCcw, act: () => goOn({}) }]
      : []),
    {
      name: arc.archived ? 'unarchive' : 'archive',
      Icon: arc.archived ? ArchiveRestore : Archive,
      act: () => change.mutate({ archived: !arc.archived }),
    },
  ]
  const dismiss = () => {
    change.reset()
    revive.reset()
  }
  return { items, error: change.error ?? revive.error, dismiss }
}
