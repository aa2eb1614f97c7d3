import { lazy, Suspense } from 'react'
import type { AnswerKeysProps } from './answer-keys.tsx'

/** Without a network they may not be there, and every sign can be typed all the same. */
const AnswerKeys = lazy(() => import('./answer-keys.tsx').catch(() => ({ default: () => null })))

/** On a screen that is touched: the signs of an answer that a phone's keyboard hides. */
export const PhoneKeys = (props: AnswerKeysProps) =>
  isTouched() && (
    <Suspense>
      <AnswerKeys {...props} />
    </Suspense>
  )

const isTouched = () => matchMedia('(pointer: coarse)').matches
