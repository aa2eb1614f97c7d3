import { ActionIcon, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Keyboard, OctagonX, Pause, Play, Route } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { arcKeys } from '../api/queries.ts'
import { AbandonDialog, ReplanDialog, ShortcutsDialog } from './arc-dialogs.tsx'
import { isTerminal } from './conversation.ts'

type Dialog = 'abandon' | 'replan' | 'shortcuts'

/** What a learner may do to an arc as a whole. */
export function ArcMenu({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const pause = usePause(arc)
  const close = () => setDialog(null)
  return (
    <>
      <Menu position="bottom-end" width={220} withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t('menu.label')}>
            <Ellipsis size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isTerminal(arc) && (
            <>
              <Menu.Item
                leftSection={
                  arc.paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />
                }
                onClick={() => pause.mutate()}
              >
                {arc.paused ? t('menu.resume') : t('menu.pause')}
              </Menu.Item>
              <Menu.Item
                leftSection={<Route size={16} aria-hidden />}
                onClick={() => setDialog('replan')}
              >
                {t('menu.replan')}
              </Menu.Item>
            </>
          )}
          <Menu.Item
            leftSection={<Keyboard size={16} aria-hidden />}
            onClick={() => setDialog('shortcuts')}
          >
            {t('menu.shortcuts')}
          </Menu.Item>
          {!isTerminal(arc) && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<OctagonX size={16} aria-hidden />}
                onClick={() => setDialog('abandon')}
              >
                {t('menu.abandon')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <AbandonDialog arc={arc} opened={dialog === 'abandon'} onClose={close} />
      <ReplanDialog arc={arc} opened={dialog === 'replan'} onClose={close} />
      <ShortcutsDialog opened={dialog === 'shortcuts'} onClose={close} />
    </>
  )
}

/** Pauses the arc, or goes on with it. */
export function usePause(arc: ArcView) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => arcs.command(arc.arcId, arc.paused ? 'resume' : 'pause'),
    onSuccess: () => client.invalidateQueries({ queryKey: arcKeys(arc.arcId).arc, exact: true }),
  })
}
