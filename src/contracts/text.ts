/** Texts that callers send. PostgreSQL keeps neither the character NUL nor half a surrogate pair. */
import { z } from 'zod'

const UNSTORABLE = /[\0\p{Surrogate}]/gu
const REFUSAL = 'a text holds neither NUL nor half a surrogate pair'

const isStorable = (text: string): boolean => text.search(UNSTORABLE) < 0

/** A text as it was sent; one that cannot be stored is refused. */
export const text = z.string().refine(isStorable, REFUSAL)

/** A name, a topic, a label: trimmed, 1 to `max` characters. */
export const line = (max: number, whenEmpty?: string) => text.trim().min(1, whenEmpty).max(max)

/** What a learner says or answers, at most `max` characters; what cannot be stored becomes U+FFFD. */
export const speech = (max: number, whenLong?: string) =>
  z
    .string()
    .max(max, whenLong)
    .overwrite((said) => said.replaceAll(UNSTORABLE, '\ufffd'))

/** An object of the caller's own making; every text in it, at whatever depth, can be stored. */
export const openRecord = z.record(z.string(), z.unknown()).superRefine((record, context) => {
  for (const path of unstorablePaths(record, [])) {
    context.addIssue({ code: 'custom', path, message: REFUSAL })
  }
})

function unstorablePaths(value: unknown, path: string[]): string[][] {
  if (typeof value === 'string') return isStorable(value) ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    isStorable(key) ? unstorablePaths(item, [...path, key]) : [path],
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text can be an internal id at all; what cannot be one is not found. */
export const isUuid = (id: string): boolean => UUID.test(id)
