import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAnthropicMind } from '../../../src/tutor/anthropic/anthropic-mind.ts'
import type { Mind } from '../../../src/tutor/mind.ts'
import { type Fault, type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { listener, runStep, sampleContext } from './sample-context.ts'

let model: ScriptedModel
let tutor: Mind

beforeEach(async () => {
  model = await startScriptedModel()
  tutor = tutorWith(60_000)
})
afterEach(() => model.close())

function tutorWith(silenceMs: number): Mind {
  const models = { tutor: 'claude-opus-5-5', fast: 'claude-haiku-5-5' }
  return createAnthropicMind({ apiKey: 'test', baseUrl: model.url, models, silenceMs })
}

const run = (live = listener()) => runStep(tutor, sampleContext('lesson'), live)

describe('a model server that fails', () => {
  it.each<[string, Fault, object]>([
    [
      '429',
      { kind: 'status', status: 429, retryAfter: 7 },
      { kind: 'overloaded', retryAfterMs: 7_000 },
    ],
    [
      '529',
      { kind: 'status', status: 529, retryAfterMs: 90 },
      { kind: 'overloaded', retryAfterMs: 90 },
    ],
    ['500', { kind: 'status', status: 500 }, { kind: 'unavailable', retryAfterMs: null }],
    ['408', { kind: 'status', status: 408 }, { kind: 'unavailable' }],
    ['401', { kind: 'status', status: 401 }, { kind: 'refused' }],
    ['404', { kind: 'status', status: 404 }, { kind: 'refused' }],
    ['413', { kind: 'status', status: 413 }, { kind: 'refused' }],
    ['422', { kind: 'status', status: 422 }, { kind: 'refused' }],
    ['an overload inside the stream', { kind: 'error-event', after: 2 }, { kind: 'overloaded' }],
    [
      'an error inside the stream',
      { kind: 'error-event', type: 'api_error' },
      { kind: 'unavailable' },
    ],
    ['a connection cut in mid-stream', { kind: 'cut', after: 2 }, { kind: 'unavailable' }],
    ['a stream that ends too early', { kind: 'end', after: 2 }, { kind: 'unavailable' }],
    ['a connection cut before the first word', { kind: 'cut', after: 0 }, { kind: 'unavailable' }],
  ])('is asked once, and the failure named: %s', async (_, fault, expected) => {
    model.script(fault)
    await expect(run()).rejects.toMatchObject({ name: 'TutorFailure', ...expected })
    expect(model.calls).toHaveLength(1)
    await expect(run()).resolves.toMatchObject({ model: 'claude-opus-5-5' })
  })

  it('is unavailable while it is down, and answers when it is back', async () => {
    await model.down()
    await expect(run()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(model.calls).toHaveLength(0)
    await model.up()
    await expect(run()).resolves.toHaveProperty('output')
  })

  it('is unavailable when it goes down in the middle of an answer', async () => {
    model.pace(20)
    const live = listener()
    live.onText = () => model.down()
    await expect(run(live)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it.each<[string, Fault]>([
    ['before it answers', { kind: 'silence', ms: 60_000 }],
    ['in mid-stream', { kind: 'silence', ms: 60_000, after: 2 }],
  ])('is unavailable when it is silent %s', async (_, fault) => {
    tutor = tutorWith(100)
    model.script(fault)
    await expect(run()).rejects.toMatchObject({ name: 'TutorFailure', kind: 'unavailable' })
  })

  it('may be slow, as long as it is never silent for long', async () => {
    tutor = tutorWith(400)
    model.pace(60)
    const live = listener()
    await expect(run(live)).resolves.toHaveProperty('output')
    const [call] = model.calls
    expect((call?.endedAt ?? 0) - (call?.startedAt ?? 0)).toBeGreaterThan(400)
  })
})

describe('a step that is stopped', () => {
  const stop = new Error('the learner has left')

  it('does not ask at all when it was stopped before', async () => {
    const live = listener()
    live.controller.abort(stop)
    await expect(run(live)).rejects.toBe(stop)
    expect(model.calls).toHaveLength(0)
  })

  it('ends while the model is silent', async () => {
    model.script({ kind: 'silence', ms: 60_000 })
    const live = listener()
    const running = run(live)
    setTimeout(() => live.controller.abort(stop), 50)
    await expect(running).rejects.toBe(stop)
  })

  it('ends in mid-stream, shows nothing more, and hangs up on the server', async () => {
    model.pace(20)
    const live = listener()
    live.onText = (piece) => {
      live.pieces.push(piece)
      live.controller.abort(stop)
    }
    await expect(run(live)).rejects.toBe(stop)
    expect(live.pieces).toHaveLength(1)
    await expect.poll(() => model.calls[0]?.aborted, { timeout: 5_000 }).toBe(true)
  })

  it('rejects with an AbortError when no reason is given', async () => {
    const live = listener()
    live.onText = () => live.controller.abort()
    await expect(run(live)).rejects.toMatchObject({ name: 'AbortError' })
  })
})
