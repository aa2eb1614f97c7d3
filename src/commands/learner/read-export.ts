import { JSONParser } from '@streamparser/json'
import type { z } from 'zod'
import { ImportedTables, LearnerExport, MOST_BROUGHT } from '../../contracts/taking-along.ts'
import { Problem } from '../problem.ts'

/** All that is read of a file: `$.tables.*.*` are its rows. */
const PATHS = ['$.format', '$.version', '$.exportedAt', '$.learner', '$.tables.*.*']
const BROUGHT: ReadonlySet<string> = new Set(Object.keys(ImportedTables.shape))

/**
 * Reads an export as it comes in, piece by piece. What an import does not take, such as the record of events, is read
 * over: in memory are only the rows that it takes.
 * @throws {Problem} 400 for what is no JSON, 413 where the rows that are taken have too many bytes, 422 for no export
 */
export async function readExport(
  pieces: AsyncIterable<Uint8Array>,
): Promise<z.infer<typeof LearnerExport>> {
  const reading = new Reading()
  for await (const piece of pieces) reading.write(piece)
  return reading.end()
}

class Reading {
  readonly #parser = new JSONParser({ paths: PATHS, keepStack: false })
  readonly #head: Record<string, unknown> = {}
  readonly #tables: Record<string, unknown[]> = {}
  #hasTables = false
  /** Bytes of the rows that are kept, and of what is being read and may be one. */
  #kept = 0
  #unread = 0
  #refusal: Problem | null = null

  constructor() {
    this.#parser.onValue = ({ value, key, stack }) => {
      this.#unread = 0
      const [, , table] = stack
      if (stack.length === 1) this.#head[String(key)] = value
      else this.#row(String(table?.key), value)
    }
    this.#parser.onError = (error) => {
      this.#refusal ??=
        error instanceof RangeError
          ? new Problem(422, 'The file is nested too deeply.')
          : new Problem(400, 'The body is not valid JSON.')
    }
  }

  /** What comes behind a refusal is let pass, so that its sender hears of it. */
  write(piece: Uint8Array): void {
    if (this.#refusal) return
    this.#unread += piece.length
    this.#parser.write(piece)
    if (this.#kept + this.#unread > MOST_BROUGHT) this.#refusal ??= tooMuch()
    if (this.#refusal) for (const table of Object.keys(this.#tables)) delete this.#tables[table]
  }

  end(): z.infer<typeof LearnerExport> {
    if (this.#refusal) throw this.#refusal
    if (!this.#parser.isEnded)
      throw new Problem(400, 'The body is not valid JSON: it ends too early.')
    const whole = this.#hasTables ? { ...this.#head, tables: this.#tables } : this.#head
    const read = LearnerExport.safeParse(whole)
    if (read.success) return read.data
    const errors = read.error.issues.map(({ path, message }) => ({
      pointer: `/${path.join('/')}`,
      detail: message,
    }))
    const [first] = errors
    throw new Problem(422, `${first?.pointer}: ${first?.detail}`, { errors })
  }

  #row(table: string, value: unknown): void {
    this.#hasTables = true
    if (!BROUGHT.has(table)) return
    const rows = this.#tables[table] ?? []
    this.#tables[table] = rows
    rows.push(value)
    this.#kept += JSON.stringify(value).length
  }
}

const tooMuch = () =>
  new Problem(413, `What is brought here has at most ${MOST_BROUGHT / 1_000_000} MB.`)
