import type { AnswerKey } from '../answers/answer-key.ts'
import type { ForeseenMistake, Remedy } from '../answers/foreseen-mistake.ts'
import { type Language, languageOfTag } from '../language/languages.ts'
import type { Reading } from './read-message.ts'
import { type Mode, newSession, type PracticeState } from './session.ts'
import type { Turn } from './turn.ts'

/** A problem as a session keeps it; with a key of its own where it comes from a course. */
export interface Problem {
  id: string
  text: string
  correct_answer: string
  answer_key?: AnswerKey | null
  hints: string[]
  tags: string[]
  /** The concept of an arc that it is on. */
  nodeId?: string
  /** What is known of it beside the hints; null where its author gave nothing else. */
  help?: ProblemHelp | null
}

/** What a course, or who made up a problem, has ready for a learner who does not get on with it. */
export interface ProblemHelp {
  /** The unit of a course whose lesson teaches it. */
  unit: { courseId: string; unitId: string; language: string } | null
  solution: string | null
  mistakes: (ForeseenMistake & { tag: string })[]
  /** Smaller questions on the way, or easier ones of its kind, in the order in which they are asked. */
  smaller: SmallerQuestion[]
  /** How problems of its kind are done; worded already in sessions of before. */
  method: SolvedExample | string | null
}

/** An example: worked step by step, or a question with its solution. */
export type SolvedExample =
  | { problem: string; steps: string[]; answer: string }
  | { problem: string; solution: string }

/** What a smaller question is to the problem; `step`: the question is how its solution begins. */
export type SmallerKind = 'easier' | 'another' | 'step' | 'sum'

/** A question of scaffolding, with an expected answer of its own. */
export interface SmallerQuestion {
  question: string
  /** How it is put, in the words of the student's language; as it stands where there is none. */
  kind?: SmallerKind
  expected: string
  /** How code judges it, where that is not read off the expected answer. */
  key?: AnswerKey
}

/** A reply of the tutor's; in scaffolding it may end with a smaller question. */
export interface PracticeReply {
  text: string
  scaffold: SmallerQuestion | null
}

/** A student's message, with how the session stood when it was taken up. Times are UTC ms. */
export interface TakenMessage {
  /** The sender's id for it. */
  messageId: string
  text: string
  at: number
  /** The number of the turn that it is, or will be. */
  turn: number
  mode: Mode
  invited: boolean
  problemIndex: number
  /** The smaller question that was open. */
  smaller: SmallerQuestion | null
  /** The turns that the tutor remembered. */
  memory: PracticeState['memory']
}

/** A message that a model reads. */
export interface AskedMessage extends TakenMessage {
  /** What holds where no verdict comes in time. */
  without: Reading
  /** The verdict that came after its turn had ended: it is applied before the next message is read. */
  verdict: Reading | null
}

/** A turn as rules made it, with the problem it is filed under, who judged, and what a wrong answer looked like. */
export interface TakenTurn {
  turn: Turn
  problemIndex: number
  problemId: string
  judgedBy: 'code' | 'model' | 'nobody'
  misconception: string | null
  /** What the reply sets right: a mistake that was foreseen and has not been spoken of yet; worded in turns of before. */
  remedy: Remedy | string | null
  /** The problem is given up, and this is how it goes. */
  solution: string | null
}

/** The turn that waits for a model, or for a passage of the material that answers it, until then. */
export interface OpenTurn {
  message: TakenMessage
  /** Late verdicts first, then the message's own turn, once it is judged. */
  taken: TakenTurn[]
  waitsFor: 'verdict' | 'reply' | 'passage'
  until: number
}

/** A report's way to the LMS, tried until it is there. */
export interface Delivery {
  /** Tries that have failed. */
  tries: number
  /** When it is tried again; null: now. */
  nextAt: number | null
  status: 'pending' | 'delivered' | 'given_up'
  /** What the receiver knows the delivery by, however often it is tried. */
  id: string
  since: number
  /** Why the last try failed. */
  note: string | null
}

/** All that is kept of a practice session between decisions, as plain JSON. */
export interface SessionState {
  v: 2
  /** What the rules of seed 002 go by. */
  progress: PracticeState
  /** The smaller question asked last; it is open while the problem in hand says so. */
  smaller: SmallerQuestion | null
  turn: OpenTurn | null
  asked: AskedMessage[]
  /** The report's way to the LMS; null: it has none. */
  delivery: Delivery | null
  /** The language that the student was last seen to write. */
  language?: Language
}

/** A practice session as a decision finds it. */
export interface Practice {
  sessionId: string
  /** Whether a model reads what code cannot read, and words the replies. */
  hasModel: boolean
  /** Whether reports are sent to an LMS. */
  delivers: boolean
  /** Whether a concept of an arc is practised, which is told how it went. */
  isOfArc: boolean
  /** Whether a teacher looks after the student. */
  hasTeacher: boolean
  /** Of a session in an arc, as tags: the language that the learner has set, and the one that the arc speaks. */
  language?: { set: string | null; spoken: string | null }
  problems: Problem[]
  state: SessionState
}

/** The language of the tutor's own words. */
export const languageOf = ({ language, state }: Practice): Language =>
  languageOfTag(language?.set ?? state.language ?? language?.spoken ?? 'en')

/** A session before its first decision. */
export const newState = (
  problems: readonly Problem[],
  implicit: boolean,
  at: number,
): SessionState => ({
  ...NOTHING_OPEN,
  progress: newSession(
    problems.map(({ id }) => id),
    implicit,
    at,
  ),
})

const NOTHING_OPEN = {
  v: 2 as const,
  smaller: null,
  turn: null,
  asked: [],
  delivery: null,
}

/** A state of the first version: the progress alone, with what migration 0012 put beside it. */
interface FirstState extends Omit<PracticeState, 'unjudged'> {
  unjudged: (PracticeState['unjudged'][number] & { text?: string })[]
  smaller: SmallerQuestion | null
  delivery: Pick<Delivery, 'status' | 'id' | 'since'> | null
}

/** The state that an earlier version left, as this one would have left it. */
export function upgraded(version: number, state: unknown): SessionState {
  if (version >= 2) return state as SessionState
  const { smaller, delivery, unjudged, ...progress } = state as FirstState
  const said = unjudged.filter((waiting) => waiting.text)
  return {
    ...NOTHING_OPEN,
    progress: {
      ...progress,
      unjudged: said.map(({ text: _, ...waiting }) => waiting),
    },
    smaller,
    asked: said.map(({ text = '', ...waiting }) => ({
      ...waiting,
      text,
      mode: 'answer',
      invited: false,
      smaller: null,
      memory: [],
      without: { category: 'unjudged', isMainAttempt: false, value: null },
      verdict: null,
    })),
    delivery: delivery && { ...delivery, note: null, tries: 0, nextAt: null },
  }
}
