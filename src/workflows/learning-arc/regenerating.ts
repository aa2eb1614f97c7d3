import type { Arc } from './arc.ts'
import { Malformed, type ModelSteps } from './model-steps.ts'
import { store } from './proxies.ts'

/** Writes a lesson or an answer again, in the place of the message; no grade and no question changes. */
export async function regenerate(arc: Arc, steps: ModelSteps, messageId: string): Promise<void> {
  const written = await store.readMessageSource({ arcId: arc.arcId, messageId })
  if (!written) return
  try {
    if (written.kind === 'lesson') await lessonAgain(arc, steps, messageId, written.subject)
    if (written.kind === 'help') await helpAgain(arc, steps, messageId, written.subject)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
  }
}

async function lessonAgain(arc: Arc, steps: ModelSteps, messageId: string, nodeId: string) {
  const { lesson } = arc.flow
  const cycle = lesson?.nodeId === nodeId ? lesson.cycle.cycleNumber : 1
  const errors = lesson?.nodeId === nodeId ? lesson.errors : []
  const { label } = arc.node(nodeId)
  const { key } = await steps.run('lesson', nodeId, { nodeId, cycle, errors }, label)
  arc.sayInstead(
    messageId,
    { phrase: 'lesson-title', params: { label, cycle } },
    { step: key, part: 'explanation' },
    { step: key, part: 'example' },
  )
}

async function helpAgain(arc: Arc, steps: ModelSteps, messageId: string, asked: string) {
  const questionId = arc.flow.question?.id ?? null
  const input = { messageId: asked, questionId, concept: null }
  const { key } = await steps.run('help', asked, input, 'once more')
  arc.sayInstead(messageId, { step: key, part: 'text' })
}
