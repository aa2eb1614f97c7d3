import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MessageAction } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { useStartPractice } from '../api/topics.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import type { Access, Concept } from './concept.ts'

/** What the level check says is known is proved first: its quiz comes without a lesson. */
const PLACED: MessageAction[] = ['know_this', 'teach', 'practice', 'explain', 'skip_concept']

/** What can be done with a concept, by how it stands; the first is what most will want. */
const ACTIONS: Record<Access, MessageAction[]> = {
  next: ['teach', 'know_this', 'practice', 'explain', 'skip_concept'],
  open: ['teach', 'know_this', 'practice', 'explain', 'skip_concept'],
  locked: ['teach', 'know_this', 'skip_concept'],
  known: ['practice', 'explain', 'teach'],
  skipped: ['teach', 'know_this'],
}

interface Props {
  arcId: string
  concept: Concept
  onDone: () => void
}

/** Buttons that say to the tutor what to do with a concept; the answer comes in the conversation. */
export function ConceptActions({ arcId, concept, onDone }: Props) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { id: nodeId, label } = concept
  const textOf = (action: MessageAction) => t(`concept.said.${action}`, { label })
  const say = useMutation({
    mutationFn: (action: MessageAction) =>
      arcs.send(arcId, { messageId: crypto.randomUUID(), text: textOf(action), action, nodeId }),
    onSuccess: onDone,
  })
  const practice = useStartPractice(arcId)
  const practise = () =>
    practice.mutate(
      { text: textOf('practice'), nodeId },
      {
        onSuccess: (sessionId) => {
          onDone()
          if (sessionId === null) return
          void navigate({
            to: '/arcs/$arcId/practice/$sessionId',
            params: { arcId, sessionId },
          })
        },
      },
    )
  const isBusy = say.isPending || practice.isPending
  return (
    <>
      <Group gap={6} role="group" aria-label={t('concept.actions')}>
        {actionsOf(concept).map((action, index) => (
          <Button
            key={action}
            size="xs"
            variant={index === 0 ? 'filled' : 'default'}
            loading={action === 'practice' ? practice.isPending : isOn(say, action)}
            disabled={isBusy}
            onClick={() => (action === 'practice' ? practise() : say.mutate(action))}
          >
            {t(wordOf(action, concept))}
          </Button>
        ))}
      </Group>
      <ProblemAlert error={say.error ?? practice.error} />
    </>
  )
}

const isOn = (
  { isPending, variables }: { isPending: boolean; variables: MessageAction | undefined },
  action: MessageAction,
): boolean => isPending && variables === action

/** A concept that is learned and comes back for review is not asked about before its date (the server refuses it). */
export function actionsOf({ access, node }: Concept): MessageAction[] {
  return node.placed && (access === 'next' || access === 'open') ? PLACED : ACTIONS[access]
}

export function wordOf(action: MessageAction, { access, node }: Concept): string {
  if (action === 'know_this' && node.placed) return 'concept.prove'
  if (action === 'explain' && !node.metadata.lessons) return 'concept.read'
  if (action !== 'teach') return `concept.${action}`
  if (access === 'skipped') return 'concept.bringBack'
  return access === 'known' ? 'concept.again' : 'concept.teach'
}
