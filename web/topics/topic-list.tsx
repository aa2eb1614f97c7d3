import { Button, SimpleGrid, Title } from '@mantine/core'
import { Archive } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useNow } from '../shell/time.ts'
import { inOrder } from './names.ts'
import { TopicCard } from './topic-card.tsx'

/** All topics of the learner; those put away are behind a fold. */
export function TopicList({ arcs }: { arcs: readonly ArcView[] }) {
  const { t } = useTranslation()
  const now = useNow(15_000)
  const [isOpen, setIsOpen] = useState(false)
  const fold = useId()
  const kept = inOrder(
    arcs.filter(({ archived }) => !archived),
    now,
  )
  const archived = arcs.filter((arc) => arc.archived)
  return (
    <section aria-labelledby="your-topics">
      <Title order={2} size="h3" id="your-topics" mb="md">
        {t('topics.title')}
      </Title>
      <Cards arcs={kept} now={now} />
      {archived.length > 0 && (
        <>
          <Button
            variant="subtle"
            size="compact-sm"
            mt="md"
            ml={-8}
            leftSection={<Archive size={15} aria-hidden />}
            aria-expanded={isOpen}
            aria-controls={fold}
            onClick={() => setIsOpen(!isOpen)}
          >
            {t('topics.archived', { count: archived.length })}
          </Button>
          <div id={fold} hidden={!isOpen}>
            {isOpen && <Cards arcs={archived} now={now} />}
          </div>
        </>
      )}
    </section>
  )
}

function Cards({ arcs, now }: { arcs: readonly ArcView[]; now: number }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {arcs.map((arc) => (
        <TopicCard key={arc.arcId} arc={arc} now={now} />
      ))}
    </SimpleGrid>
  )
}
