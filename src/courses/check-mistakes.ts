import type { BankQuestion, Misconception, Unit } from '../contracts/course-pack.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import { judgeAnswer } from '../domain/answers/judge.ts'

type Effect = NonNullable<Misconception['effect']>
type Keyed = Pick<BankQuestion, 'text' | 'answer' | 'mistakes'>

const MIRRORED: Record<string, string> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' }
const LOOSENED: Record<string, string> = { '<': '<=', '>': '>=', '<=': '<', '>=': '>' }
const RELATION = /<=|>=|<|>/g

/**
 * The mistakes that are not what their misconception does to the key, in words; where the effect has no meaning for
 * the key's type nothing is said.
 */
export function checkMistakes(question: Keyed, unit: Unit): string[] {
  const effects = new Map(unit.misconceptions.map(({ tag, effect }) => [tag, effect]))
  return question.mistakes.flatMap(({ answer, tag }) => {
    const effect = effects.get(tag)
    if (!effect || fits(effect, answer, question)) return []
    return [`the mistake "${answer}" is not the key ${effect}, as ${tag} is`]
  })
}

function fits(effect: Effect, answer: string, { answer: key, text }: Keyed): boolean {
  const altered = alterations[effect](key)
  if (altered === null) return true
  return altered.some((expected) => judgeAnswer(answer, expected, { text }).verdict === 'correct')
}

/** What each effect can make of a key; null where it has no meaning for keys of that type. */
const alterations: Record<Effect, (key: AnswerKey) => AnswerKey[] | null> = {
  negated: (key) => {
    if (key.type === 'number') return [{ ...key, value: negative(key.value) }]
    return key.type === 'set' ? [{ ...key, values: key.values.map(negative) }] : null
  },
  reversed: (key) => (key.type === 'inequality' ? [withSigns(key.value, MIRRORED)] : null),
  boundary: (key) => {
    if (key.type !== 'inequality') return null
    const count = key.value.match(RELATION)?.length ?? 0
    return subsets(count).map((chosen) => withSigns(key.value, LOOSENED, chosen))
  },
  incomplete: (key) => {
    if (key.type !== 'set') return null
    return subsets(key.values.length)
      .filter((chosen) => chosen.size < key.values.length)
      .map((chosen) => ({ ...key, values: key.values.filter((_, index) => chosen.has(index)) }))
  },
}

const negative = (value: string) => (value.startsWith('-') ? value.slice(1) : `-${value}`)

function withSigns(value: string, signs: Record<string, string>, chosen?: ReadonlySet<number>) {
  let index = 0
  const altered = value.replace(RELATION, (sign) =>
    chosen === undefined || chosen.has(index++) ? (signs[sign] ?? sign) : sign,
  )
  return { type: 'inequality' as const, value: altered }
}

/** Every choice of at least one of `count` places. */
function subsets(count: number): Set<number>[] {
  return Array.from({ length: 2 ** count - 1 }, (_, code) => {
    const places = Array.from({ length: count }, (_, place) => place)
    return new Set(places.filter((place) => ((code + 1) >> place) & 1))
  })
}
