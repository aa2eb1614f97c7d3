import type { LastGrade } from '../../domain/arc/flow.ts'
import { gradeQuestion } from '../../domain/learning-cycle/cycle.ts'
import { applyResponse } from '../../domain/mastery/status.ts'
import type { Arc } from './arc.ts'
import { Malformed, type ModelSteps } from './model-steps.ts'

/** The learner contests the last grade, once: code checks again what code judged, the model grades the rest again. */
export async function contest(arc: Arc, steps: ModelSteps, messageId: string): Promise<void> {
  const grade = arc.flow.lastGrade
  arc.flow.lastGrade = null
  if (!grade) arc.say('contest-none')
  else if (grade.judgedBy === 'code') arc.say('contest-kept')
  else await gradeAgain(arc, steps, grade, messageId)
  arc.putAgain()
}

async function gradeAgain(arc: Arc, steps: ModelSteps, grade: LastGrade, messageId: string) {
  const input = { questionId: grade.questionId, messageId: grade.messageId, again: true }
  let quality = grade.quality
  try {
    const { digest } = await steps.run('grade', messageId, input, 'a contested grade')
    quality = digest.quality ?? grade.quality
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
  }
  if (quality === grade.quality) return arc.say('contest-kept')
  arc.record({
    type: 'regrade',
    responseId: grade.responseId,
    quality,
    notes: `first grade ${grade.quality}, contested`,
  })
  regrade(arc, grade, quality)
  arc.say({ phrase: 'contest-changed', params: { quality } })
}

/** Status, score and date as if only the second grade had been given. */
function regrade(arc: Arc, grade: LastGrade, quality: number): void {
  const type = grade.kind === 'review' ? 'review' : 'teach'
  const inCycle = grade.kind === 'quiz'
  const mark = { quality, type } as const
  const applied = applyResponse(grade.node, grade.history, mark, arc.context(inCycle))
  arc.setNode(applied.node, applied.history)
  const { lesson } = arc.flow
  if (
    inCycle &&
    lesson?.nodeId === grade.node.id &&
    lesson.cycle.marks.some((m) => m.questionId === grade.questionId)
  ) {
    lesson.cycle = gradeQuestion(lesson.cycle, grade.questionId, quality)
  }
}
