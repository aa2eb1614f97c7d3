import { UnstyledButton } from '@mantine/core'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import classes from './answer-keys.module.css'

type AnswerKind = NonNullable<PendingQuestion['answerKind']>

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

interface Props {
  kind: AnswerKind
  field: RefObject<HTMLTextAreaElement | null>
}

/** Keys for a phone, which write at the place of the cursor in the field. */
export default function AnswerKeys({ kind, field }: Props) {
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
function write(field: HTMLTextAreaElement | null, text: string): void {
  if (!field) return
  field.focus({ preventScroll: true })
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
