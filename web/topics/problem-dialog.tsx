import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../shell/problem-alert.tsx'

interface Props {
  opened: boolean
  error: unknown
  onClose: () => void
}

/** Says why something asked for in a menu was not done. */
export function ProblemDialog({ opened, error, onClose }: Props) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('topics.notDone')}>
      <ProblemAlert error={error} />
    </Modal>
  )
}
