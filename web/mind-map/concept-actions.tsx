import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MessageAction } from '../../src/contracts/arc.ts'
import { arcs } from '../api/client.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import type { Access, Concept } from './concept.ts'

/** What can be done with a concept, by how it stands; the first is what most will want. */
const ACTIONS: Record<Access, MessageAction[]> = {
  next: ['teach', 'know_this', 'practice', 'skip_concept'],
  open: ['teach', 'know_this', 'practice', 'skip_concept'],
  locked: ['teach', 'know_this', 'skip_concept'],
  known: ['practice', 'teach'],
  skipped: ['teach'],
}

interface Props {
  arcId: string
  concept: Concept
  onDone: () => void
}

/** Buttons that say to the tutor what to do with a concept; the answer comes in the conversation. */
export function ConceptActions({ arcId, concept, onDone }: Props) {
  const { t } = useTranslation()
  const { id: nodeId, label, access } = concept
  const act = useMutation({
    mutationFn: (action: MessageAction) =>
      arcs.send(arcId, {
        messageId: crypto.randomUUID(),
        text: t(`concept.said.${action}`, { label }),
        action,
        nodeId,
      }),
    onSuccess: onDone,
  })
  return (
    <>
      <Group gap={6}>
        {ACTIONS[access].map((action, index) => (
          <Button
            key={action}
            size="compact-sm"
            variant={index === 0 ? 'filled' : 'default'}
            loading={act.isPending && act.variables === action}
            disabled={act.isPending}
            onClick={() => act.mutate(action)}
          >
            {action === 'teach' && access === 'skipped'
              ? t('concept.bringBack')
              : action === 'teach' && access === 'known'
                ? t('concept.reread')
                : t(`concept.${action}`)}
          </Button>
        ))}
      </Group>
      <ProblemAlert error={act.error} />
    </>
  )
}
