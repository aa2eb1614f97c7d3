import type { Delta } from '../../store/spine/events.ts'

/** An answer that is there at once needs no preview; a slow one is sent a few times a second. */
const FIRST_MS = 200
const EVERY_MS = 80

/** Text of a running step that may be seen before it is whole: gathered for a moment, then sent, and stored nowhere. */
export class ProvisionalText {
  readonly #of: Omit<Delta, 'offset' | 'text'>
  readonly #send: (delta: Delta) => void
  readonly #startedAt = performance.now()
  #offset = 0
  #pending = ''
  #timer: NodeJS.Timeout | null = null

  constructor(of: Omit<Delta, 'offset' | 'text'>, send: (delta: Delta) => void) {
    this.#of = of
    this.#send = send
  }

  add(piece: string): void {
    this.#pending += piece
    const delay = Math.max(EVERY_MS, FIRST_MS - (performance.now() - this.#startedAt))
    this.#timer ??= setTimeout(() => this.#flush(), delay)
  }

  /** What was not sent by now is not needed: the whole is stored. */
  end(): void {
    if (this.#timer) clearTimeout(this.#timer)
  }

  #flush(): void {
    this.#timer = null
    const text = this.#pending
    this.#pending = ''
    this.#send({ ...this.#of, offset: this.#offset, text })
    this.#offset += text.length
  }
}
