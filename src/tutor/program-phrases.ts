import type { CaseFault, FailedCase, Refusal } from '../domain/answers/program.ts'

/** What a learner hears of a program that cannot be read: no answer is counted. */
export function programUnreadable(p: { reason: string; line: number | null }): string {
  return `Python cannot read this program: ${at(p.line)}${inline(p.reason)}. Nothing is counted; mend it and send it again.`
}

/** What a learner hears of the test that their program fails. */
export function programFailed({ fault, input, hidden, expected, got }: FailedCase): string {
  const sentence = `${faultWords(fault)}${hidden ? ' This is one of the hidden tests.' : ''}`
  const tried = [
    input === '' ? 'It was run without input.' : `It was run with:\n\n${block(input)}`,
    ...(expected === undefined ? [] : [`Expected:\n\n${block(expected)}`]),
    ...(got === undefined ? [] : [`Your program gave:\n\n${block(got)}`]),
  ]
  return [sentence, ...tried].join('\n\n')
}

/** One sentence, as a beginner can use it. */
function faultWords(fault: CaseFault): string {
  switch (fault.kind) {
    case 'differs':
      return 'The program runs, but its result is not the one asked for.'
    case 'returned-nothing':
      return 'The function gives back `None`. A result has to be handed back with `return`; `print` only shows it.'
    case 'unreadable':
      return `Python cannot read the program: ${at(fault.line)}${inline(fault.message)}.`
    case 'error':
      return `The program stopped with an error: ${at(fault.line)}${inline(errorText(fault))}.`
    case 'refused':
      return `${at(fault.line, true)}${REFUSALS[fault.what](fault.name)}`
    case 'out-of-memory':
      return `The program used more memory than the 64 MB it may have${where(fault.line)}. Does something in it grow without end?`
    case 'too-deep':
      return `A function calls itself again and again without coming to an end${where(fault.line)}.`
    case 'no-more-input':
      return `The program asks for more input than there is${where(fault.line)}: \`input()\` is called too often.`
    case 'too-much-output':
      return `The program prints without end${where(fault.line)}, or far more than was asked for, so it was stopped.`
    case 'missing-function':
      return 'The function that the question asks for is not there. Is its name spelled as in the question, and does its `def` begin at the left edge?'
    case 'timed-out':
      return 'The program did not finish within 2 seconds, so it was stopped. Is there a loop that never ends?'
    case 'crashed':
      return 'The program broke the Python it was run with, so it was stopped.'
  }
}

const REFUSALS: Record<Refusal, (name: string) => string> = {
  files: () => 'Programs cannot use files here; work with what is given to the program.',
  network: () => 'Programs cannot use the network here.',
  processes: () => 'Programs cannot start other programs here.',
  host: (name) => `${inline(name)} is not available here.`,
  import: (name) => `The module ${inline(name)} is not available here.`,
}

const errorText = ({ name, message }: { name: string; message: string }) =>
  message === '' ? name : `${name}: ${message}`

const at = (line: number | null, isStart = false): string =>
  line === null ? '' : `${isStart ? 'Line' : 'line'} ${line}: `

const where = (line: number | null): string => (line === null ? '' : ` (line ${line})`)

/** Text of the learner's program, as code: whatever stands in it is shown and nothing more. */
function inline(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replaceAll('`', 'ˋ')
  return line === '' ? '' : `\`${line}\``
}

function block(text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}text\n${text}\n${fence}`
}
