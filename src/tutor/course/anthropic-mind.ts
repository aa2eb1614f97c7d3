import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { DrillGrade, LlmTutorResponse } from '../../contracts/course-tutor.ts'
import { toTutorFailure } from '../anthropic/failures.ts'
import { callModel, type ModelCall } from '../anthropic/model-call.ts'
import { TutorFailure } from '../tutor.ts'
import { type Asking, type CourseMind, type MindAnswer, MindFailure } from './course-mind.ts'
import { GRADE_RULES, gradeRequest, TURN_RULES, turnRequest } from './prompts.ts'

/** A turn may be waited for this long, in milliseconds; a model that is silent counts as gone sooner. */
const DEADLINE_MS = 20_000
const SILENCE_MS = 7_500
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

  async function call(
    asked: Omit<ModelCall, 'silenceMs' | 'messages'> & { request: string },
    asking?: Asking,
  ): Promise<MindAnswer> {
    const { request, ...rest } = asked
    const prompt = `${asked.system}\n\n${request}`
    const deadline = AbortSignal.timeout(deadlineMs)
    const signal = asking ? AbortSignal.any([deadline, asking.signal]) : deadline
    const answer = await callModel(
      client,
      { ...rest, messages: [{ role: 'user', content: request }], silenceMs },
      { signal, onEvent: () => asking?.onToken() },
    ).catch((error) => {
      asking?.signal.throwIfAborted()
      throw asMindFailure(error, deadline, prompt)
    })
    const { text, stopReason, ...cost } = answer
    const { model, inputTokens, outputTokens } = cost
    if (stopReason !== 'end_turn' && stopReason !== 'stop_sequence') {
      const why = `the answer ended with ${stopReason}`
      throw new MindFailure('malformed', why, prompt, { model, inputTokens, outputTokens })
    }
    return { raw: text, prompt, model, inputTokens, outputTokens, drillSource: null }
  }

  return {
    name: 'anthropic',
    turn: (brief, asking) =>
      call(
        {
          model: models.tutor,
          maxTokens: TURN_TOKENS,
          system: TURN_RULES,
          request: turnRequest(brief),
          format: formats.turn,
        },
        asking,
      ),
    gradeDrill: (brief, asking) =>
      call(
        {
          model: models.fast,
          maxTokens: GRADE_TOKENS,
          system: GRADE_RULES,
          request: gradeRequest(brief),
          format: formats.grade,
        },
        asking,
      ),
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
