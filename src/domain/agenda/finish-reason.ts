import type { Language } from '../language/languages.ts'

/** What holds the finish back most. */
export type Limit = 'minutes' | 'weekends' | 'holiday' | 'aim' | 'passes' | 'spacing'

/** A sentence on the limit: `days` is how much earlier it would be without it, `minutes` what there is a day. */
export function finishReason(
  limit: Limit,
  { days, minutes }: { days: number; minutes: number },
  language: Language,
): string {
  return SENTENCES[language][limit](days, minutes)
}

const SENTENCES: Record<Language, Record<Limit, (days: number, minutes: number) => string>> = {
  en: {
    minutes: (days, minutes) =>
      `Time is what holds it back: with more than ${minutes} minutes a day it would be about ${dayCount(days)} earlier.`,
    weekends: (days) =>
      `The free weekends hold it back: with them it would be about ${dayCount(days)} earlier.`,
    holiday: (days) =>
      `The holiday holds it back: without it, it would be about ${dayCount(days)} earlier.`,
    aim: (days) =>
      `The aim holds it back: with the arc’s own it would be about ${dayCount(days)} earlier.`,
    passes: (days) =>
      `Missed questions hold it back: if every answer were right it would be about ${dayCount(days)} earlier.`,
    spacing: () =>
      'The time between reviews decides: each concept is asked again over some weeks until it is mastered, and more study does not make that shorter.',
  },
  de: {
    minutes: (days, minutes) =>
      `Es liegt an der Zeit: mit mehr als ${minutes} Minuten am Tag wäre es etwa ${tage(days)} früher.`,
    weekends: (days) =>
      `Es liegt an den freien Wochenenden: mit ihnen wäre es etwa ${tage(days)} früher.`,
    holiday: (days) => `Es liegt am Urlaub: ohne ihn wäre es etwa ${tage(days)} früher.`,
    aim: (days) => `Es liegt am Ziel: mit dem des Themas wäre es etwa ${tage(days)} früher.`,
    passes: (days) =>
      `Es liegt an falschen Antworten: wäre jede richtig, wäre es etwa ${tage(days)} früher.`,
    spacing: () =>
      'Es liegt an den Abständen der Wiederholungen: jeder Begriff kommt über einige Wochen wieder, bis er sitzt, und mehr Lernen verkürzt das nicht.',
  },
}

const dayCount = (days: number) => (days === 1 ? 'one day' : `${days} days`)
const tage = (days: number) => (days === 1 ? 'einen Tag' : `${days} Tage`)
