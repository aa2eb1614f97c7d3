import { readNumber } from '../notation/numbers.ts'

/** What numbers alone can show; whatever else a wrong answer is filed under is a misconception of a course, or a topic. */
export const ARITHMETIC_MISTAKES: readonly string[] = [
  'sign error',
  'inverted fraction',
  'place value',
  'opposite operation',
  'ignored a sign',
  'off by one',
]

/** What a wrong answer is filed under that looks like nothing, on a problem without a topic. */
export const NO_KNOWN_MISTAKE = 'other'

/**
 * What a wrong number looks like, by arithmetic on what was said and what is right; where it looks like nothing, the
 * problem's first tag, so that teachers still see what it was about.
 */
export function misconceptionOf(
  said: string | null,
  correctAnswer: string,
  problemText: string,
  tags: readonly string[],
): string {
  const value = said === null ? null : readNumber(said)
  const expected = readNumber(correctAnswer)
  const fallback = tags[0] ?? NO_KNOWN_MISTAKE
  if (value === null || expected === null) return fallback
  const near = (other: number) => Math.abs(value - other) < 1e-9 * Math.max(1, Math.abs(other))
  if (expected !== 0 && near(-expected)) return 'sign error'
  if (expected !== 0 && near(1 / expected)) return 'inverted fraction'
  if (expected !== 0 && [10, 100, 0.1, 0.01].some((factor) => near(expected * factor))) {
    return 'place value'
  }
  const sum = /^\D*?([-−]?\d+)\s*([-+−])\s*\(?([-−]?\d+)\)?\D*$/.exec(problemText)
  if (sum) {
    const [a, b] = [Number(sum[1]?.replace('−', '-')), Number(sum[3]?.replace('−', '-'))]
    const isPlus = sum[2] === '+'
    if (near(isPlus ? a - b : a + b)) return 'opposite operation'
    if (near(Math.abs(a) + Math.abs(b)) || near(-Math.abs(a) - Math.abs(b))) return 'ignored a sign'
  }
  if (Number.isInteger(expected) && Math.abs(value - expected) === 1) return 'off by one'
  return fallback
}
