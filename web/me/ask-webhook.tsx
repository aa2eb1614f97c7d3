import { Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAskForChannel, useTestWebhook } from '../api/learner.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { AskButton } from './ask-button.tsx'
import classes from './me.module.css'
import { ShownOnce } from './shown-once.tsx'

/** A secret that nobody guesses, made here: 32 random bytes. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A program of the learner's own is told of everything; its secret is made here and shown once. */
export function AskWebhook() {
  const { t } = useTranslation()
  const [url, setUrl] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const ask = useAskForChannel('webhook')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const made = newSecret()
    setSecret(null)
    ask.mutate({ url: url.trim(), secret: made }, { onSuccess: () => setSecret(made) })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          type="url"
          required
          withAsterisk={false}
          label={t('channels.webhookUrl')}
          placeholder="https://"
          className={classes.address ?? ''}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <AskButton channel="webhook" isBusy={ask.isPending} />
      </Group>
      {secret && (
        <ShownOnce
          about={t('channels.secretOnce')}
          value={secret}
          copyLabel={t('channels.copySecret')}
        />
      )}
      <ProblemAlert error={ask.error} title={t('channels.notAsked')} />
    </form>
  )
}

/** Sends a message as reminders are sent, and says what became of it. */
export function TestWebhook() {
  const { t } = useTranslation()
  const test = useTestWebhook()
  return (
    <div>
      <Button
        size="compact-sm"
        variant="subtle"
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {t('channels.testWebhook')}
      </Button>
      {test.data && (
        <Text size="sm" role="status">
          {test.data.taken
            ? t('channels.testTaken')
            : t('channels.testNotTaken', { detail: test.data.detail ?? '' })}
        </Text>
      )}
      <ProblemAlert error={test.error} />
    </div>
  )
}
