import { Badge, Button, Drawer, Group, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MindMapView } from '../../src/contracts/arc.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { dateAndTime, relativeTime, useNow } from '../shell/time.ts'
import { type Concept, neighbours, stateWord } from './concept.ts'
import { ConceptActions } from './concept-actions.tsx'
import { ConceptHistory } from './concept-history.tsx'
import mastery from './mastery.module.css'
import classes from './mind-map.module.css'

interface Props {
  opened: boolean
  arcId: string
  map: MindMapView
  concept: Concept | null
  concepts: Concept[]
  onOpen: (id: string | null) => void
  /** Something was said to the tutor; the answer comes in the conversation. */
  onSaid: () => void
}

/** A concept's card: what it is about, how well it is known, when it comes back, what it needs and opens. */
export function ConceptDrawer(props: Props) {
  const { opened, concept, onOpen } = props
  return (
    <Drawer
      opened={opened}
      onClose={() => onOpen(null)}
      position="right"
      size={400}
      title={concept?.label}
      classNames={{ title: classes.drawerTitle ?? '' }}
      zIndex={300}
    >
      {concept && <Card {...props} concept={concept} />}
    </Drawer>
  )
}

function Card({ arcId, map, concept, concepts, onOpen, onSaid }: Props & { concept: Concept }) {
  const { t } = useTranslation()
  const { node, status, percent, isInferred, access } = concept
  const { before, after } = neighbours(map, concept.id)
  return (
    <Stack gap="lg">
      <div className={mastery.mastery} data-status={status}>
        <Group gap={8} mb={8}>
          <Badge className={classes.badge ?? ''}>{t(stateWord(concept))}</Badge>
          <Badge variant="outline" color="gray">
            {t(`access.${access}`)}
          </Badge>
          {node.metadata.optional === true && (
            <Badge variant="outline" color="gray">
              {t('map.optional')}
            </Badge>
          )}
        </Group>
        <Progress value={percent} color="var(--tone)" aria-label={t('map.score')} />
        <Text size="sm" mt={6}>
          {isInferred ? t('map.inferred', { percent }) : t('map.measured', { percent })}
        </Text>
      </div>
      {map.mindMap.status === 'active' && (
        <ConceptActions
          arcId={arcId}
          concept={concept}
          onDone={() => {
            onOpen(null)
            onSaid()
          }}
        />
      )}
      {node.description && <Markdown text={node.description} />}
      <Facts concept={concept} />
      <Related title={t('map.needs')} ids={before} concepts={concepts} onOpen={onOpen} />
      <Related title={t('map.opens')} ids={after} concepts={concepts} onOpen={onOpen} />
      <ConceptHistory key={concept.id} arcId={arcId} nodeId={concept.id} />
    </Stack>
  )
}

function Facts({ concept }: { concept: Concept }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const { nextReviewAt, effortMinutes, repetitions } = concept.node
  const at = nextReviewAt === null ? null : Date.parse(nextReviewAt)
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('map.nextReview')}</dt>
        <dd>
          {at === null
            ? t('map.noReview')
            : t('map.reviewAt', {
                when: at > now ? relativeTime(at, now, i18n.language) : t('map.now'),
                date: dateAndTime(at, i18n.language),
              })}
        </dd>
      </div>
      <div>
        <dt>{t('map.effort')}</dt>
        <dd>{t('map.minutes', { count: effortMinutes })}</dd>
      </div>
      {repetitions > 0 && (
        <div>
          <dt>{t('map.repetitions')}</dt>
          <dd>{repetitions}</dd>
        </div>
      )}
    </dl>
  )
}

interface RelatedProps {
  title: string
  ids: readonly string[]
  concepts: readonly Concept[]
  onOpen: (id: string) => void
}

function Related({ title, ids, concepts, onOpen }: RelatedProps) {
  const { t } = useTranslation()
  const found = concepts.filter(({ id }) => ids.includes(id))
  if (found.length === 0) return null
  return (
    <div>
      <h3 className={classes.sub}>{title}</h3>
      <Group gap={6}>
        {found.map((concept) => (
          <Button
            key={concept.id}
            size="compact-sm"
            variant="default"
            className={`${mastery.mastery} ${classes.related}`}
            classNames={{ label: classes.relatedLabel ?? '' }}
            data-status={concept.status}
            leftSection={<span className={classes.dot} aria-hidden />}
            onClick={() => onOpen(concept.id)}
          >
            {t('map.conceptState', { label: concept.label, status: t(stateWord(concept)) })}
          </Button>
        ))}
      </Group>
    </div>
  )
}
