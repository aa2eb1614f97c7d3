import { ActionIcon, Button, Group, Skeleton, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PencilLine, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fact, Level } from '../../src/contracts/learner.ts'
import { memoryQuery, useChangeFact } from '../api/learner.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { timeAgo, useNow } from '../shell/time.ts'
import classes from './me.module.css'

/** What Meno knows of the learner and from where; it can be corrected and taken away. */
export function Memory() {
  const { t } = useTranslation()
  const { data, error, isPending, refetch } = useQuery(memoryQuery)
  return (
    <section aria-labelledby="memory" className={classes.card}>
      <h2 id="memory" className={classes.title}>
        {t('memory.title')}
      </h2>
      <Text size="sm" c="dimmed" mb="sm">
        {t('memory.about')}
      </Text>
      <ProblemAlert error={error} title={t('memory.notLoaded')} onRetry={() => void refetch()} />
      {isPending && <Skeleton h={60} radius="md" />}
      {data && data.levels.length > 0 && <Levels levels={data.levels} />}
      {data?.items.length === 0 && <Text size="sm">{t('memory.none')}</Text>}
      {data && (
        <ul className={classes.list}>
          {data.items.map((fact) => (
            <Remembered key={fact.id} fact={fact} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Levels({ levels }: { levels: readonly Level[] }) {
  const { t, i18n } = useTranslation()
  const wordOf = (level: string) => (i18n.exists(`level.${level}`) ? t(`level.${level}`) : level)
  return (
    <ul className={classes.levels}>
      {levels.map(({ arcId, topic, level, source }) => (
        <li key={arcId}>
          <Link to="/arcs/$arcId" params={{ arcId }}>
            {topic}
          </Link>
          : <b>{wordOf(level)}</b> <span>({t(`memory.${source}`)})</span>
        </li>
      ))}
    </ul>
  )
}

function Remembered({ fact }: { fact: Fact }) {
  const { t, i18n } = useTranslation()
  const now = useNow(30_000)
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState(fact.fact)
  const change = useChangeFact()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    change.mutate({ id: fact.id, fact: text.trim() }, { onSuccess: () => setIsOpen(false) })
  }
  const when = timeAgo(Date.parse(fact.createdAt), now, i18n.language)
  const whence = ({ source, topic }: Fact, when: string) => {
    if (source === 'learner') return t('memory.corrected')
    return topic ? t('memory.from', { topic, when }) : when
  }
  return (
    <li>
      {isOpen ? (
        <form onSubmit={submit}>
          <TextInput
            label={t('memory.fact')}
            maxLength={500}
            value={text}
            autoFocus
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group gap="xs" mt="xs">
            <Button type="submit" size="compact-sm" loading={change.isPending}>
              {t('topics.save')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setIsOpen(false)}>
              {t('topics.cancel')}
            </Button>
          </Group>
        </form>
      ) : (
        <div className={classes.fact}>
          <div>
            <Text component="div">
              {fact.source === 'mistake' && <b>{t('memory.mistake')} </b>}
              <InlineMarkdown text={fact.fact} />
            </Text>
            <Text size="xs" c="dimmed">
              {whence(fact, when)}
            </Text>
          </div>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              data-roomy
              aria-label={t('memory.correct', { fact: fact.fact })}
              onClick={() => {
                setText(fact.fact)
                setIsOpen(true)
              }}
            >
              <PencilLine size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              data-roomy
              loading={change.isPending}
              aria-label={t('memory.forget', { fact: fact.fact })}
              onClick={() => change.mutate({ id: fact.id, fact: null })}
            >
              <Trash2 size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </div>
      )}
      <ProblemAlert error={change.error} />
    </li>
  )
}
