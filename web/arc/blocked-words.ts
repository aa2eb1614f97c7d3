/** What the learner is told instead of a reason in Meno's own terms; what a model's service says stands as it is. */
const WORDS: readonly [reason: RegExp, key: `blocked.${string}`][] = [
  [/^internal$/, 'blocked.internal'],
  [/^the model is silent$/, 'blocked.silent'],
  [/^what the model wrote could not be used\b/, 'blocked.unreadable'],
  [/^the plan was (?:refused|not readable)\b/, 'blocked.plan'],
]

/** The key of the words for what holds an arc up; null where the reason is to be shown itself. */
export const blockedWords = (reason: string) =>
  WORDS.find(([pattern]) => pattern.test(reason))?.[1] ?? null
