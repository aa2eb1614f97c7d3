import { isPassed } from '../mastery/quality.ts'
import type { Arc } from './arc.ts'
import { answerProbe } from './diagnosing.ts'
import type { Answer } from './grading.ts'
import { answerCheck, answerMixed, answerReview } from './reviewing.ts'
import { afterCheck, answerQuiz } from './teaching.ts'

/** A graded answer goes to whoever asked. */
export function takeAnswer(arc: Arc, answer: Answer) {
  arc.state.lastGrade = null
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
