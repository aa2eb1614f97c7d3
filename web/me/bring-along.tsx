import { Button, FileButton, Progress, Text } from '@mantine/core'
import { Upload } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useImport } from '../api/import-file.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './me.module.css'

/** Brings here what was taken along from another installation; while the file is on its way, how far it is. */
export function BringAlong() {
  const { t } = useTranslation()
  const { mutate, isPending, data, error, sent } = useImport()
  return (
    <section aria-labelledby="import" className={classes.card}>
      <h2 id="import" className={classes.title}>
        {t('import.title')}
      </h2>
      <Text size="sm" c="dimmed" mb="sm">
        {t('import.about')}
      </Text>
      <FileButton
        accept="application/json,.json"
        onChange={(file) => {
          if (file) mutate(file)
        }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={isPending}
            leftSection={<Upload size={16} aria-hidden />}
          >
            {t('import.choose')}
          </Button>
        )}
      </FileButton>
      {isPending && (
        <div>
          <Progress
            value={100 * sent}
            mt="sm"
            aria-label={t('import.progress')}
            animated={sent >= 1}
          />
          <Text size="sm" c="dimmed" mt={4} role="status">
            {sent < 1
              ? t('import.sending', { percent: Math.round(100 * sent) })
              : t('import.working')}
          </Text>
        </div>
      )}
      {data && (
        <Text size="sm" mt="sm" role="status">
          {data.arcs + data.maps + data.courses === 0
            ? t('import.nothing', { count: data.unchanged })
            : [
                data.arcs > 0 && t('import.arcs', { count: data.arcs }),
                data.maps > 0 && t('import.maps', { count: data.maps }),
                data.courses > 0 && t('import.courses', { count: data.courses }),
                data.unchanged > 0 && t('import.unchanged', { count: data.unchanged }),
              ]
                .filter((part) => part !== false)
                .join(' ')}
        </Text>
      )}
      <ProblemAlert error={error} title={t('import.failed')} />
    </section>
  )
}
