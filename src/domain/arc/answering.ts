import { isPassed } from '../mastery/quality.ts'
import type { Arc } from './arc.ts'
import { answerProbe } from './diagnosing.ts'
import type { Answer } from './grading.ts'
import { answerCheck, answerMixed, answerReview } from './reviewing.ts'
import type { LastCheck } from './state.ts'
import { afterCheck, answerQuiz } from './teaching.ts'

/** The check question that an answer closes as wrong, so that it can be contested. */
function checkOf({ state, question }: Arc, answer: Answer): LastCheck | null {
  const { messageId, text, judgedBy, quality } = answer
  if (state.question?.kind !== 'teach' || !question || quality === 0 || isPassed(quality))
    return null
  return { questionId: state.question.id, messageId, judgedBy, question, answer: text }
}

/** A graded answer goes to whoever asked. */
export function takeAnswer(arc: Arc, answer: Answer) {
  arc.state.lastGrade = null
  arc.state.lastCheck = checkOf(arc, answer)
  const { question } = arc.state
  if (question?.purpose === 'mixed') return answerMixed(arc, answer)
  if (question?.purpose === 'placed') return answerCheck(arc, answer)
  switch (question?.kind) {
    case 'diagnostic':
      return answerProbe(arc, answer.quality)
    case 'teach':
      // What is given up or shown needs no easier question; what is wrong does.
      return afterCheck(arc, answer.quality === 0 || isPassed(answer.quality))
    case 'quiz':
      return answerQuiz(arc, answer)
    case 'review':
      return answerReview(arc, answer)
  }
}
