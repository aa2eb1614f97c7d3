import { Button, Checkbox, Group, ScrollArea, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './teacher.module.css'

interface Props {
  label: string
  pupils: readonly { id: string; name: string }[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

const SEARCHED_FROM = 8

/** Pupils to tick, with a field to find one among many. */
export function PupilChoice({ label, pupils, chosen, onChange }: Props) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const piece = search.trim().toLowerCase()
  const shown = pupils.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(piece))
  const ids = shown.map(({ id }) => id)
  const areAllChosen = ids.every((id) => chosen.includes(id))
  const toggleAll = () =>
    onChange(
      areAllChosen
        ? chosen.filter((id) => !ids.includes(id))
        : [...chosen, ...ids.filter((id) => !chosen.includes(id))],
    )
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={500} id="pupil-choice">
          {label}{' '}
          <Text span size="sm" c="dimmed">
            {t('desk.chosen', { count: chosen.length })}
          </Text>
        </Text>
        {shown.length > 1 && (
          <Button size="compact-xs" variant="subtle" onClick={toggleAll}>
            {t(areAllChosen ? 'desk.chooseNone' : 'desk.chooseAll')}
          </Button>
        )}
      </Group>
      {pupils.length >= SEARCHED_FROM && (
        <TextInput
          size="xs"
          mb={6}
          type="search"
          aria-label={t('desk.findPupil')}
          placeholder={t('desk.findPupil')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize
        mah={260}
        type="auto"
        className={classes.choice ?? ''}
        viewportProps={{ tabIndex: 0, 'aria-labelledby': 'pupil-choice' }}
      >
        <Checkbox.Group
          aria-labelledby="pupil-choice"
          value={[...chosen]}
          onChange={(value) => onChange(value)}
        >
          {shown.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} className={classes.choiceItem ?? ''} />
          ))}
        </Checkbox.Group>
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p={8}>
            {t(pupils.length === 0 ? 'desk.nobodyYet' : 'desk.nobodyFound')}
          </Text>
        )}
      </ScrollArea.Autosize>
    </div>
  )
}
