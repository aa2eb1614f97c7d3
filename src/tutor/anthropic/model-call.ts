import type Anthropic from '@anthropic-ai/sdk'
import { APIConnectionError, APIConnectionTimeoutError } from '@anthropic-ai/sdk'
import type {
  JSONOutputFormat,
  MessageCreateParamsStreaming,
  MessageParam,
  RawMessageStreamEvent,
  StopReason,
} from '@anthropic-ai/sdk/resources/messages'
import { reasoningOf } from './reasoning.ts'

/** Far more than any step's output tokens can hold. */
const MAX_ANSWER_LENGTH = 100_000

export interface ModelCall {
  model: string
  maxTokens: number
  system: string
  messages: MessageParam[]
  format: JSONOutputFormat | null
  /** How long the model may be silent, in milliseconds, before the call counts as broken. */
  silenceMs: number
}

export interface ModelAnswer {
  text: string
  stopReason: StopReason
  model: string
  /** All input, cached or not. */
  inputTokens: number
  outputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
}

export interface CallListener {
  signal: AbortSignal
  /** Something came in: text, or a sign of life (null). */
  onEvent: (text: string | null) => void
}

/**
 * One streamed call of the Messages API, read to its end. An answer beyond all bounds is broken off and counts as one
 * that ran out of tokens.
 * @throws the signal's reason when it is aborted; else what the SDK throws, and an APIConnectionError for a stream that
 *   broke off or fell silent
 */
export async function callModel(
  client: Anthropic,
  call: ModelCall,
  { signal, onEvent }: CallListener,
): Promise<ModelAnswer> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), call.silenceMs)
  const answer: ModelAnswer & { ended: boolean } = newAnswer(call.model)
  try {
    const stream = await client.messages.create(request(call), {
      signal: AbortSignal.any([signal, silence.signal]),
      timeout: call.silenceMs,
    })
    for await (const event of stream) {
      timer.refresh()
      onEvent(takeIn(answer, event))
      if (answer.text.length > MAX_ANSWER_LENGTH) {
        return { ...answer, stopReason: 'max_tokens' }
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    if (silence.signal.aborted) throw new APIConnectionTimeoutError()
    throw error
  } finally {
    clearTimeout(timer)
  }
  // The SDK ends an aborted stream as if it were complete.
  signal.throwIfAborted()
  if (silence.signal.aborted) throw new APIConnectionTimeoutError()
  if (!answer.ended) throw new APIConnectionError({ message: 'the stream broke off' })
  return answer
}

function request({ model, maxTokens, system, messages, format }: ModelCall) {
  const { thinking, effort } = reasoningOf(model)
  const params: MessageCreateParamsStreaming = {
    model,
    max_tokens: maxTokens,
    system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
    messages,
    stream: true,
  }
  if (thinking) params.thinking = thinking
  if (format || effort) {
    params.output_config = { ...(format ? { format } : {}), ...(effort ? { effort } : {}) }
  }
  return params
}

const newAnswer = (model: string) => ({
  text: '',
  stopReason: 'end_turn' as StopReason,
  model,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  ended: false,
})

/** Adds an event to the answer; returns the text it brings, if any. */
function takeIn(answer: ReturnType<typeof newAnswer>, event: RawMessageStreamEvent): string | null {
  switch (event.type) {
    case 'message_start': {
      const { usage, model } = event.message
      answer.model = model
      answer.cacheWriteTokens = usage.cache_creation_input_tokens ?? 0
      answer.cacheReadTokens = usage.cache_read_input_tokens ?? 0
      answer.inputTokens = usage.input_tokens + answer.cacheWriteTokens + answer.cacheReadTokens
      return null
    }
    case 'content_block_delta':
      if (event.delta.type !== 'text_delta') return null
      answer.text += event.delta.text
      return event.delta.text
    case 'message_delta':
      answer.stopReason = event.delta.stop_reason ?? answer.stopReason
      answer.outputTokens = event.usage.output_tokens
      return null
    case 'message_stop':
      answer.ended = true
      return null
    default:
      return null
  }
}
