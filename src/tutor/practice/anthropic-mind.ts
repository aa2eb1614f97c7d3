import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { z } from 'zod'
import { Extraction, OUTPUT_TOKENS, ScaffoldVerdict } from '../../contracts/llm.ts'
import { toTutorFailure } from '../anthropic/failures.ts'
import { callModel } from '../anthropic/model-call.ts'
import {
  EXTRACTION_SYSTEM,
  extractionRequest,
  JUDGE_SYSTEM,
  judgeRequest,
} from '../extractor/prompts.ts'
import { TutorFailure } from '../tutor.ts'
import type { PracticeMind, PracticeReply, Thought } from './mind.ts'
import { bringsSmallerQuestion, replyRequest, replySystem, ScaffoldReply } from './reply-prompts.ts'

const ASKINGS = 2
const SILENCE_MS = 20_000

export interface AnthropicMindOptions {
  apiKey: string
  baseUrl?: string | undefined
  /** The fast model: a turn has seconds, not minutes. */
  model: string
}

interface Asking<T> {
  system: string
  request: string
  maxTokens: number
  schema: z.ZodType<T> | null
}

/** The problem tutor's mind that asks a model; every answer is checked, and asked for once more where it is of no use. */
export function createAnthropicMind({
  apiKey,
  baseUrl,
  model,
}: AnthropicMindOptions): PracticeMind {
  const client = new Anthropic({
    apiKey,
    authToken: null,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: SILENCE_MS,
    logLevel: 'off',
  })

  async function ask<T>(asking: Asking<T>, signal: AbortSignal): Promise<Thought<T>> {
    const { system, request, maxTokens, schema } = asking
    const format = schema ? jsonFormat(schema) : null
    let messages: MessageParam[] = [{ role: 'user', content: request }]
    let inputTokens = 0
    let outputTokens = 0
    for (let asked = 1; asked <= ASKINGS; asked += 1) {
      const call = { model, maxTokens, system, messages, format, silenceMs: SILENCE_MS }
      const answer = await callModel(client, call, { signal, onEvent: () => {} }).catch((error) => {
        throw signal.aborted ? error : toTutorFailure(error)
      })
      inputTokens += answer.inputTokens
      outputTokens += answer.outputTokens
      const isWhole = answer.stopReason !== 'refusal' && answer.stopReason !== 'max_tokens'
      const output = isWhole ? readOutput(answer.text, schema) : null
      if (output !== null) return { output, model: answer.model, inputTokens, outputTokens }
      const again = `${request}\n\nYour last answer could not be used. Answer the same request again, short, whole, and in the format asked for.`
      messages = [{ role: 'user', content: again }]
    }
    throw new TutorFailure('malformed', 'The model’s answer is of no use.')
  }

  return {
    name: 'anthropic',
    extract: (message, signal) =>
      ask(
        {
          system: EXTRACTION_SYSTEM,
          request: extractionRequest(message),
          maxTokens: OUTPUT_TOKENS.classification,
          schema: Extraction,
        },
        signal,
      ),
    judgeScaffold: (message, signal) =>
      ask(
        {
          system: JUDGE_SYSTEM,
          request: judgeRequest(message),
          maxTokens: OUTPUT_TOKENS.classification,
          schema: ScaffoldVerdict,
        },
        signal,
      ),
    async reply(request, signal) {
      const { turn } = request
      const asking = {
        system: replySystem(turn),
        request: replyRequest(request),
        maxTokens: OUTPUT_TOKENS.reply,
      }
      if (!bringsSmallerQuestion(turn)) {
        const { output: text, ...thought } = await ask<string>({ ...asking, schema: null }, signal)
        return { ...thought, output: { text, scaffold: null } satisfies PracticeReply }
      }
      const { output, ...thought } = await ask({ ...asking, schema: ScaffoldReply }, signal)
      const scaffold = { question: output.scaffold_question, expected: output.expected_answer }
      return { ...thought, output: { text: output.reply_text, scaffold } }
    },
  }
}

function jsonFormat(schema: z.ZodType) {
  const { type, schema: jsonSchema } = zodOutputFormat(schema)
  return { type, schema: jsonSchema }
}

function readOutput<T>(text: string, schema: z.ZodType<T> | null): T | null {
  if (schema === null) return text.trim() === '' ? null : (text.trim() as T)
  try {
    const read = schema.safeParse(JSON.parse(text))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
