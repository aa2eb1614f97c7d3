import { Button, Select, Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcView, MindMapView } from '../../src/contracts/arc.ts'
import { useMindMap } from '../api/queries.ts'
import { useStartPractice } from '../api/topics.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { nameOf } from '../topics/names.ts'
import { practisable } from './practisable.ts'
import classes from './today.module.css'

/** Practice for who wants more: of a topic what is weakest, mixed, or a concept of one's choice. */
export function PracticeForm({ arcs }: { arcs: readonly ArcView[] }) {
  const { t } = useTranslation()
  const open = arcs.filter(practisable)
  const [arcId, setArcId] = useState(open[0]?.arcId ?? '')
  const arc = open.find((one) => one.arcId === arcId) ?? open[0]
  if (!arc) return null
  return (
    <div className={classes.practice}>
      {open.length > 1 && (
        <Select
          label={t('today.practiceTopic')}
          data={open.map((one) => ({ value: one.arcId, label: nameOf(one) }))}
          value={arc.arcId}
          allowDeselect={false}
          onChange={(value) => setArcId(value ?? '')}
        />
      )}
      <OfTopic key={arc.arcId} arc={arc} />
    </div>
  )
}

function OfTopic({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const map = useMindMap(arc.arcId)
  const [nodeId, setNodeId] = useState('')
  const practice = useStartPractice(arc.arcId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    practice.mutate(
      { text: t('action.practice'), ...(nodeId ? { nodeId } : {}) },
      {
        onSuccess: (sessionId) =>
          sessionId === null
            ? navigate({ to: '/arcs/$arcId', params: { arcId: arc.arcId } })
            : navigate({
                to: '/arcs/$arcId/practice/$sessionId',
                params: { arcId: arc.arcId, sessionId },
              }),
      },
    )
  }
  if (map.isPending) return <Skeleton h={60} radius="md" aria-busy="true" />
  return (
    <form onSubmit={submit} className={classes.practiceForm}>
      <ProblemAlert
        error={map.error}
        title={t('today.conceptsNotLoaded')}
        onRetry={() => void map.refetch()}
      />
      <Select
        label={t('today.practiceConcept')}
        data={[
          { value: '', label: t('today.weakSpots') },
          ...concepts(map.data).map(({ id, label, percent }) => ({
            value: id,
            label: t('today.conceptPercent', { label, percent }),
          })),
        ]}
        value={nodeId}
        allowDeselect={false}
        searchable
        onChange={(value) => setNodeId(value ?? '')}
      />
      <Button type="submit" loading={practice.isPending}>
        {t('today.practiceStart')}
      </Button>
      <ProblemAlert error={practice.error} />
    </form>
  )
}

/** What has been begun, the weakest first; then the rest in learning order. */
function concepts(map: MindMapView | undefined) {
  const isBegun = ({ masteryStatus }: MindMapView['nodes'][number]) =>
    masteryStatus !== 'unseen' && masteryStatus !== 'diagnosed'
  return [...(map?.nodes ?? [])]
    .sort(
      (a, b) =>
        Number(isBegun(b)) - Number(isBegun(a)) ||
        (isBegun(a) ? a.masteryScore - b.masteryScore : (a.sequence ?? 0) - (b.sequence ?? 0)),
    )
    .map(({ id, label, masteryScore }) => ({ id, label, percent: Math.round(masteryScore * 100) }))
}
