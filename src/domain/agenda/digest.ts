/** What a learner did in one topic in a week, by its snapshots and its rows. */
export interface TopicWeek {
  topic: string
  /** Shares of 0..1 by the first and the last of the week's snapshots; null where there is none. */
  masteryBefore: number | null
  masteryAfter: number | null
  /** Reviews kept among the reviews of the week, by the last snapshot; null without reviews. */
  retention: number | null
  /** Concepts that became mastered in it. */
  mastered: string[]
  struggling: string[]
  /** How many reviews fall due in the week that follows. */
  due: number
}

/** A learner's week over all topics. */
export interface Week {
  answers: number
  reviews: number
  /** Reviews that were right, with or without help. */
  kept: number
  /** Days of the learner's calendar with an answer. */
  days: number
  topics: TopicWeek[]
}

/** Whether there is something to tell of a week. */
export const isWorthTelling = ({ answers, topics }: Week): boolean =>
  answers > 0 || topics.some(({ mastered }) => mastered.length > 0)

/** How a topic's mastery has moved, in whole percentage points; null where nobody knows. */
export function movement({ masteryBefore, masteryAfter }: TopicWeek): number | null {
  if (masteryBefore === null || masteryAfter === null) return null
  return Math.round(100 * masteryAfter) - Math.round(100 * masteryBefore)
}

const percent = (share: number) => Math.round(100 * share)

/** The numbers that may be said of a week: what was counted, shares in percent, and how many are named. */
function numbersOf({ answers, reviews, kept, days, topics }: Week): Set<number> {
  const each = topics.flatMap((topic) => [
    ...[topic.masteryBefore, topic.masteryAfter, topic.retention].flatMap((share) =>
      share === null ? [] : [percent(share)],
    ),
    Math.abs(movement(topic) ?? 0),
    ...[topic.mastered.length, topic.struggling.length, topic.due],
  ])
  return new Set([answers, reviews, kept, days, topics.length, ...each])
}

/** Number words of English and German, but for "one": that is an article as well. */
const WORDS = [
  ['two', 'zwei'],
  ['three', 'drei'],
  ['four', 'vier'],
  ['five', 'fünf'],
  ['six', 'sechs'],
  ['seven', 'sieben'],
  ['eight', 'acht'],
  ['nine', 'neun'],
  ['ten', 'zehn'],
  ['eleven', 'elf'],
  ['twelve', 'zwölf'],
]
const BY_WORD = new Map(WORDS.flatMap((names, index) => names.map((name) => [name, index + 2])))
/** More than twelve, or a part: in words nobody can check them. */
const UNCHECKED = [
  /^(?:thir|four|fif|six|seven|eigh|nine)teen$/,
  /^(?:twen|thir|for|fif|six|seven|eigh|nine)ty$/,
  /^(?:hundreds?|thousands?|dozens?|half|halves|twice|doubled?|thirds?|quarters?)$/,
  /(?:zehn|zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|hundert|tausend)$/,
  /^(?:dutzend|hälfte|doppelt|drittel|viertel)$/,
]

/** Numbers of a text that are none of the week's, as they are written; names of topics and concepts are passed over. */
export function foreignNumbers(text: string, week: Week): string[] {
  const names = week.topics.flatMap(({ topic, mastered, struggling }) => [
    ...[topic, ...mastered, ...struggling],
  ])
  const bare = [...names]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replaceAll(name, ' '), text)
  const known = numbersOf(week)
  const isKnown = (sign: string): boolean => {
    if (/^\d/.test(sign)) return known.has(numberIn(sign))
    const said = BY_WORD.get(sign.toLowerCase())
    if (said !== undefined) return known.has(said)
    return !UNCHECKED.some((form) => form.test(sign.toLowerCase()))
  }
  return [...bare.matchAll(/\d+(?:[.,]\d+)*|\p{L}+/gu)]
    .map(([sign]) => sign)
    .filter((sign) => !isKnown(sign))
}

/** A number as it is written in either language: `1,000` and `1.000` are a thousand, `2,5` and `2.5` two and a half. */
const numberIn = (sign: string): number =>
  /^\d{1,3}(?:[.,]\d{3})+$/.test(sign)
    ? Number(sign.replace(/[.,]/g, ''))
    : Number(sign.replace(',', '.'))
