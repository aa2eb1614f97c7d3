import { ActionIcon } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, Ellipsis, PencilLine, RotateCcw, Sprout } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useChangeArc, useRevive } from '../api/topics.ts'
import { lateDialog } from '../shell/late-dialog.tsx'
import { LateMenu } from '../shell/late-menu.tsx'
import { isEnded, nameOf } from './names.ts'

export const ProblemDialog = lateDialog(
  async () => (await import('./problem-dialog.tsx')).ProblemDialog,
)
export const RenameDialog = lateDialog(
  async () => (await import('./rename-dialog.tsx')).RenameDialog,
)

/** What can be done with a topic as a whole, from its card. */
export function TopicMenu({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const [isRenaming, setIsRenaming] = useState(false)
  const { items, error, dismiss } = useTopicActions(arc, () => setIsRenaming(true))
  return (
    <>
      <LateMenu
        position="bottom-end"
        width={250}
        button={
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            data-roomy
            aria-label={t('topics.menu', { topic: nameOf(arc) })}
          >
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        }
        entries={items}
      />
      <RenameDialog arc={arc} opened={isRenaming} onClose={() => setIsRenaming(false)} />
      <ProblemDialog opened={error !== null} error={error} onClose={dismiss} />
    </>
  )
}

/** What can be done with a topic, by how it stands. */
export function useTopicActions(arc: ArcView, onRename: () => void) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const change = useChangeArc(arc.arcId)
  const revive = useRevive(arc)
  const goOn = (settings: { onMastered?: 'stay' }) =>
    revive.mutate(settings, {
      onSuccess: ({ arcId }) => navigate({ to: '/arcs/$arcId', params: { arcId } }),
    })
  const stays = arc.settings.onMastered === 'stay'
  const items = [
    { name: 'rename' as const, Icon: PencilLine, act: onRename },
    ...(isEnded(arc)
      ? []
      : [
          {
            name: stays ? ('endWhenMastered' as const) : ('keepFresh' as const),
            Icon: Sprout,
            act: () => change.mutate({ onMastered: stays ? 'complete' : 'stay' }),
          },
        ]),
    ...(arc.phase === 'COMPLETED'
      ? [{ name: 'keepFresh' as const, Icon: Sprout, act: () => goOn({ onMastered: 'stay' }) }]
      : []),
    ...(arc.phase === 'ABANDONED' && arc.progress.total > 0
      ? [{ name: 'reopen' as const, Icon: RotateCcw, act: () => goOn({}) }]
      : []),
    {
      name: arc.archived ? ('unarchive' as const) : ('archive' as const),
      Icon: arc.archived ? ArchiveRestore : Archive,
      act: () => change.mutate({ archived: !arc.archived }),
    },
  ]
  const dismiss = () => {
    change.reset()
    revive.reset()
  }
  const entries = items.map((item) => ({ ...item, label: t(`topics.${item.name}`) }))
  return { items: entries, error: change.error ?? revive.error, dismiss }
}
