import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Cell } from './cells.ts'

/** Where the trials take place. */
export interface WireWorld {
  url: () => string
  pool: pg.Pool
}

/** What a trial found. */
export interface Trial {
  /** Milliseconds from the first call that was struck until the learner was told something; null: never. */
  toldMs: number | null
  /** How it went on when the model was well again. */
  wentOn: 'by itself' | 'at the next message' | 'no'
  faults: string[]
}

/** What may hold a learner up before something sensible is said. */
export const TOLD_WITHIN_MS = 10_000

/** Text that no learner should see. */
const NONSENSE = /undefined|\bNaN\b|\[object|\.ts:\d|x{40}|\{"|scripted|Well, let me think/

/** What is wrong with a text as something to be told, as a sentence; null where nothing is. */
export function faultOfText(text: string): string | null {
  if (text.trim() === '') return 'the learner was told nothing in words'
  const found = NONSENSE.exec(text)
  return found ? `the learner was told "${text.slice(Math.max(0, found.index - 40), 80)}"` : null
}

export async function rowsOf<Row extends pg.QueryResultRow>(
  { pool }: WireWorld,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await pool.query<Row>(sql, values)).rows
}

/** Looks again and again, as seldom as the trials can afford, until there is something. */
export async function until<T>(
  seconds: number,
  look: () => Promise<T | null | undefined | false>,
): Promise<T | null> {
  for (const deadline = Date.now() + seconds * 1_000; ; await pause(500)) {
    const found = await look()
    if (found) return found
    if (Date.now() > deadline) return null
  }
}

/** Calls Meno once; null where nothing comes back. */
export async function call(
  { url }: WireWorld,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; ms: number; text: string } | null> {
  const startedAt = Date.now()
  const response = await fetch(url() + path, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(90_000),
  }).catch(() => null)
  const text = await response?.text().catch(() => null)
  if (!response || text === null || text === undefined) return null
  return {
    status: response.status,
    ms: Date.now() - startedAt,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : {},
  }
}

/** What a trial without a strike comes to. */
export const neverStruck = ({ kind }: Cell): Trial => ({
  toldMs: null,
  wentOn: 'no',
  faults: [`the step "${kind}" was never asked for`],
})
