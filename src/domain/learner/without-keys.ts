/**
 * Names under which keys of questions stand, in the state of a product and in what a mind has returned: what would tell
 * the right answer before it is earned, or help to it before it is asked for.
 */
const KEYS = new Set([
  'answer_key',
  'answerKey',
  'expected',
  'expected_answer',
  'expectedAnswer',
  'correct',
  'correct_answer',
  'correctAnswer',
  'correct_option',
  'criteria',
  'scoring_criteria',
  'solution',
  'hints',
  'remedy',
  'sealed',
  'token',
  'isFirstTrue',
  'raw',
  'rawAnswer',
])

/** The key of a step is a text, that of a question a record; mistakes that are foreseen are listed, those made are counted. */
const isKeyOfQuestion = (name: string, value: unknown) =>
  KEYS.has(name) ||
  (name === 'key' && typeof value === 'object' && value !== null) ||
  (name === 'mistakes' && Array.isArray(value))

/** The same JSON without the keys of questions in it, at any depth. */
export function withoutKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutKeys) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([name, item]) => !isKeyOfQuestion(name, item))
    .map(([name, item]) => [name, withoutKeys(item)])
  return Object.fromEntries(entries) as T
}
