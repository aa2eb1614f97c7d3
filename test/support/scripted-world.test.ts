import { describe, expect, it } from 'vitest'
import { validateGraph } from '../../src/domain/mind-map/validation.ts'
import { createAnthropicMind } from '../../src/tutor/anthropic/anthropic-mind.ts'
import { listener, runStep, sampleContext } from '../tutor/anthropic/sample-context.ts'
import { startScriptedModel } from './scripted-model.ts'
import { rightAnswer, wrongAnswer } from './scripted-world.ts'

const models = { tutor: 'tutor-model', fast: 'fast-model' }

describe('the scripted world', () => {
  it.each([3, 8, 12])(
    'has valid maps with %i concepts, made of the inventory',
    async (concepts) => {
      const model = await startScriptedModel({ concepts })
      const tutor = createAnthropicMind({ apiKey: 'test', baseUrl: model.url, models })
      const { output } = await runStep(tutor, sampleContext('inventory'), listener())
      const inventory = output.concepts.map(({ label }) => label)
      const graph = await runStep(tutor, sampleContext('graph', { inventory }), listener())
      const { root, nodes, edges, goalLabels } = graph.output
      expect(
        validateGraph({ root, nodes, edges, goalLabels }, { maxNodes: 30, maxDepth: 5 }),
      ).toEqual([])
      expect(nodes.map(({ label }) => label)).toEqual(['Weaving', ...inventory.slice(0, concepts)])
      await model.close()
    },
  )

  it('grades by a word, and routes by a question mark', async () => {
    const model = await startScriptedModel()
    const tutor = createAnthropicMind({ apiKey: 'test', baseUrl: model.url, models })
    for (const [text, quality] of [
      ['right so', 5],
      ['by half', 2],
      ['so', 1],
    ] as const) {
      const context = sampleContext('grade', { message: { id: 'm', text } })
      expect((await runStep(tutor, context, listener())).output.quality).toBe(quality)
    }
    for (const [text, intent] of [
      ['But why?', 'help'],
      ['my plan', 'plan'],
      ['so', 'answer'],
    ]) {
      const context = sampleContext('route', { message: { id: 'm', text: text ?? '' } })
      expect((await runStep(tutor, context, listener())).output.intent).toBe(intent)
    }
    await model.close()
  })

  it('lets a learner be right or wrong on purpose', async () => {
    const { judgeAnswer } = await import('../../src/domain/answers/judge.ts')
    const model = await startScriptedModel()
    const tutor = createAnthropicMind({ apiKey: 'test', baseUrl: model.url, models })
    const { output } = await runStep(tutor, sampleContext('quiz'), listener())
    for (const { key, text, options } of output.questions) {
      if (!key || key.type === 'program') {
        expect(rightAnswer(text)).toContain('right')
        continue
      }
      const question = { text, ...(options ? { options } : {}) }
      expect(judgeAnswer(rightAnswer(text), key, question).verdict).toBe('correct')
      expect(judgeAnswer(wrongAnswer(text), key, question).verdict).toBe('wrong')
    }
    await model.close()
  })
})
