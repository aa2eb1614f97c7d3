import { Button, Code, CopyButton, Group, Text, TextInput } from '@mantine/core'
import { Copy, Webhook } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAskForChannel, useTestWebhook } from '../api/learner.ts'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import classes from './me.module.css'

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
        <Button
          type="submit"
          variant="default"
          loading={ask.isPending}
          leftSection={<Webhook size={16} aria-hidden />}
        >
          {t('channels.ask.webhook')}
        </Button>
      </Group>
      {secret && <Secret secret={secret} />}
      <ProblemAlert error={ask.error} title={t('channels.notAsked')} />
    </form>
  )
}

function Secret({ secret }: { secret: string }) {
  const { t } = useTranslation()
  return (
    <div role="status">
      <Text size="sm" mt={6}>
        {t('channels.secretOnce')}
      </Text>
      <Group gap="sm" mt={4}>
        <Code className={classes.label ?? ''}>{secret}</Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<Copy size={14} aria-hidden />}
              onClick={copy}
            >
              {copied ? t('exports.copied') : t('channels.copySecret')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
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
