import type { TutorMove } from './tutor-response.ts'

/** "You have mastered…", "gold is yours": mastery is decided by evidence and told by the screen, never by the mind. */
const MASTERY_CLAIMS = [
  /\byou(?:'ve|’ve| have| are| ?'re|’re)?\s+(?:now |already |just |officially |fully |completely )*(?:mastered|a master of)\b/i,
  /\b(?:mastery|bronze|silver|gold)(?:[ -](?:tier|level|mastery|medal|badge|status))?\s+(?:is|has been|was)\s+(?:now |already )*(?:yours|reached|achieved|unlocked|awarded|earned|granted|complete)/i,
  /\byou(?:'ve|’ve| have)?\s+(?:now |already |just )*(?:reached|achieved|earned|unlocked|got|won|attained|passed|completed)\s+(?:the |a |your )*(?:mastery|bronze|silver|gold|exam|unit)\b/i,
  /\b(?:i|we)(?:'ve|’ve| have|'ll|’ll| will| am|'m)?\s+(?:now |just |hereby )*(?:mark(?:ed|ing)?|record(?:ed|ing)?|award(?:ed|ing)?|grant(?:ed|ing)?|set|sav(?:e|ed|ing)|updat(?:e|ed|ing))\b[^.!?]{0,60}\b(?:mastered|mastery|bronze|silver|gold|passed|progress|database)\b/i,
  /\b(?:mark(?:ed)?|recorded|counts?) (?:you |this unit |it )?as (?:mastered|passed|bronze|silver|gold)\b/i,
]

interface Sayable {
  courseTags: readonly string[]
  examIds: readonly string[]
}

/**
 * What a move says that is not the mind's to say: that something is mastered or passed, a confusion tag, or an exam
 * question that is not on offer. Empty when it may be shown. Seed 004 PF-3.6.2.
 */
export function forbiddenClaims(move: TutorMove, allowed: Sayable): string[] {
  const { tutorText, conceptCard, drillCard } = move
  const said = [tutorText, ...(conceptCard?.keyIdeas ?? []), drillCard?.prompt ?? ''].join('\n')
  return forbiddenWords(said, allowed)
}

/** The same of any text. */
export function forbiddenWords(said: string, allowed: Sayable): string[] {
  const isClaim = MASTERY_CLAIMS.some((claim) => claim.test(said))
  const tag = allowed.courseTags.find((one) => one.includes('_') && said.includes(one))
  const examId = (said.match(/\bEX-[\w-]+/g) ?? []).find((id) => !allowed.examIds.includes(id))
  return [
    ...(isClaim ? ['the text claims mastery'] : []),
    ...(tag === undefined ? [] : [`the text names the confusion tag ${tag}`]),
    ...(examId === undefined ? [] : [`the text names the exam question ${examId}`]),
  ]
}
