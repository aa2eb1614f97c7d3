/** Answers that `public/first.js` has asked for before the page was there, by path. */
const early = (globalThis as { menoReads?: Record<string, Promise<Response>> }).menoReads ?? {}

/** What nobody has taken by then is too old. */
const FRESH_MS = 10_000

setTimeout(() => {
  for (const path of Object.keys(early)) delete early[path]
}, FRESH_MS)

/** Fetches, or takes the answer that was asked for early; each is taken once. */
export const fetchOrTake: typeof fetch = async (input, init) => {
  const path = String(input)
  const asked = (init?.method ?? 'GET') === 'GET' ? early[path] : undefined
  delete early[path]
  const answer = await asked?.catch(() => undefined)
  return answer ?? fetch(input, init)
}
