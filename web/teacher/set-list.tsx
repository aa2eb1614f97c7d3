import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pupilsQuery, questionSetsQuery } from '../api/teacher.ts'
import { GiveDialog } from './give-dialog.tsx'
import { ListSection } from './list-section.tsx'
import classes from './teacher.module.css'

/** The question sets that can be given as practice. */
export function SetList({ action }: { action: ReactNode }) {
  const { t } = useTranslation()
  const sets = useQuery(questionSetsQuery)
  const pupils = useQuery(pupilsQuery)
  const [given, setGiven] = useState<string | null>(null)
  return (
    <>
      <ListSection title={t('desk.sets')} empty={t('desk.noSets')} query={sets} actions={action}>
        {(items) => (
          <ul className={classes.alerts}>
            {items.map(({ questionSetId, title, problems, builtIn }) => (
              <li key={questionSetId} className={classes.alert}>
                <Group justify="space-between" gap="xs">
                  <span>
                    {title}{' '}
                    <Text span size="sm" c="dimmed">
                      {t('desk.questions', { count: problems })}
                      {builtIn && ` · ${t('desk.builtIn')}`}
                    </Text>
                  </span>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t('desk.giveOf', { title })}
                    onClick={() => setGiven(questionSetId)}
                  >
                    {t('desk.giveShort')}
                  </Button>
                </Group>
              </li>
            ))}
          </ul>
        )}
      </ListSection>
      {given !== null && (
        <GiveDialog
          pupils={pupils.data ?? []}
          chosen={[]}
          questionSetId={given}
          onClose={() => setGiven(null)}
        />
      )}
    </>
  )
}
