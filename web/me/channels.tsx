import { Badge, Button, Code, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type AskedChannel,
  type Channel,
  channelsQuery,
  useAskForChannel,
  useLeaveChannel,
} from '../api/learner.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { AskButton, CHANNEL_ICONS } from './ask-button.tsx'
import { AskWebhook, TestWebhook } from './ask-webhook.tsx'
import classes from './me.module.css'
import { canPush, subscribe } from './push.ts'

/** Where Meno can reach the learner with no page open: to be asked for, looked at and left. */
export function Channels() {
  const { t } = useTranslation()
  const { data, error, isPending, refetch } = useQuery(channelsQuery)
  return (
    <section aria-labelledby="channels" className={classes.card}>
      <h2 id="channels" className={classes.title}>
        {t('channels.title')}
      </h2>
      <Text size="sm" c="dimmed" mb="sm">
        {t('channels.about')}
      </Text>
      <ProblemAlert error={error} title={t('channels.notLoaded')} onRetry={() => void refetch()} />
      {isPending && <Skeleton h={80} radius="md" />}
      {data && (
        <>
          <ul className={classes.list}>
            {data.map((channel) => (
              <Known key={`${channel.channel} ${channel.place}`} channel={channel} />
            ))}
          </ul>
          <Stack gap="md" mt="md">
            <AskTelegram />
            <AskEmail />
            <AskPush />
            <AskWebhook />
          </Stack>
        </>
      )}
    </section>
  )
}

function Known({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const leave = useLeaveChannel()
  const Icon = CHANNEL_ICONS[channel.channel]
  const name = t(`channels.${channel.channel}`)
  return (
    <li>
      <div className={classes.fact}>
        <Group gap={8} wrap="wrap" miw={0}>
          <Icon size={16} aria-hidden />
          <Text fw={600}>{name}</Text>
          {channel.label && (
            <Text size="sm" c="dimmed" className={classes.label ?? ''}>
              {channel.label}
            </Text>
          )}
          <Badge
            variant="light"
            color={channel.status === 'linked' ? 'teal' : 'gray'}
            className={classes.state ?? ''}
          >
            {t(`channels.${channel.status}`)}
          </Badge>
        </Group>
        <Button
          size="compact-sm"
          variant="default"
          loading={leave.isPending}
          aria-label={t('channels.leaveOne', { channel: channel.label ?? name })}
          onClick={() => leave.mutate(channel)}
        >
          {t('channels.leave')}
        </Button>
      </div>
      {channel.failure && (
        <Text size="sm">{t('channels.failure', { failure: channel.failure })}</Text>
      )}
      {channel.channel === 'webhook' && channel.status === 'linked' && <TestWebhook />}
      <ProblemAlert error={leave.error} />
    </li>
  )
}

function AskTelegram() {
  const { t } = useTranslation()
  const ask = useAskForChannel('telegram')
  return (
    <div>
      <AskButton channel="telegram" isBusy={ask.isPending} onClick={() => ask.mutate({})} />
      {ask.data?.code && <BotCode asked={ask.data} />}
      <ProblemAlert error={ask.error} title={t('channels.notAsked')} />
    </div>
  )
}

/** What is sent to the bot to finish the link. */
function BotCode({ asked }: { asked: AskedChannel }) {
  const { t } = useTranslation()
  return (
    <Text size="sm" mt={6} role="status">
      {t('channels.sendCode')} <Code>/start {asked.code}</Code>{' '}
      {asked.url && (
        <a href={asked.url} target="_blank" rel="noreferrer" className={classes.link}>
          {t('channels.openBot')}
        </a>
      )}
    </Text>
  )
}

function AskEmail() {
  const { t } = useTranslation()
  const [address, setAddress] = useState('')
  const ask = useAskForChannel('email')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask.mutate({ address: address.trim() })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          type="email"
          required
          withAsterisk={false}
          label={t('channels.address')}
          autoComplete="email"
          className={classes.address ?? ''}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <AskButton channel="email" isBusy={ask.isPending} />
      </Group>
      {ask.data && (
        <Text size="sm" mt={6} role="status">
          {t(ask.data.status === 'linked' ? 'channels.emailLinked' : 'channels.emailSent')}
        </Text>
      )}
      <ProblemAlert error={ask.error} title={t('channels.notAsked')} />
    </form>
  )
}

function AskPush() {
  const { t } = useTranslation()
  const ask = useAskForChannel('push')
  const [error, setError] = useState<unknown>(null)
  const [isDenied, setDenied] = useState(false)
  if (!canPush()) {
    return (
      <Text size="sm" c="dimmed">
        {t('channels.noPush')}
      </Text>
    )
  }
  const start = async () => {
    setError(null)
    try {
      const subscription = await subscribe()
      setDenied(subscription === null)
      if (subscription) ask.mutate({ subscription })
    } catch (reason) {
      setError(reason)
    }
  }
  return (
    <div>
      <AskButton channel="push" isBusy={ask.isPending} onClick={() => void start()} />
      {isDenied && (
        <Text size="sm" mt={6} role="status">
          {t('channels.pushDenied')}
        </Text>
      )}
      <ProblemAlert error={ask.error ?? error} title={t('channels.notAsked')} />
    </div>
  )
}
