import { Button, CopyButton, Group, Text } from '@mantine/core'
import { CalendarDays, Copy, Download, Layers } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './me.module.css'

const ME = '/api/learners/me'

/** What a learner can take along: all data, the questions for Anki, the reviews for a calendar. */
export function Exports() {
  const { t } = useTranslation()
  const calendar = `${location.origin}${ME}/calendar.ics`
  return (
    <section aria-labelledby="exports" className={classes.card}>
      <h2 id="exports" className={classes.title}>
        {t('exports.title')}
      </h2>
      <Group gap="sm">
        <Button
          component="a"
          href={`${ME}/export`}
          download
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
        >
          {t('exports.json')}
        </Button>
        <Button
          component="a"
          href={`${ME}/anki`}
          download
          variant="default"
          leftSection={<Layers size={16} aria-hidden />}
        >
          {t('exports.anki')}
        </Button>
        <Button
          component="a"
          href={`${ME}/calendar.ics`}
          variant="default"
          leftSection={<CalendarDays size={16} aria-hidden />}
        >
          {t('exports.calendar')}
        </Button>
        <CopyButton value={calendar}>
          {({ copied, copy }) => (
            <Button variant="subtle" leftSection={<Copy size={16} aria-hidden />} onClick={copy}>
              {copied ? t('exports.copied') : t('exports.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        {t('exports.about')}
      </Text>
    </section>
  )
}
