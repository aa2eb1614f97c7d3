import type { BankQuestion } from '../contracts/course-pack.ts'
import { type Reply, readReply } from '../domain/arc/reply.ts'

/** A question as a course pack has it, as far as its answer is concerned. */
export type LineQuestion = Pick<BankQuestion, 'text' | 'answer'> & {
  options?: BankQuestion['options'] | undefined
  mistakes?: BankQuestion['mistakes'] | undefined
}

/**
 * `unread`: no answer that code can read, and no wish. `command`: a wish, such as a hint, or a question of one's own.
 * `readAs` is what was understood, in plain text; null where nothing was.
 */
export interface LineVerdict {
  verdict: 'right' | 'close' | 'wrong' | 'unread' | 'command'
  readAs: string | null
}

/** What a learning arc says of one answer to one question, its options in the order of the pack. */
export function judgeLine(question: LineQuestion, text: string): LineVerdict {
  const { text: asked, options = null, answer: key, mistakes = [] } = question
  const open = { id: 'question', text: asked, options, key, mistakes }
  return verdictOf(readReply({ text, action: null, questionId: null, open }))
}

function verdictOf(reply: Reply): LineVerdict {
  switch (reply.kind) {
    case 'judged': {
      const { verdict, readAs } = reply
      return { verdict: verdict === 'correct' ? 'right' : verdict, readAs }
    }
    case 'command':
    case 'teach':
    case 'question':
      return { verdict: 'command', readAs: null }
    default:
      return { verdict: 'unread', readAs: null }
  }
}
