import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../shell/problem-alert.tsx'

/** Says why something asked for in a menu was not done. */
export function ProblemDialog({ error, onClose }: { error: unknown; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened={Boolean(error)} onClose={onClose} title={t('topics.notDone')}>
      <ProblemAlert error={error} />
    </Modal>
  )
}
