import type { Page } from './render-markdown.ts'

/** Where a chat is shown and where the learner's lines come from: a terminal, or pipes. */
export interface Screen {
  readonly isInteractive: boolean
  page(): Page
  /** Writes for good, above whatever else is shown, with an empty line before it. */
  print(text: string): void
  /** Says what is being waited for, until something else is shown; `draft` is text that is being written. */
  working(what: string, draft?: string): void
  /** Invites the learner to write, with one line about where they are. */
  invite(status: string): void
  /** Takes the invitation and the waiting back. */
  quiet(): void
  /** The next line the learner has finished; undefined when there is none yet. */
  takeLine(): string | undefined
  /** Whether no more lines can come. */
  hasEnded(): boolean
  /** Has the learner's editor open on a text; null where they have none. */
  edit(text: string): Promise<string | null>
  /** Told of every finished line and of the end. */
  onInput(listener: () => void): void
  close(): void
}
