import { ActionIcon, Button, Group, Modal, Text, Textarea, TextInput } from '@mantine/core'
import { Mic } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Markdown } from '../markdown/markdown.tsx'
import { latexText } from './latex-text.ts'
import { spokenLatex } from './spoken-latex.ts'

/** What was heard, and the formula in it. */
export interface Spoken {
  voiceTranscript: string
  messageLatex?: string
}

interface Props {
  isBusy: boolean
  className: string
  onSend: (spoken: Spoken) => void
}

/** Listens, shows what was heard with the formula found in it, and sends what is confirmed. Seed 004 PV-AI-023. */
export function VoiceButton({ isBusy, className, onSend }: Props) {
  const { t } = useTranslation()
  const [heard, setHeard] = useState<string | null>(null)
  const { isListening, toggle } = useListening(setHeard)
  if (!recognition()) return null
  return (
    <>
      <ActionIcon
        size={38}
        radius="xl"
        variant={isListening ? 'filled' : 'subtle'}
        aria-label={t('voice.speak')}
        aria-pressed={isListening}
        title={t('voice.privacy')}
        disabled={isBusy}
        className={className}
        onClick={toggle}
      >
        <Mic size={18} aria-hidden />
      </ActionIcon>
      <Modal opened={heard !== null} onClose={() => setHeard(null)} title={t('voice.heard')}>
        {heard !== null && (
          <Confirm
            heard={heard}
            onCancel={() => setHeard(null)}
            onConfirm={(spoken) => {
              setHeard(null)
              onSend(spoken)
            }}
          />
        )}
      </Modal>
    </>
  )
}

interface ConfirmProps {
  heard: string
  onCancel: () => void
  onConfirm: (spoken: Spoken) => void
}

function Confirm({ heard, onCancel, onConfirm }: ConfirmProps) {
  const { t } = useTranslation()
  const [words, setWords] = useState(heard)
  const [latex, setLatex] = useState(() => spokenLatex(heard) ?? '')
  const voiceTranscript = words.trim()
  const messageLatex = latex.trim()
  return (
    <>
      <Textarea
        label={t('voice.words')}
        autosize
        maxLength={8_000}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <TextInput
        label={t('voice.formula')}
        mt="sm"
        maxLength={8_000}
        value={latex}
        onChange={(event) => setLatex(event.currentTarget.value)}
      />
      {messageLatex && <Markdown text={latexText(messageLatex)} />}
      <Text size="xs" c="dimmed" mt="sm">
        {t('voice.privacy')}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onCancel}>
          {t('voice.cancel')}
        </Button>
        <Button
          disabled={voiceTranscript === ''}
          onClick={() => onConfirm({ voiceTranscript, ...(messageLatex && { messageLatex }) })}
        >
          {t('composer.send')}
        </Button>
      </Group>
    </>
  )
}

/** The part of the Web Speech API that is used; browsers that have it do not agree on its name. */
interface Recognition {
  lang: string
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
  abort(): void
}

function recognition(): (new () => Recognition) | undefined {
  const browser = window as unknown as Record<string, new () => Recognition>
  return browser.SpeechRecognition ?? browser.webkitSpeechRecognition
}

function useListening(onHeard: (words: string) => void) {
  const { i18n } = useTranslation()
  const [isListening, setIsListening] = useState(false)
  const current = useRef<Recognition | null>(null)
  useEffect(() => () => current.current?.abort(), [])
  const toggle = () => {
    const Recognition = recognition()
    if (!Recognition) return
    if (isListening) return current.current?.stop()
    const listening = new Recognition()
    listening.lang = i18n.language
    listening.onresult = ({ results }) => {
      const words = Array.from(results, (result) => result[0]?.transcript ?? '').join(' ')
      if (words.trim() !== '') onHeard(words.trim())
    }
    // It comes after a refusal, an error and silence as well.
    listening.onend = () => setIsListening(false)
    current.current = listening
    setIsListening(true)
    listening.start()
  }
  return { isListening, toggle }
}
