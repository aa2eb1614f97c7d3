import type { Extraction, ScaffoldVerdict } from '../../contracts/llm.ts'
import type { MessageToRead } from '../../domain/practice/read-message.ts'
import type { Turn } from '../../domain/practice/turn.ts'

/** A message of a practice session with all that a mind may know when it reads it. */
export interface MessageInSession {
  message: MessageToRead
  correctAnswer: string
  /** What the smaller question asks for; null where none is open. */
  scaffoldExpected: string | null
  /** Earlier turns, oldest first. */
  memory: { student: string; tutor: string; previous: boolean }[]
}

/** What a turn's reply is made from; `message.problem` is the problem the turn belonged to. */
export interface ReplyRequest extends MessageInSession {
  turn: Turn
  /** The teacher's hints that give nothing away. */
  hints: string[]
}

/** A reply; in scaffolding it may end with a smaller question that has an expected answer of its own. */
export interface PracticeReply {
  text: string
  scaffold: { question: string; expected: string } | null
}

export interface Thought<T> {
  output: T
  model: string
  inputTokens: number
  outputTokens: number
}

/**
 * The mind of the problem tutor (seed 002 §2.1): reads what code cannot read, and words the replies. Code decides
 * everything else. Each call rejects with a `TutorFailure`, or with the signal's reason when it is aborted.
 */
export interface PracticeMind {
  readonly name: 'anthropic' | 'offline'
  extract(message: MessageInSession, signal: AbortSignal): Promise<Thought<Extraction>>
  judgeScaffold(message: MessageInSession, signal: AbortSignal): Promise<Thought<ScaffoldVerdict>>
  reply(request: ReplyRequest, signal: AbortSignal): Promise<Thought<PracticeReply>>
}
