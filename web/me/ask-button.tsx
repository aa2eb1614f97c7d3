import { Button } from '@mantine/core'
import { Bell, Mail, Send, Webhook } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ChannelName } from '../../src/contracts/channel.ts'

export const CHANNEL_ICONS = { telegram: Send, email: Mail, push: Bell, webhook: Webhook }

interface AskButtonProps {
  channel: ChannelName
  isBusy: boolean
  /** None: it submits its form. */
  onClick?: () => void
}

/** Asks for one more way to be reached. */
export function AskButton({ channel, isBusy, onClick }: AskButtonProps) {
  const { t } = useTranslation()
  const Icon = CHANNEL_ICONS[channel]
  return (
    <Button
      type={onClick ? 'button' : 'submit'}
      variant="default"
      loading={isBusy}
      leftSection={<Icon size={16} aria-hidden />}
      {...(onClick ? { onClick } : {})}
    >
      {t(`channels.ask.${channel}`)}
    </Button>
  )
}
