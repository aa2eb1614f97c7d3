import { readMessage } from '../../domain/practice/read-message.ts'
import type { Category } from '../../domain/practice/session.ts'
import { cannedReply } from './canned.ts'
import type { MessageInSession, PracticeMind, Thought } from './mind.ts'

const free = <T>(output: T): Promise<Thought<T>> =>
  Promise.resolve({ output, model: 'offline', inputTokens: 0, outputTokens: 0 })

/** Reads as far as code can tell, and speaks in the tutor's own words. */
export function createOfflineMind(): PracticeMind {
  return {
    name: 'offline',

    extract(message) {
      const { category } = guess(message)
      const kept = EXTRACTED.find((known) => known === category) ?? 'conceptual_question'
      const reasoning = 'read by code'
      return free({
        is_answer: false,
        category: kept,
        extracted_value: null,
        confidence: 0,
        reasoning,
      })
    },

    judgeScaffold(message) {
      const { category, isMainAttempt } = guess(message)
      const kept = JUDGED.find((known) => known === category) ?? 'conceptual_question'
      const reasoning = 'read by code'
      return free({
        category: kept,
        is_main_problem_attempt: isMainAttempt,
        confidence: 0,
        reasoning,
      })
    },

    reply({ turn, message, hints }) {
      const text = cannedReply({ turn, problemText: message.problem?.text ?? '', hints })
      return free({ text, scaffold: null })
    },
  }
}

const EXTRACTED = [
  'teach_back_explanation',
  'conceptual_question',
  'stuck',
  'skip',
  'off_topic',
] as const
const JUDGED = [
  'correct',
  'close',
  'wrong_operation',
  'scaffold_progress',
  'conceptual_question',
  'stuck',
  'skip',
  'off_topic',
] as const

function guess({ message }: MessageInSession): { category: Category; isMainAttempt: boolean } {
  const read = readMessage(message)
  return read.by === 'code' ? read.reading : read.without
}
