import { describe, expect, it } from 'vitest'
import type { MindStepKind } from '../../src/domain/arc/steps.ts'
import { ask, type Mind, TutorFailure, unheard } from '../../src/tutor/mind.ts'
import type { StepContext } from '../../src/tutor/steps/arc/context.ts'
import { ARC_STEPS } from '../../src/tutor/steps.ts'
import { smallCourse } from '../support/small-course.ts'
import { sampleContext } from './anthropic/sample-context.ts'

const failing = (failure: Error): Mind => ({
  name: 'anthropic',
  run: async () => {
    throw failure
  },
})

const spent = { inputTokens: 700, outputTokens: 30 }
const malformed = failing(new TutorFailure('malformed', 'of no use', null, { spent }))
const answer = <K extends MindStepKind>(
  mind: Mind,
  kind: K,
  changes: Partial<StepContext<K>> = {},
) => ask(mind, ARC_STEPS[kind], sampleContext(kind, changes), unheard())

const course = smallCourse()
const [unit = null] = course.units

describe('what stands in for an answer of no use', () => {
  it('is no grade, and an answer where a message could not be told apart', async () => {
    expect(await answer(malformed, 'grade')).toMatchObject({ output: { quality: null }, ...spent })
    expect((await answer(malformed, 'route')).output.intent).toBe('answer')
  })

  it.each(['lesson', 'quiz', 'review'] as const)('is the course’s own %s', async (kind) => {
    const { output, model } = await answer(malformed, kind, { course, unit })
    expect(output.questions[0]?.source).not.toBeNull()
    expect(model).toBe('offline')
    await expect(answer(malformed, kind)).rejects.toMatchObject({ kind: 'malformed' })
  })

  it('is the course’s own probe, though a diagnosis has no concept in hand', async () => {
    const input = { label: unit?.title ?? '' }
    const { output } = await answer(malformed, 'probe', { course, input })
    expect(output.questions).toHaveLength(1)
    const unknown = { course, input: { label: 'Knots' } }
    await expect(answer(malformed, 'probe', unknown)).rejects.toMatchObject({ kind: 'malformed' })
  })

  it('is nothing for a graph, nor for a model that is down', async () => {
    await expect(answer(malformed, 'graph', { course })).rejects.toMatchObject({
      kind: 'malformed',
    })
    const down = failing(new TutorFailure('unavailable', 'down'))
    await expect(answer(down, 'grade')).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
