import type { PendingQuestion } from '../contracts/arc.ts'
import { readCommand } from '../domain/talk/commands.ts'
import { readChatCommand } from './commands.ts'
import type { Screen } from './screen.ts'
import type { Talk } from './talk.ts'
import { harmless } from './terminal-text.ts'

/** The line that ends a program which is written here. */
const END = '.'

/** What a program is tried with, and how it is written. */
export function programText(
  { examples, starter }: NonNullable<PendingQuestion['program']>,
  screen: Screen,
): string {
  const { style } = screen.page()
  const shown = examples.map(
    ({ input, output }) => `${indented(input)}\n${style.faint('  gives')}\n${indented(output)}`,
  )
  const how = screen.isInteractive
    ? `Press Enter to write the program in your editor ($EDITOR), or type it here and end it with a line that holds only "${END}".`
    : `Write the program line by line, and end it with a line that holds only "${END}".`
  const begun = starter === undefined ? [] : [`It begins like this:\n${indented(starter)}`]
  return [...shown, ...begun, how].join('\n\n')
}

const indented = (text: string) => harmless(text.trimEnd()).replace(/^/gm, '    ')

/**
 * Takes a line at a question that asks for a program: an empty one opens the editor, others are the program's.
 * @returns the message to send; `more` where the program goes on; null where the line is for somebody else
 */
export async function writeProgram(
  { arc, screen, program }: Talk,
  line: string,
): Promise<{ text: string } | 'more' | null> {
  const question = arc.pendingQuestion
  if (!question?.program || program?.questionId !== question.id) return null
  const { lines } = program
  if (lines.length === 0) {
    if (readChatCommand(line.trim()) || readCommand(line)) return null
    if (line.trim() === '') {
      const edited = await screen.edit(program.sent ?? question.program.starter ?? '')
      if (edited?.trim()) return sent(program, edited)
      if (edited === null && screen.isInteractive) {
        screen.print(`No editor could be opened. Type the program here; "${END}" ends it.`)
      }
      return 'more'
    }
  }
  if (line.trim() !== END) {
    lines.push(line)
    return 'more'
  }
  const written = lines.splice(0).join('\n')
  return written.trim() === '' ? 'more' : sent(program, written)
}

/** The program in a fence; what was sent is what the editor opens with next. */
function sent(program: NonNullable<Talk['program']>, text: string): { text: string } {
  program.sent = text
  return { text: `\`\`\`python\n${text.trimEnd()}\n\`\`\`` }
}
