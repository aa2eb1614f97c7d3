import { derivedId } from '../spine/ids.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/**
 * The ids of what a learner brings from elsewhere, as they are here: made of the learner's own id and the old one, so that
 * the same thing brought twice has the same id, and nothing that is brought can name what is somebody else's.
 */
export class MovedIds {
  readonly #to: string
  readonly #known: Map<string, string>

  /** @param from the learner's id where the rows come from @param to their id here */
  constructor(from: string, to: string) {
    this.#to = to
    this.#known = new Map([[from.toLowerCase(), to]])
  }

  /** The new id of an old one. */
  id(old: string): string {
    const key = old.toLowerCase()
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = derivedId('moved', this.#to, key)
    this.#known.set(key, made)
    return made
  }

  /** Has an old id stand for something that is here already. */
  standsFor(old: string, here: string): void {
    this.#known.set(old.toLowerCase(), here)
  }

  /** A text with the ids that stand in it: `arc-<id>`, `<id>/3/1/quiz`. */
  text(text: string): string {
    return text.replace(UUID, (old) => this.id(old))
  }

  /** JSON with all ids that stand in it, but for the columns named: those are a person's words. */
  row<Row extends object>(row: Row, verbatim: ReadonlySet<string> = NONE): Row {
    const entries = Object.entries(row).map(([name, value]) => {
      if (value === null || verbatim.has(name)) return [name, value]
      if (typeof value === 'string') return [name, this.text(value)]
      return [
        name,
        typeof value === 'object' ? JSON.parse(this.text(JSON.stringify(value))) : value,
      ]
    })
    return Object.fromEntries(entries)
  }
}

const NONE: ReadonlySet<string> = new Set()
