import { Button, Group } from '@mantine/core'
import { CalendarDays, Download, Layers } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './me.module.css'

const ME = '/api/learners/me'

/** What a learner can take along: all data, the questions for Anki, the reviews for a calendar. */
export function Exports() {
  const { t } = useTranslation()
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
      </Group>
    </section>
  )
}
