import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Route } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ReplanProposal } from '../../src/contracts/arc.ts'
import { callApi } from '../api/client.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'

const path = (arcId: string) => `/arcs/${encodeURIComponent(arcId)}/proposals`

/** A part of the map that stays hard, and the offer to plan it again; nothing where there is none. */
export function ProposalCard({ arcId }: { arcId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const queryKey = ['arc', arcId, 'proposals']
  // They are made at night: what was read once holds for the day.
  const { data } = useQuery({
    queryKey,
    staleTime: 3_600_000,
    queryFn: async ({ signal }) =>
      (await callApi<{ items: ReplanProposal[] }>(path(arcId), { signal })).items,
  })
  const open = data?.find(({ status }) => status === 'open')
  const decide = useMutation({
    mutationFn: (decision: 'accept' | 'decline') =>
      callApi(`${path(arcId)}/${open?.id}/${decision}`, { method: 'POST' }),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  if (!open) return null
  const parts = open.strugglingNodes.map(({ label }) => label).join(', ')
  return (
    <Alert
      mb="md"
      color="gray"
      variant="light"
      icon={<Route aria-hidden />}
      title={t('proposal.title', { label: open.label })}
      data-testid="proposal"
    >
      <Text size="sm">{t('proposal.text', { parts: parts || open.label })}</Text>
      <Group gap={8} mt="xs">
        <Button
          size="compact-sm"
          loading={decide.isPending}
          onClick={() => decide.mutate('accept')}
        >
          {t('proposal.accept')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={decide.isPending}
          onClick={() => decide.mutate('decline')}
        >
          {t('proposal.decline')}
        </Button>
      </Group>
      <ProblemAlert error={decide.error} />
    </Alert>
  )
}
