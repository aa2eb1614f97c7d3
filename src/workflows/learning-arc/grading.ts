import { uuid4 } from '@temporalio/workflow'
import type { Say } from '../../domain/arc/commit.ts'
import { verdictQuality } from '../../domain/mastery/quality.ts'
import type { Arc } from './arc.ts'

/** An answer as it was graded: its quality and who judged it. */
export interface Answer {
  messageId: string
  quality: number
  judgedBy: 'code' | 'model'
}

/** Stores the response of the open question, and what was before it, so that the grade can be contested. */
export function respond(arc: Arc, answer: Answer, responseType: 'teach' | 'review'): void {
  const { question, lesson } = arc.flow
  if (!question?.nodeId) return
  const id = uuid4()
  const { nodeId } = question
  arc.record({
    type: 'respond',
    id,
    nodeId,
    questionId: question.id,
    messageId: answer.messageId,
    quality: answer.quality,
    responseType,
    attempt: question.tries + 1,
    notes: answer.judgedBy === 'code' ? 'judged by rule' : 'judged by the model',
  })
  arc.flow.lastGrade = {
    responseId: id,
    questionId: question.id,
    messageId: answer.messageId,
    kind: question.kind,
    judgedBy: answer.judgedBy,
    quality: answer.quality,
    node: arc.node(nodeId),
    history: arc.history(nodeId),
    lesson: lesson ? { ...lesson } : null,
  }
}

/** The quality of an answer that code judged, given what came before it. */
export function codeQuality(arc: Arc, verdict: 'correct' | 'close' | 'wrong'): number {
  const tries = arc.flow.question?.tries ?? 0
  const hinted = (arc.flow.question?.hints ?? 0) > 0
  return verdictQuality(verdict, { attempt: tries + 1, hinted })
}

/** What the learner hears of a verdict: with the solution, and with the answer where it was missed. */
export function verdictWords(
  arc: Arc,
  verdict: 'correct' | 'close' | 'wrong' | 'abstained' | 'shown',
): Say[] {
  const { question } = arc.flow
  if (!question) return []
  const solution: Say = { questionId: question.id, part: 'solution' }
  const expected: Say = { questionId: question.id, part: 'expected' }
  switch (verdict) {
    case 'correct': {
      const helped = question.tries > 0 || question.hints > 0
      return [{ phrase: helped ? 'right-after-help' : 'right' }, solution]
    }
    case 'close':
      return [{ phrase: 'still-close' }, expected, solution]
    case 'wrong':
      return [{ phrase: 'wrong' }, expected, solution]
    default:
      return [{ phrase: 'abstained' }, expected, solution]
  }
}
