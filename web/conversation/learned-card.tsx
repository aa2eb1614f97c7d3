import { Button, Group } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { ArrowDown, CalendarClock, Sprout, Timer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMindMap, useSummary } from '../api/queries.ts'
import { keepDraft, readDraft } from '../device/use-kept-text.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { dateAndTime, relativeTime, useNow } from '../shell/time.ts'
import classes from './learned-card.module.css'

interface Props {
  nodeId: string
  /** Whether the learner has said nothing since: who goes on has left the moment behind. */
  isInHand: boolean
}

/** A quiet moment after a concept is learned, once: what it was, how long it took, when it comes back, and two ways on. */
export function LearnedCard({ nodeId, isInHand }: Props) {
  const key = `learned/${nodeId}`
  const [isSeen, setIsSeen] = useState<boolean | null>(null)
  useEffect(() => {
    if (isInHand) void readDraft(key).then((kept) => setIsSeen((now) => now ?? kept !== ''))
  }, [key, isInHand])
  if (!isInHand || isSeen !== false) return null
  const leave = () => {
    setIsSeen(true)
    void keepDraft(key, 'seen')
  }
  return <Moment nodeId={nodeId} onLeave={leave} />
}

function Moment({ nodeId, onLeave }: { nodeId: string; onLeave: () => void }) {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const { arcId = '' } = useParams({ strict: false })
  const now = useNow(30_000)
  const card = useRef<HTMLElement>(null)
  const node = useMindMap(arcId).data?.nodes.find(({ id }) => id === nodeId)
  const learned = useSummary(arcId).data?.concepts.find((concept) => concept.nodeId === nodeId)
  if (!node) return null
  const at = node.nextReviewAt === null ? null : Date.parse(node.nextReviewAt)
  const goOn = () => {
    const next = card.current?.closest('[data-entry]')?.nextElementSibling
    onLeave()
    requestAnimationFrame(() => showFrom(next ?? document.querySelector('[data-goal]')))
  }
  return (
    <section
      ref={card}
      className={classes.moment}
      aria-label={t('learned.label', { label: node.label })}
      data-testid="learned"
    >
      <Sprout size={30} aria-hidden className={classes.sign} />
      <h2 className={classes.name}>{t('learned.label', { label: node.label })}</h2>
      {node.description && (
        <p className={classes.about}>
          <InlineMarkdown text={firstLine(node.description)} />
        </p>
      )}
      <ul className={classes.facts}>
        {learned !== undefined && learned.seconds > 0 && (
          <li>
            <Timer size={15} aria-hidden />
            {t('learned.took', { count: minutesOf(learned.seconds) })}
          </li>
        )}
        {at !== null && (
          <li title={dateAndTime(at, i18n.language)}>
            <CalendarClock size={15} aria-hidden />
            {t('learned.back', { when: relativeTime(Math.max(at, now), now, i18n.language) })}
          </li>
        )}
      </ul>
      <Group gap={10} justify="center">
        <Button rightSection={<ArrowDown size={15} aria-hidden />} onClick={goOn}>
          {t('learned.goOn')}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            onLeave()
            void navigate({ to: '/' })
          }}
        >
          {t('learned.enough')}
        </Button>
      </Group>
    </section>
  )
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? ''

/** At least one: nobody learns in no time. */
export const minutesOf = (seconds: number): number => Math.max(1, Math.round(seconds / 60))

/** Brings what follows into view, and the focus to where it is read on. */
function showFrom(entry: Element | null): void {
  if (!entry) return
  entry.scrollIntoView({ block: 'start' })
  const target = entry.querySelector<HTMLElement>('[tabindex="-1"], button, input')
  target?.focus({ preventScroll: true })
}
