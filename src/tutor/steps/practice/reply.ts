import { z } from 'zod'
import { OUTPUT_TOKENS } from '../../../contracts/llm.ts'
import { STRUGGLING_AT } from '../../../domain/practice/session.ts'
import type { PracticeReply } from '../../../domain/practice/state.ts'
import type { Turn } from '../../../domain/practice/turn.ts'
import { dataBlock, listBlock, paragraphs } from '../../data-block.ts'
import { defineStep, PlainText } from '../../step.ts'
import { conversation, type MessageInSession, PRACTICE_RULES, SILENCE_MS } from './message.ts'

/** What a turn's reply is made from; `message.problem` is the problem the turn belonged to. */
export interface ReplyRequest extends MessageInSession {
  turn: Turn
  /** The teacher's hints that give nothing away. */
  hints: string[]
  /** What sets right the mistake that was made; it was foreseen. */
  remedy: string | null
  /** The solution, which code shows below the reply. */
  solution: string | null
  /** What the course's material says to the question. */
  passage: string | null
  /** The reply in code's words. */
  inCode: string
}

const REPLY_RULES = `${PRACTICE_RULES}

Your step: write the tutor's reply to the student, in the language in which the student writes (that of the problem where it does not show), in at most 80 words of plain Markdown with inline maths in $…$.
- The verdict is code's; never contradict it and never judge for yourself.
- Name what is right in the student's last line before you ask or correct anything; take up what they wrote, not what you expected.
- Never say, spell, hint numerically at or confirm the right answer unless the verdict is "correct", whoever asks and however.
- Never add another problem, never say what comes next: that is added after your text.
- Warm, concrete, brief. No headings, no mention of these rules.`

/** The reply to a step that opens or deepens scaffolding: a text and the smaller question it ends with. */
const ScaffoldReply = z.object({
  reply_text: z.string().min(1),
  scaffold_question: z.string().min(1),
  expected_answer: z.string().min(1),
})

const inCode = ({ inCode: text }: ReplyRequest): PracticeReply => ({ text, scaffold: null })

/** The words of a turn; code has decided everything else (seed 002 §2.1). */
export const reply = defineStep({
  kind: 'reply',
  tier: 'fast',
  maxTokens: OUTPUT_TOKENS.reply,
  silenceMs: SILENCE_MS,
  schema: (asked): z.ZodType<string | z.infer<typeof ScaffoldReply>> =>
    bringsSmallerQuestion(asked) ? ScaffoldReply : PlainText,
  prompt: (asked: ReplyRequest) => ({
    system: replySystem(asked),
    request: replyRequest(asked),
  }),
  toOutput: (wire): PracticeReply => {
    if (typeof wire === 'string') return { text: wire, scaffold: null }
    const scaffold = { question: wire.scaffold_question, expected: wire.expected_answer }
    return { text: wire.reply_text, scaffold }
  },
  offline: inCode,
  fallback: inCode,
})

const DUTY: Record<string, string> = {
  mastered:
    'The answer is correct at the first try. Celebrate in one sentence and invite the student, without insisting, to explain how they found it.',
  teach_back:
    'The answer is correct. Celebrate in one sentence and ask the student to explain in their own words how they got there.',
  close:
    'The answer is close but not correct. Say what is right in it, and say at which step the mistake is likely to be, without putting it right yourself.',
  close_again:
    'The answer is close but not correct, for the third time or more. Say so, and give a strong hint at the exact step that needs checking.',
  wrong_operation:
    'The answer is not correct. Say so kindly, name what is right in it, and clear up the likely misconception with one question about the operation or the idea. Where a foreseen mistake is given, that is the one: say what is not so, and why.',
  wrong_operation_again:
    'The answer is not correct, for the third time or more. Say so kindly, and teach the concept behind it in two or three sentences with a different small example.',
  conceptual_question:
    'The student asks a question. Teach the idea with a small example that is not this problem, and end with a short check question about the idea.',
  conceptual_teach_back:
    'The problem is solved and the student was asked to explain it, but asks a question. Answer it briefly and ask again for the explanation.',
  off_topic:
    'The message has nothing to do with the problem. Redirect to it politely in one or two sentences.',
  off_topic_teach_back:
    'The problem is solved and the student was asked to explain it, but did not. Ask once more, kindly, how they got their answer.',
  off_topic_idle:
    'No problem is open. Answer kindly in one sentence that there is no problem open at the moment.',
  teach_back_explanation:
    'The student has explained the solution. Acknowledge it in one or two sentences, naming what was good in it; if something in it is wrong, put it right gently.',
  teach_back_missing:
    'The student did not explain the solution. Leave it at that, kindly, in one sentence.',
  stuck:
    'The student is stuck for good. Say kindly that this one is hard; its worked solution is shown below your text: lead over to it, and name its decisive step.',
  skip: 'The student leaves the problem. Accept it kindly in one sentence. Where a worked solution is given it is shown below your text: lead over to it, and name its decisive step.',
}

const SCAFFOLD_DUTY = `Break the problem down: in "reply_text" acknowledge the student and end with ONE smaller question that leads a step closer, smaller than any asked before in this conversation. "scaffold_question" repeats that question word for word; "expected_answer" is its short answer (a number alone where it is one). The smaller question's answer must not be the answer of the problem.`

/** Which instruction a turn's reply follows (the seven routes of seed 002, and teach-back). */
function dutyOf(turn: Turn): string {
  const again = turn.attempts >= STRUGGLING_AT ? '_again' : ''
  switch (turn.category) {
    case 'correct':
      return turn.teachBack === 'opened' ? 'teach_back' : 'mastered'
    case 'close':
    case 'wrong_operation':
      return `${turn.category}${again}`
    case 'off_topic':
    case 'conceptual_question':
      if (turn.problemIndex === null) return 'off_topic_idle'
      if (turn.teachBack === 'ended') return 'teach_back_missing'
      if (turn.mode !== 'teach-back') return turn.category
      return turn.category === 'off_topic' ? 'off_topic_teach_back' : 'conceptual_teach_back'
    default:
      return turn.category
  }
}

/** Whether the reply has to bring a smaller question. */
export const bringsSmallerQuestion = ({ turn, solution }: ReplyRequest): boolean =>
  turn.depth > 0 &&
  turn.hint !== null &&
  !turn.isMainAttempt &&
  !turn.putsMainAgain &&
  solution === null

function replySystem(asked: ReplyRequest): string {
  const { turn } = asked
  const duty = bringsSmallerQuestion(asked)
    ? `${opening(turn)} ${SCAFFOLD_DUTY}`
    : DUTY[dutyOf(turn)]
  const main = turn.putsMainAgain
    ? 'The step is right. Say so, and ask the main problem again.'
    : duty
  return `${REPLY_RULES}\n\n${main ?? ''}`
}

function opening(turn: Turn): string {
  if (turn.category === 'stuck') return 'The student is stuck.'
  return turn.category === 'scaffold_progress'
    ? 'The student has answered the smaller question well.'
    : 'The student has not answered the smaller question rightly.'
}

function replyRequest(request: ReplyRequest): string {
  const { turn, message, memory, correctAnswer, hints, remedy, solution, passage } = request
  return paragraphs(
    conversation(memory),
    dataBlock('problem', message.problem?.text ?? ''),
    dataBlock('right_answer', correctAnswer),
    listBlock('hints_of_the_teacher', hints),
    remedy ? dataBlock('foreseen_mistake', remedy) : '',
    solution ? dataBlock('worked_solution', solution) : '',
    passage ? dataBlock('course_material', passage) : '',
    message.scaffold ? dataBlock('smaller_question', message.scaffold.question) : '',
    dataBlock('student_message', message.text),
    `Verdict: ${turn.category}. Attempts so far: ${turn.attempts}.`,
  )
}
