import { ActionIcon, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Keyboard, OctagonX, Pause, Play, Route } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { arcKeys } from '../api/queries.ts'
import { ProblemDialog } from '../topics/problem-dialog.tsx'
import { RenameDialog } from '../topics/rename-dialog.tsx'
import { useTopicActions } from '../topics/topic-menu.tsx'
import { AbandonDialog, ShortcutsDialog } from './arc-dialogs.tsx'
import classes from './arc-header.module.css'
import { isTerminal } from './conversation.ts'
import { ReplanDialog } from './replan-dialog.tsx'

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
  return (
    <>
      <Menu position="bottom-end" width={250} withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t('menu.label')}>
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isOpen && (
            <Menu.Item
              leftSection={
                arc.paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />
              }
              onClick={() => pause.mutate()}
            >
              {arc.paused ? t('menu.resume') : t('menu.pause')}
            </Menu.Item>
          )}
          {isOpen && !BEFORE_A_PLAN.includes(arc.phase) && (
            <Menu.Item
              leftSection={<Route size={16} aria-hidden />}
              onClick={() => setDialog('replan')}
            >
              {t('menu.replan')}
            </Menu.Item>
          )}
          {topic.items.map(({ name, Icon, act }) => (
            <Menu.Item key={name} leftSection={<Icon size={16} aria-hidden />} onClick={act}>
              {t(`topics.${name}`)}
            </Menu.Item>
          ))}
          <Menu.Item
            leftSection={<Keyboard size={16} aria-hidden />}
            onClick={() => setDialog('shortcuts')}
          >
            {t('menu.shortcuts')}
          </Menu.Item>
          {isOpen && (
            <Menu.Item
              className={classes.danger ?? ''}
              leftSection={<OctagonX size={16} aria-hidden />}
              onClick={() => setDialog('abandon')}
            >
              {t('menu.abandon')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <AbandonDialog arc={arc} opened={dialog === 'abandon'} onClose={close} />
      <ReplanDialog arc={arc} opened={dialog === 'replan'} onClose={close} />
      <RenameDialog arc={arc} opened={dialog === 'rename'} onClose={close} />
      <ShortcutsDialog opened={dialog === 'shortcuts'} onClose={close} />
      <ProblemDialog error={topic.error ?? pause.error} onClose={dismissAll(topic, pause)} />
    </>
  )
}

const dismissAll = (topic: { dismiss: () => void }, pause: { reset: () => void }) => () => {
  topic.dismiss()
  pause.reset()
}

/** Pauses the arc, or goes on with it. */
export function usePause(arc: ArcView) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => arcs.command(arc.arcId, arc.paused ? 'resume' : 'pause'),
    onSuccess: () => client.invalidateQueries({ queryKey: arcKeys(arc.arcId).arc, exact: true }),
  })
}
