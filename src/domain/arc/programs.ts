import type { ProgramVerdict } from '../answers/program.ts'
import { askAgain } from '../learning-cycle/cycle.ts'
import type { Arc } from './arc.ts'
import { judged } from './conversation.ts'
import type { Question } from './question.ts'
import type { StepInputs } from './steps.ts'

/** The program was tested. One that is none is put again; one that nobody could test has its question replaced. */
export function takeRun(
  arc: Arc,
  { questionId, messageId }: StepInputs['run-program'],
  run: ProgramVerdict | null,
) {
  const { question, openTurn } = arc.state
  if (question?.id !== questionId) return
  const message = { id: messageId, text: openTurn?.text ?? '' }
  switch (run?.verdict) {
    case 'passed':
      return judged(arc, message, { verdict: 'correct' })
    case 'failed':
      return judged(arc, message, {
        verdict: 'wrong',
        why: [{ phrase: 'program-failed', params: run.failed }],
      })
    case 'unreadable': {
      const { message: reason, line } = run
      return arc.say({ phrase: 'program-unreadable', params: { reason, line } })
    }
    default:
      return replace(arc)
  }
}

/** Another question takes the place of the open one; nothing is stored of it. */
function replace(arc: Arc): void {
  const { question } = arc.state
  if (!question?.nodeId) return
  arc.say('program-unavailable')
  arc.ask('review', { nodeId: question.nodeId, purpose: 'instead' }, question.label)
}

/** The question that takes the place has come; where there is none, the open one stays, to be answered or skipped. */
export function putInstead(arc: Arc, other: Question | null): void {
  const { question, lesson } = arc.state
  if (!question) return
  if (!other) {
    arc.leadBack()
    return
  }
  const { kind, purpose, nodeId, label } = question
  arc.closeQuestion(null)
  const id = arc.put(kind, other, { ...(nodeId ? { nodeId } : {}), label, purpose })
  if (kind === 'quiz' && lesson) lesson.cycle = askAgain(lesson.cycle, question.id, id)
}
