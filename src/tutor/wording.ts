import { refutation } from '../courses/refutation.ts'
import type { Remedy } from '../domain/answers/foreseen-mistake.ts'
import type { Language } from '../domain/language/languages.ts'

/** What sets a mistake right, as a learner is told; what is worded already stays as it is. */
export function remedyIn(language: Language, told: Remedy | string): string {
  if (typeof told === 'string') return told
  const { remedy, belief } = told
  return belief === undefined ? remedy : refutation({ description: belief, remedy }, language)
}

/** Concepts in a sentence, one after the other. */
export const listed = (labels: readonly string[]): string =>
  labels.map((label) => `*${label}*`).join(', ')

/** The concepts that a sentence is about, one after the other. */
export const practised = (labels: readonly string[]): string =>
  labels.map((label) => `**${label}**`).join(', ')

/** A sentence that lists; empty where there is nothing to list. */
export function sentence(opening: string, parts: readonly string[], after = ''): string {
  if (parts.length === 0) return ''
  return `${opening}: ${parts.join(', ')}.${after === '' ? '' : ` ${after}`}`
}

export interface Wait {
  amount: number
  unit: 'second' | 'minute' | 'hour' | 'day'
}

/** How much time something takes, as a person would say it: tens of minutes, then hours. */
export function roughly(minutes: number): Wait {
  if (minutes < 60) return { amount: Math.max(10, Math.round(minutes / 10) * 10), unit: 'minute' }
  return { amount: Math.round(minutes / 60), unit: 'hour' }
}

/** How long it is until a point in time, in whole units as a person counts them; null where no date is known. UTC ms. */
export function waitUntil({ at, now }: { at: number | null; now: number }): Wait | null {
  if (at === null) return null
  const seconds = Math.max(0, Math.round((at - now) / 1000))
  if (seconds < 90) return { amount: seconds, unit: 'second' }
  if (seconds < 5_400) return { amount: Math.round(seconds / 60), unit: 'minute' }
  if (seconds < 129_600) return { amount: Math.round(seconds / 3_600), unit: 'hour' }
  return { amount: Math.round(seconds / 86_400), unit: 'day' }
}
