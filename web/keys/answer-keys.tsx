import { UnstyledButton } from '@mantine/core'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './answer-keys.module.css'
import type { AnswerKind } from './answer-kind.ts'

/** What a key writes, by its name; the first character stands on it. */
const KEYS = {
  squared: '²',
  power: '^',
  fraction: '/',
  root: '√(',
  open: '(',
  close: ')',
  minus: '−',
  times: '·',
  equals: '=',
  less: '<',
  lessOrEqual: '≤',
  greater: '>',
  greaterOrEqual: '≥',
  semicolon: ';',
  colon: ':',
  underscore: '_',
  quote: '"',
  openSquare: '[',
  closeSquare: ']',
  openCurly: '{',
  closeCurly: '}',
  star: '*',
  percent: '%',
  hash: '#',
} as const

type Key = keyof typeof KEYS

const TERM: Key[] = ['squared', 'power', 'fraction', 'root', 'open', 'close', 'minus', 'times']

/** The keys for each kind of answer: what a phone's keyboard has only behind others. */
const OF_KIND: Record<AnswerKind, readonly Key[]> = {
  number: ['minus', 'fraction', 'root', 'power', 'open', 'close', 'times'],
  expression: TERM,
  equation: ['equals', ...TERM],
  inequality: ['less', 'lessOrEqual', 'greater', 'greaterOrEqual', 'minus', 'fraction'],
  set: ['semicolon', 'openCurly', 'closeCurly', 'minus', 'fraction', 'root'],
  pair: ['open', 'semicolon', 'close', 'minus', 'fraction', 'equals'],
  code: [
    ...(['open', 'close', 'openSquare', 'closeSquare', 'quote', 'underscore', 'colon'] as const),
    ...(['equals', 'star', 'percent', 'hash', 'openCurly', 'closeCurly'] as const),
  ],
  text: [],
}

type Field = HTMLTextAreaElement | HTMLInputElement

export interface AnswerKeysProps {
  kind: AnswerKind
  field: RefObject<Field | null>
}

/** Keys for a phone, which write at the place of the cursor in the field. */
export default function AnswerKeys({ kind, field }: AnswerKeysProps) {
  const { t } = useTranslation()
  const keys = OF_KIND[kind]
  if (keys.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, and these are keys of one.
    <div role="group" aria-label={t('key.all')} className={classes.keys}>
      {keys.map((key) => (
        <UnstyledButton
          key={key}
          aria-label={t(`key.${key}`)}
          className={classes.key ?? ''}
          // The field keeps the focus, and the phone its keyboard.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => write(field.current, KEYS[key])}
        >
          {KEYS[key].charAt(0)}
        </UnstyledButton>
      ))}
    </div>
  )
}

/** Writes in place of what is selected, as if it had been typed. */
function write(field: Field | null, text: string): void {
  if (!field) return
  field.focus({ preventScroll: true })
  const end = field.value.length
  field.setRangeText(text, field.selectionStart ?? end, field.selectionEnd ?? end, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
