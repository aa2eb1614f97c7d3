import type { SendMessage } from '../contracts/arc.ts'

/** What a line that begins with a slash asks for. */
export type ChatCommand =
  | { type: 'say'; message: Pick<SendMessage, 'text' | 'action'> }
  | { type: 'map' | 'quit' | 'help' }
  | { type: 'unknown'; name: string }

const SAYS: Record<string, Pick<SendMessage, 'text' | 'action'>> = {
  plan: { text: 'plan' },
  hint: { text: 'hint' },
  pause: { text: 'pause' },
  skip: { text: 'skip', action: 'skip' },
  show: { text: 'show', action: 'show' },
  contest: { text: 'contest', action: 'contest' },
}

export const HELP = `Write an answer, the letter of an option, or a question of your own.

  /hint      a hint for the open question
  /show      the answer to the open question, not counted as yours
  /skip      pass over the open question
  /contest   have the last grade looked at again
  /plan      what comes next, and why
  /map       all concepts, with what you know of them
  /pause     nothing comes up until you write again
  /quit      leave; your place is kept (so does Ctrl-C)`

/** The command of a line, or null when the line is something said to the tutor. */
export function readChatCommand(line: string): ChatCommand | null {
  const name = /^\/([a-z]+)$/i.exec(line.trim())?.[1]?.toLowerCase()
  if (name === undefined) return null
  const message = SAYS[name]
  if (message) return { type: 'say', message }
  if (name === 'map' || name === 'quit' || name === 'help') return { type: name }
  return name === 'exit' ? { type: 'quit' } : { type: 'unknown', name }
}
