import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { DrillGrade, LlmTutorResponse } from '../../contracts/course-tutor.ts'
import { toTutorFailure } from '../anthropic/failures.ts'
import { callModel, type ModelCall } from '../anthropic/model-call.ts'
import { TutorFailure } from '../tutor.ts'
import { type CourseMind, type MindAnswer, MindFailure } from './course-mind.ts'
import { GRADE_RULES, gradeRequest, TURN_RULES, turnRequest } from './prompts.ts'

/** A turn may be waited for this long, in milliseconds; a model that is silent counts as gone sooner. */
const DEADLINE_MS = 20_000
const SILENCE_MS = 8_000
const TURN_TOKENS = 2_000
const GRADE_TOKENS = 500

export interface AnthropicMindOptions {
  apiKey: string
  /** Any server that speaks the Messages API; Anthropic's own when it is not given. */
  baseUrl?: string | undefined
  models: { tutor: string; fast: string }
  deadlineMs?: number
  silenceMs?: number
}

/** The mind that asks a model: one call for a turn or a grade, never a second one. */
export function createAnthropicMind(options: AnthropicMindOptions): CourseMind {
  const { apiKey, baseUrl, models, deadlineMs = DEADLINE_MS, silenceMs = SILENCE_MS } = options
  const client = new Anthropic({
    apiKey,
    authToken: null,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: silenceMs,
    logLevel: 'off',
  })
  const formats = { turn: jsonFormat(LlmTutorResponse), grade: jsonFormat(DrillGrade) }

  async function call(asked: Omit<ModelCall, 'silenceMs' | 'messages'> & { request: string }) {
    const { request, ...rest } = asked
    const prompt = `${asked.system}\n\n${request}`
    const signal = AbortSignal.timeout(deadlineMs)
    const answer = await callModel(
      client,
      { ...rest, messages: [{ role: 'user', content: request }], silenceMs },
      { signal, onEvent: () => {} },
    ).catch((error) => {
      throw asMindFailure(error, signal, prompt)
    })
    const { text, stopReason, model, inputTokens, outputTokens } = answer
    if (stopReason !== 'end_turn' && stopReason !== 'stop_sequence') {
      throw new MindFailure('malformed', `the answer ended with ${stopReason}`, prompt)
    }
    return { raw: text, prompt, model, inputTokens, outputTokens, drillSource: null }
  }

  return {
    name: 'anthropic',
    turn: (brief): Promise<MindAnswer> =>
      call({
        model: models.tutor,
        maxTokens: TURN_TOKENS,
        system: TURN_RULES,
        request: turnRequest(brief),
        format: formats.turn,
      }),
    gradeDrill: (brief): Promise<MindAnswer> =>
      call({
        model: models.fast,
        maxTokens: GRADE_TOKENS,
        system: GRADE_RULES,
        request: gradeRequest(brief),
        format: formats.grade,
      }),
  }
}

function jsonFormat(schema: Parameters<typeof zodOutputFormat>[0]) {
  const { type, schema: json } = zodOutputFormat(schema)
  return { type, schema: json }
}

function asMindFailure(error: unknown, signal: AbortSignal, prompt: string): MindFailure {
  if (signal.aborted) return new MindFailure('late', 'the model took too long', prompt)
  const failure = toTutorFailure(error)
  if (failure instanceof TutorFailure) {
    const isSilent = /timed? ?out/i.test(failure.message)
    return new MindFailure(isSilent ? 'late' : 'failed', failure.message, prompt)
  }
  return new MindFailure('failed', String(error), prompt)
}
