import { programOf } from '../../domain/answers/program.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { StepRows } from '../../store/arc/context.ts'
import type { StepLife, Thought } from '../spine/product.ts'

const SIGN_OF_LIFE_MS = 2_000

/** Has the program that a message brought tested; others may be before it. */
export async function runProgram(
  sandbox: Sandbox,
  { questions: [question], message }: Pick<StepRows, 'questions' | 'message'>,
  { onToken }: Pick<StepLife, 'onToken'>,
): Promise<Thought> {
  if (question?.key?.type !== 'program' || !message) throw new Error('there is no program to run')
  const alive = setInterval(onToken, SIGN_OF_LIFE_MS)
  try {
    const output = await sandbox.test(programOf(message.text), question.key)
    return { output, model: 'sandbox', inputTokens: 0, outputTokens: 0 }
  } finally {
    clearInterval(alive)
  }
}
