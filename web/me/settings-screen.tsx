import {
  Button,
  Container,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  useMantineColorScheme,
} from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, CheckCheck } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LearnerView } from '../../src/contracts/learner.ts'
import { useChangeLearner, useLearner } from '../api/learner.ts'
import { firstSpoken, LANGUAGES } from '../i18n/i18n.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { browserZone } from '../shell/use-settings.ts'
import { useTitle } from '../shell/use-title.ts'
import { BringAlong } from './bring-along.tsx'
import { CalendarFeed } from './calendar-feed.tsx'
import { Channels } from './channels.tsx'
import { Exports } from './exports.tsx'
import classes from './me.module.css'
import { holidayOf, type Settings, settingsOf, toPatch } from './settings.ts'
import '../i18n/me-words.ts'

/** Who the learner is, when they want to be asked, in which language, over which channels, and what they take along. */
export function SettingsScreen() {
  const { t } = useTranslation()
  const { data: learner, error, isPending, refetch } = useLearner()
  useTitle(t('nav.settings'))
  return (
    <Container size={720} py={{ base: 18, sm: 36 }} px={{ base: 14, sm: 24 }}>
      <div className={classes.head}>
        <Title order={1} size="h2">
          {t('nav.settings')}
        </Title>
        <Button
          component={Link}
          to="/me"
          variant="default"
          size="sm"
          leftSection={<ArrowLeft size={16} aria-hidden />}
        >
          {t('nav.me')}
        </Button>
      </div>
      <ProblemAlert error={error} title={t('settings.notLoaded')} onRetry={() => void refetch()} />
      {isPending && <Skeleton h={360} radius="lg" />}
      {learner && <SettingsForm key={learner.id} learner={learner} />}
      <Channels />
      <CalendarFeed />
      <Exports />
      <BringAlong />
    </Container>
  )
}

const zones = (own: string): string[] => {
  const known = Intl.supportedValuesOf('timeZone')
  return [...new Set([own, browserZone(), 'UTC', ...known])]
}

/** What is typed stands in the fields until it is saved, whatever the server says meanwhile; the other fields follow it. */
function SettingsForm({ learner }: { learner: LearnerView }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<Partial<Settings>>({})
  const settings = { ...settingsOf(learner), ...typed }
  const change = useChangeLearner()
  const set = (changed: Partial<Settings>) => {
    setTyped((before) => ({ ...before, ...changed }))
    if (!change.isPending) change.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(toPatch(settings, learner), { onSuccess: () => setTyped({}) })
  }
  const zone = browserZone()
  return (
    <form onSubmit={submit} className={classes.card} aria-label={t('settings.form')}>
      <Stack gap="md">
        <TextInput
          label={t('settings.name')}
          maxLength={200}
          autoComplete="name"
          value={settings.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Select
          label={t('settings.language')}
          description={t('settings.languageHelp')}
          data={[
            {
              value: '',
              label: t('settings.asBrowser', {
                language: t(`language.${firstSpoken(navigator.languages)}`),
              }),
            },
            ...LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) })),
          ].filter(({ value }) => value !== '' || !learner.chosen.includes('language'))}
          value={settings.language}
          allowDeselect={false}
          onChange={(value) => set({ language: value ?? '' })}
        />
        <div>
          <Select
            label={t('settings.timeZone')}
            searchable
            limit={200}
            nothingFoundMessage={t('settings.noZone')}
            data={zones(learner.timeZone)}
            value={settings.timeZone}
            allowDeselect={false}
            onChange={(value) => set({ timeZone: value ?? settings.timeZone })}
          />
          {zone !== settings.timeZone && (
            <Button
              size="compact-sm"
              variant="subtle"
              mt={6}
              ml={-8}
              onClick={() => set({ timeZone: zone })}
            >
              {t('settings.useZone', { zone })}
            </Button>
          )}
        </div>
        <Group grow align="flex-start" className={classes.pair ?? ''}>
          <TextInput
            type="time"
            label={t('settings.studyTime')}
            description={t('settings.studyTimeHelp')}
            value={settings.studyTime}
            onChange={(event) => set({ studyTime: event.currentTarget.value })}
          />
          <NumberInput
            label={t('settings.cap')}
            description={t('settings.capHelp')}
            min={1}
            max={500}
            allowDecimal={false}
            clampBehavior="none"
            hideControls
            value={settings.dailyReviewCap}
            onChange={(value) => set({ dailyReviewCap: value })}
          />
        </Group>
        <fieldset className={classes.quiet}>
          <legend>{t('settings.quietHours')}</legend>
          <Group grow>
            <TextInput
              type="time"
              label={t('settings.from')}
              required
              withAsterisk={false}
              value={settings.quietFrom}
              onChange={(event) => set({ quietFrom: event.currentTarget.value })}
            />
            <TextInput
              type="time"
              label={t('settings.to')}
              required
              withAsterisk={false}
              value={settings.quietTo}
              onChange={(event) => set({ quietTo: event.currentTarget.value })}
            />
          </Group>
        </fieldset>
        <TextInput
          type="date"
          label={t('settings.holiday')}
          description={t('settings.holidayHelp')}
          min={holidayOf(new Date().toISOString(), settings.timeZone)}
          value={settings.holiday}
          onChange={(event) => set({ holiday: event.currentTarget.value })}
          rightSection={
            settings.holiday && (
              <Button size="compact-xs" variant="subtle" onClick={() => set({ holiday: '' })}>
                {t('settings.clear')}
              </Button>
            )
          }
          rightSectionWidth={90}
        />
        <Scheme />
        <ProblemAlert error={change.error} title={t('settings.notSaved')} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('settings.save')}
          </Button>
          <Text size="sm" role="status" className={classes.saved ?? ''}>
            {change.isSuccess && (
              <>
                <CheckCheck size={16} aria-hidden /> {t('settings.saved')}
              </>
            )}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}

/** Kept in this browser alone, and at once. */
function Scheme() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600} id="scheme">
        {t('settings.colours')}
      </Text>
      <SegmentedControl
        aria-labelledby="scheme"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({
          value,
          label: t(`settings.${value}`),
        }))}
      />
    </Stack>
  )
}
