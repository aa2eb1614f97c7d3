import { ActionIcon } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Keyboard, OctagonX, Pause, Play, Route } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { arcKeys } from '../api/queries.ts'
import { isTerminal } from '../conversation/conversation.ts'
import { lateDialog } from '../shell/late-dialog.tsx'
import { LateMenu, type MenuEntry } from '../shell/late-menu.tsx'
import { ProblemDialog, RenameDialog, useTopicActions } from '../topics/topic-menu.tsx'
import classes from './arc-header.module.css'

const AbandonDialog = lateDialog(async () => (await import('./arc-dialogs.tsx')).AbandonDialog)
const ShortcutsDialog = lateDialog(async () => (await import('./arc-dialogs.tsx')).ShortcutsDialog)
const ReplanDialog = lateDialog(async () => (await import('./replan-dialog.tsx')).ReplanDialog)

type Dialog = 'abandon' | 'replan' | 'shortcuts' | 'rename'

const BEFORE_A_PLAN = ['PENDING', 'DIAGNOSING']

/** What a learner may do to an arc as a whole. */
export function ArcMenu({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const pause = usePause(arc)
  const topic = useTopicActions(arc, () => setDialog('rename'))
  const close = () => setDialog(null)
  const isOpen = !isTerminal(arc)
  const entries: MenuEntry[] = [
    ...(isOpen
      ? [
          {
            name: 'pause',
            label: t(arc.paused ? 'menu.resume' : 'menu.pause'),
            Icon: arc.paused ? Play : Pause,
            act: () => pause.mutate(),
          },
        ]
      : []),
    ...(isOpen && !BEFORE_A_PLAN.includes(arc.phase)
      ? [
          {
            name: 'replan',
            label: t('menu.replan'),
            Icon: Route,
            act: () => setDialog('replan'),
          },
        ]
      : []),
    ...topic.items,
    {
      name: 'shortcuts',
      label: t('menu.shortcuts'),
      Icon: Keyboard,
      act: () => setDialog('shortcuts'),
    },
    ...(isOpen
      ? [
          {
            name: 'abandon',
            label: t('menu.abandon'),
            Icon: OctagonX,
            act: () => setDialog('abandon'),
            className: classes.danger,
          },
        ]
      : []),
  ]
  const error = topic.error ?? pause.error
  return (
    <>
      <LateMenu
        position="bottom-end"
        width={250}
        button={
          <ActionIcon variant="default" size="lg" aria-label={t('menu.label')}>
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        }
        entries={entries}
      />
      <AbandonDialog arc={arc} opened={dialog === 'abandon'} onClose={close} />
      <ReplanDialog arc={arc} opened={dialog === 'replan'} onClose={close} />
      <RenameDialog arc={arc} opened={dialog === 'rename'} onClose={close} />
      <ShortcutsDialog opened={dialog === 'shortcuts'} onClose={close} />
      <ProblemDialog opened={error !== null} error={error} onClose={dismissAll(topic, pause)} />
    </>
  )
}

const dismissAll = (topic: { dismiss: () => void }, pause: { reset: () => void }) => () => {
  topic.dismiss()
  pause.reset()
}

/** Pauses the arc, or goes on with it. */
function usePause(arc: ArcView) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => arcs.command(arc.arcId, arc.paused ? 'resume' : 'pause'),
    onSuccess: () => client.invalidateQueries({ queryKey: arcKeys(arc.arcId).arc, exact: true }),
  })
}
