import { ActionIcon, Textarea } from '@mantine/core'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import frame from '../conversation/conversation.module.css'
import classes from './tutor.module.css'
import { type Spoken, VoiceButton } from './voice-button.tsx'
import '../i18n/tutor-words.ts'

interface Props {
  field: RefObject<HTMLTextAreaElement | null>
  isBusy: boolean
  onSend: (text: string) => void
  /** Sends what was spoken; left out where there is no speaking. */
  onSpoken?: (spoken: Spoken) => void
  /** What the field is for, and what stands in it while it is empty. */
  label?: string
  example?: string
}

/** Where the learner writes to the course tutor, or in practice. */
export function TurnComposer({ field, isBusy, onSend, onSpoken, label, example }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (isEmpty || isBusy) return
    onSend(text.trim())
    setText('')
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.shiftKey) {
      document.getElementById('timeline')?.focus()
    } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      submit()
    }
  }
  return (
    <form onSubmit={submit} className={frame.composer}>
      <Textarea
        ref={field}
        aria-label={label ?? t('composer.say')}
        placeholder={example ?? t('tutor.sayExample')}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={8_000}
        size="md"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        classNames={{ input: `${frame.input} ${onSpoken ? classes.spoken : ''}` }}
      />
      {onSpoken && (
        <VoiceButton isBusy={isBusy} className={classes.voice ?? ''} onSend={onSpoken} />
      )}
      <ActionIcon
        type="submit"
        size={38}
        radius="xl"
        aria-label={t('composer.send')}
        disabled={isEmpty || isBusy}
        className={frame.send ?? ''}
      >
        <SendHorizontal size={18} aria-hidden />
      </ActionIcon>
    </form>
  )
}
