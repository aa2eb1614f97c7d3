import { Button, Code, CopyButton, Group, Text } from '@mantine/core'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './me.module.css'

interface ShownOnceProps {
  /** What it is, and that it is not shown again. */
  about: string
  value: string
  /** What the button that copies it is called. */
  copyLabel: string
}

/** A secret or a private address while it is new: to be read and copied now. */
export function ShownOnce({ about, value, copyLabel }: ShownOnceProps) {
  const { t } = useTranslation()
  return (
    <div role="status">
      <Text size="sm">{about}</Text>
      <Group gap="sm" my={6}>
        <Code className={classes.label ?? ''}>{value}</Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<Copy size={14} aria-hidden />}
              onClick={copy}
            >
              {copied ? t('exports.copied') : copyLabel}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  )
}
