import type { Notice } from '../contracts/channel.ts'
import { isWorthTelling, movement, type TopicWeek, type Week } from '../domain/agenda/digest.ts'
import type { OpenExam } from '../domain/agenda/facts.ts'
import type { DigestContent } from '../domain/agenda/notice.ts'
import type { NudgeContent, StaleArc } from '../domain/agenda/state.ts'
import type { Language } from '../domain/language/languages.ts'

/** What a nudge says, in one language. */
interface Words {
  reviewsTitle(count: number): string
  /** `2 × Fractions` and the like. */
  topics(topics: { topic: string; count: number }[]): string
  minutes(count: number): string
  held(count: number): string
  review: string
  staleTitle(topic: string): string
  staleText: string
  stay: string
  closedTitle(topic: string): string
  closedText: string
  revive: string
  /** Of one exam question its unit, else null; and how many there are. */
  examTitle(unit: string | null, count: number): string
  examText(units: readonly string[], course: string, count: number): string
  exam: string
  digestHeadline(week: Week): string
  open: string
  trend(topic: TopicWeek, points: number): string
  retention(topic: string, share: number): string
  kept(week: Week): string
  mastered(topic: string, labels: readonly string[]): string
  struggling(topic: string, labels: readonly string[]): string
  due(topic: string, count: number): string
}

const topicsOf = (topics: { topic: string; count: number }[]) =>
  topics.map(({ topic, count }) => (count === 1 ? topic : `${topic} (${count})`)).join(', ')

const percent = (share: number) => Math.round(100 * share)

const ENGLISH: Words = {
  reviewsTitle: (count) => (count === 1 ? 'One review is due' : `${count} reviews are due`),
  topics: (topics) => `${topicsOf(topics)}.`,
  minutes: (count) => (count === 1 ? 'About a minute.' : `About ${count} minutes.`),
  held: (count) => (count === 1 ? 'One more can wait.' : `${count} more can wait.`),
  review: 'Review now',
  staleTitle: (topic) => `“${topic}” will be closed in a week`,
  staleText: 'It has waited for you for more than 30 days. One message keeps it open.',
  stay: 'Go on',
  closedTitle: (topic) => `“${topic}” was closed`,
  closedText: 'It had waited for long. Nothing is lost: one press takes it up where you left it.',
  revive: 'Take it up again',
  examTitle: (unit, count) =>
    count > 1
      ? `${count} exam questions are open again`
      : `An exam question is open again${unit === null ? '' : `: ${unit}`}`,
  examText: (units, course, count) =>
    count > 1
      ? `${[course, ...units].join(': ')}. You may try them again now.`
      : `${course}. You may try it again now.`,
  exam: 'To the course',
  digestHeadline: ({ answers, days }) =>
    `Your week: ${answers === 1 ? 'one answer' : `${answers} answers`} on ${days === 1 ? 'one day' : `${days} days`}`,
  open: 'See what comes next',
  trend: ({ topic, masteryAfter }, points) =>
    `${topic}: ${percent(masteryAfter ?? 0)} % mastered (${points > 0 ? '+' : ''}${points} points)`,
  retention: (topic, share) => `${topic}: ${percent(share)} % of the reviews were kept`,
  kept: ({ reviews, kept }) => `${kept} of ${reviews} reviews were right`,
  mastered: (topic, labels) => `${topic}: mastered ${labels.join(', ')}`,
  struggling: (topic, labels) => `${topic}: ${labels.join(', ')} will come again more slowly`,
  due: (topic, count) => `${topic}: ${count === 1 ? 'one review' : `${count} reviews`}`,
}

const GERMAN: Words = {
  reviewsTitle: (count) =>
    count === 1 ? 'Eine Wiederholung steht an' : `${count} Wiederholungen stehen an`,
  topics: (topics) => `${topicsOf(topics)}.`,
  minutes: (count) => (count === 1 ? 'Etwa eine Minute.' : `Etwa ${count} Minuten.`),
  held: (count) => (count === 1 ? 'Eine weitere kann warten.' : `${count} weitere können warten.`),
  review: 'Jetzt wiederholen',
  staleTitle: (topic) => `„${topic}“ wird in einer Woche geschlossen`,
  staleText: 'Das Thema wartet seit mehr als 30 Tagen auf dich. Eine Nachricht hält es offen.',
  stay: 'Weitermachen',
  closedTitle: (topic) => `„${topic}“ wurde geschlossen`,
  closedText:
    'Das Thema hat lange gewartet. Nichts ist verloren: ein Klick nimmt es dort wieder auf, wo du warst.',
  revive: 'Wieder aufnehmen',
  examTitle: (unit, count) =>
    count > 1
      ? `${count} Prüfungsfragen sind wieder offen`
      : `Eine Prüfungsfrage ist wieder offen${unit === null ? '' : `: ${unit}`}`,
  examText: (units, course) =>
    `${[course, ...units].join(': ')}. Du kannst sie jetzt noch einmal versuchen.`,
  exam: 'Zum Kurs',
  digestHeadline: ({ answers, days }) =>
    `Deine Woche: ${answers === 1 ? 'eine Antwort' : `${answers} Antworten`} an ${days === 1 ? 'einem Tag' : `${days} Tagen`}`,
  open: 'Ansehen, was als Nächstes kommt',
  trend: ({ topic, masteryAfter }, points) =>
    `${topic}: ${percent(masteryAfter ?? 0)} % gemeistert (${points > 0 ? '+' : ''}${points} Punkte)`,
  retention: (topic, share) => `${topic}: ${percent(share)} % der Wiederholungen saßen`,
  kept: ({ reviews, kept }) => `${kept} von ${reviews} Wiederholungen waren richtig`,
  mastered: (topic, labels) => `${topic}: gemeistert: ${labels.join(', ')}`,
  struggling: (topic, labels) => `${topic}: ${labels.join(', ')} kommt noch einmal in Ruhe dran`,
  due: (topic, count) =>
    `${topic}: ${count === 1 ? 'eine Wiederholung' : `${count} Wiederholungen`}`,
}

const WORDS: Record<Language, Words> = { en: ENGLISH, de: GERMAN }

/** A nudge in words, as every channel gets it. */
export function noticeOf(nudge: { id: string; date: string; content: NudgeContent }): Notice {
  const { id, date, content } = nudge
  const { kind, language, items, minutes } = content
  const base = {
    ...{ id, kind, date, language, minutes },
    items: items.map(({ arcId, topic, nodeId, label }) => ({ arcId, topic, nodeId, label })),
  }
  if (content.stale) return { ...base, ...staleWords(content.stale, WORDS[language]) }
  if (content.exams.length > 0) return { ...base, ...examWords(content.exams, WORDS[language]) }
  if (content.digest) return { ...base, ...digestWords(content.digest, WORDS[language]) }
  return { ...base, ...reviewWords(content) }
}

type Said = Pick<Notice, 'title' | 'text' | 'path' | 'action' | 'digest'>

function reviewWords({ language, items, minutes, held }: NudgeContent): Said {
  const words = WORDS[language]
  const topics = [...Map.groupBy(items, ({ arcId }) => arcId).values()].map((of) => ({
    topic: of[0]?.topic ?? '',
    count: of.length,
  }))
  const sentences = [
    words.topics(topics),
    ...(minutes === null ? [] : [words.minutes(minutes)]),
    ...(held > 0 ? [words.held(held)] : []),
  ]
  return {
    title: words.reviewsTitle(items.length),
    text: sentences.join(' '),
    path: `/arcs/${items[0]?.arcId}?review=1`,
    action: words.review,
  }
}

function staleWords({ arcId, topic, closed }: StaleArc, words: Words): Said {
  return closed
    ? {
        title: words.closedTitle(topic),
        text: words.closedText,
        path: `/arcs/${arcId}?revive=1`,
        action: words.revive,
      }
    : {
        title: words.staleTitle(topic),
        text: words.staleText,
        path: `/arcs/${arcId}`,
        action: words.stay,
      }
}

function examWords(exams: readonly OpenExam[], words: Words): Said {
  const [first] = exams
  const units = [...new Set(exams.flatMap(({ unit }) => unit ?? []))]
  const courses = [...new Set(exams.map(({ course }) => course))]
  return {
    title: words.examTitle(first?.unit ?? null, exams.length),
    text: words.examText(
      exams.length > 1 && units.length > 0 ? [units.join(', ')] : [],
      courses.join(', '),
      exams.length,
    ),
    path: first?.threadId ? `/tutor/${first.threadId}` : '/tutor',
    action: words.exam,
  }
}

function digestWords(digest: DigestContent, words: Words): Said {
  const { headline, trends, achievements, struggles, nextWeek } = digest
  const lines = [...trends, ...achievements, ...struggles, ...nextWeek]
  return { title: headline, text: lines.join('\n'), path: '/', action: words.open, digest }
}

/** The digest of a week; null where nothing happened in it. */
export function digestOf(week: Week, language: Language): DigestContent | null {
  if (!isWorthTelling(week)) return null
  const words = WORDS[language]
  const of = (line: (topic: TopicWeek) => string | null) =>
    week.topics.flatMap((topic) => line(topic) ?? [])
  return {
    headline: words.digestHeadline(week),
    trends: [
      ...(week.reviews > 0 ? [words.kept(week)] : []),
      ...of((topic) => {
        const points = movement(topic)
        return points === null ? null : words.trend(topic, points)
      }),
      ...of(({ topic, retention }) =>
        retention === null ? null : words.retention(topic, retention),
      ),
    ],
    achievements: of(({ topic, mastered }) =>
      mastered.length > 0 ? words.mastered(topic, mastered) : null,
    ),
    struggles: of(({ topic, struggling }) =>
      struggling.length > 0 ? words.struggling(topic, struggling) : null,
    ),
    nextWeek: of(({ topic, due }) => (due > 0 ? words.due(topic, due) : null)),
  }
}
