import { STRUGGLING_AT } from '../../../domain/practice/session.ts'
import type { Turn } from '../../../domain/practice/turn.ts'

/** What a reply without a model is made from; `hints` are the problem's own that give nothing away. */
export interface CannedRequest {
  turn: Turn
  problemText: string
  hints: string[]
}

/** A reply in the tutor's own words: the verdict of code, and the problem's next hint; nothing is made up. */
export function cannedReply({ turn, problemText, hints }: CannedRequest): string {
  const again = `The problem again: ${problemText}`
  const hint = hintOf(turn, hints)
  switch (turn.category) {
    case 'correct':
      return correct(turn)
    case 'close':
      return join('Close, but not quite.', hint ?? 'Check your last step.')
    case 'wrong_operation':
      if (!turn.isMainAttempt) return step(turn, hint, problemText, 'Not quite.')
      return join('Not yet.', hint ?? 'Look again at what is asked, and at the signs.')
    case 'conceptual_question':
      if (turn.mode === 'teach-back') {
        return 'A good question to ask your teacher. For now, tell me in your own words how you got your answer.'
      }
      return join('I cannot explain that at the moment.', firstHint(hints), again)
    case 'stuck':
      return step(turn, hint, problemText, 'Let us take a smaller step.')
    case 'scaffold_progress':
      return step(turn, hint, problemText, 'Good, that step is right.')
    case 'teach_back_explanation':
      return 'Thank you for explaining.'
    case 'off_topic':
      return offTopic(turn, again)
    case 'skip':
      return turn.teachBack === 'ended'
        ? 'All right, we leave the explanation.'
        : 'All right, we skip this one.'
    case 'unjudged':
      return 'I cannot judge that at the moment, so it does not count as an attempt. You can write just your answer, or say “stuck” or “skip”.'
  }
}

function correct(turn: Turn): string {
  if (turn.teachBack === 'opened') {
    return 'That is right! Explain in a sentence or two how you got there.'
  }
  if (turn.completed) return 'That is right, well done!'
  return 'That is right, well done! If you like, tell me how you got there.'
}

function offTopic(turn: Turn, again: string): string {
  if (turn.problemIndex === null) return 'There is no problem open at the moment.'
  if (turn.teachBack === 'ended') return 'All right, we leave the explanation.'
  if (turn.mode === 'teach-back') return 'Before we go on: how did you get your answer?'
  return join('Let us come back to it.', again)
}

/** Without a model the smaller step is a hint, and the problem itself is put again. */
function step(turn: Turn, hint: string | null, problemText: string, opening: string): string {
  const calls =
    turn.action === 'INTERVENE' ? 'I have told your teacher that this one is hard.' : null
  return join(
    opening,
    calls,
    turn.putsMainAgain ? null : (hint ?? 'Write down what you know, and what is asked for.'),
    `With that in mind: ${problemText}`,
  )
}

/** One hint after the other; from the third attempt on the strongest there is. */
function hintOf(turn: Turn, hints: string[]): string | null {
  if (turn.hint === null || hints.length === 0) return null
  const isLate = turn.isMainAttempt && turn.attempts >= STRUGGLING_AT
  const number = isLate ? hints.length - 1 : Math.min(turn.hint, hints.length - 1)
  return `Hint: ${hints[number]}`
}

const firstHint = (hints: string[]): string | null =>
  hints[0] ? `What may help: ${hints[0]}` : null

const join = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' ')

/** How a verdict that came late opens the next reply. */
export function lateOpening(turn: Turn): string {
  switch (turn.category) {
    case 'correct':
      return 'About your earlier answer: it was right!'
    case 'close':
      return 'About your earlier answer: it was close, but not quite right.'
    case 'wrong_operation':
      return 'About your earlier answer: it was not right yet.'
    default:
      return 'About your earlier message: I have read it now.'
  }
}

export const SKIP_OFFER = 'If you would rather leave this one, say “skip”.'
export const SESSION_OVER = 'That was the last problem of this session.'
export const nextProblem = (text: string): string => `Next problem: ${text}`
