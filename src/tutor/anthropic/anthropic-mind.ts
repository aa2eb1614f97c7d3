import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import type {
  JSONOutputFormat,
  MessageParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { z } from 'zod'
import { clipped } from '../data-block.ts'
import { type Answer, type Live, type Mind, TutorFailure } from '../mind.ts'
import { PlainText, type Reading, type Step } from '../step.ts'
import { toTutorFailure } from './failures.ts'
import { fieldReader } from './field-reader.ts'
import { type CallListener, callModel, type ModelAnswer } from './model-call.ts'

const MAX_QUOTED_ANSWER = 8_000

export interface AnthropicMindOptions {
  apiKey: string
  /** Any server that speaks the Messages API; Anthropic's own when it is not given. */
  baseUrl?: string | null | undefined
  models: { tutor: string; fast: string }
  /** Milliseconds of silence after which any call counts as broken, in place of what each step says. */
  silenceMs?: number | undefined
}

/**
 * The mind that asks a model. Every call is streamed; an answer that cannot be used is asked for once more with what
 * is wrong with it, where the step allows that. It retries nothing else: who runs the step decides about that.
 */
export function createAnthropicMind(options: AnthropicMindOptions): Mind {
  const { apiKey, baseUrl, models } = options
  const client = new Anthropic({
    apiKey,
    authToken: null,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    logLevel: 'off',
  })
  const formats = new Map<z.ZodType, JSONOutputFormat>()

  /** The JSON schema the answer has to follow; null for free text. */
  function formatOf(schema: z.ZodType): JSONOutputFormat | null {
    if (schema === PlainText) return null
    const known = formats.get(schema) ?? jsonFormat(schema)
    formats.set(schema, known)
    return known
  }

  async function run<Context, Output>(
    step: Step<Context, Output>,
    context: Context,
    live: Live,
  ): Promise<Answer<Output>> {
    const { system, stable = [], request } = step.prompt(context)
    const call = {
      model: models[step.tier],
      maxTokens: step.maxTokens,
      system,
      format: formatOf(step.schema(context)),
      silenceMs: options.silenceMs ?? step.silenceMs,
    }
    const time = timeOf(step, live)
    const screen = learnerScreen(step.shown, step.mayShow?.(context) ?? null, live, time.signal)
    const spent = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }
    const opening = [...stable.map(cached), { type: 'text' as const, text: request }]
    let messages: MessageParam[] = [{ role: 'user', content: opening }]
    let violations: string[] = []
    let usable: Answer<Output> | null = null
    for (let asking = 1; asking <= step.askings; asking += 1) {
      const answer = await callModel(client, { ...call, messages }, screen.listen()).catch(
        (error) => {
          if (live.signal.aborted) throw error
          if (usable) return null
          throw time.isOver() ? tooLate() : toTutorFailure(error)
        },
      )
      if (answer === null) break
      for (const kind of TOKENS) spent[kind] += answer[kind]
      const reading = readAnswer(step, answer, context)
      if (reading.ok) usable = { output: reading.output, model: answer.model, ...spent }
      violations = reading.ok ? (reading.reservations ?? []) : reading.violations
      if (reading.ok && violations.length === 0) break
      messages = askedAgain(opening, answer.text, violations)
    }
    if (usable) return { ...usable, ...spent }
    const message = `The model's answer (${step.kind}) is of no use: ${violations[0] ?? 'it is empty'}`
    throw new TutorFailure('malformed', message, null, { spent })
  }

  return { name: 'anthropic', run }
}

function jsonFormat(shape: z.ZodType): JSONOutputFormat {
  const { type, schema } = zodOutputFormat(shape)
  return { type, schema }
}

/** The signal that ends a step's calls: the caller's, and the step's own deadline where it has one. */
function timeOf({ deadlineMs }: { deadlineMs: number | null }, { signal }: Live) {
  if (deadlineMs === null) return { signal, isOver: () => false }
  const deadline = AbortSignal.timeout(deadlineMs)
  return { signal: AbortSignal.any([signal, deadline]), isOver: () => deadline.aborted }
}

const tooLate = () =>
  new TutorFailure('unavailable', 'the model took too long', null, { isLate: true })

/** Shows the learner what they may see as it comes in; a second asking stays unseen once the first was seen. */
function learnerScreen(
  shown: Step<never, never>['shown'],
  mayShow: ((text: string) => boolean) | null,
  live: Live,
  signal: AbortSignal,
) {
  let seen = false
  return {
    listen(): CallListener {
      const isShown = shown !== null && !seen
      let whole = ''
      let told = 0
      const visible = shown === 'explanation' ? fieldReader(shown) : (text: string) => text
      return {
        signal,
        onEvent: (text) => {
          live.onToken()
          if (!isShown || text === null) return
          whole += visible(text)
          const end = mayShow ? fitEnd(whole, told, mayShow) : whole.length
          if (end === told) return
          seen = true
          live.onText(whole.slice(told, end))
          told = end
        },
      }
    },
  }
}

/** Whole sentences only: half of one can tell what the other half makes unfit. */
const SENTENCE_END = /[.!?]["'”’)*_]*\s|\n/g

/** Up to where a text that comes in may be shown, sentence by sentence, from where it is shown already. */
function fitEnd(text: string, from: number, isFit: (part: string) => boolean): number {
  let end = from
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    const next = index + mark.length
    if (next <= from) continue
    if (!isFit(text.slice(0, next))) break
    end = next
  }
  return end
}

function readAnswer<Context, Output>(
  step: Step<Context, Output>,
  { text, stopReason }: ModelAnswer,
  context: Context,
): Reading<Output> {
  switch (stopReason) {
    case 'end_turn':
    case 'stop_sequence':
      return step.read(text, context)
    case 'refusal':
      return { ok: false, violations: ['The answer was declined.'] }
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return {
        ok: false,
        violations: ['The answer was too long and was cut off: write much less.'],
      }
    default:
      return { ok: false, violations: [`The answer ended with ${stopReason}.`] }
  }
}

const TOKENS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const

/** A block that is cached with all that stands before it. */
const cached = (text: string): TextBlockParam => ({
  type: 'text',
  text,
  cache_control: { type: 'ephemeral' },
})

function askedAgain(
  opening: TextBlockParam[],
  answer: string,
  violations: string[],
): MessageParam[] {
  const list = violations.map((violation) => `- ${violation}`).join('\n')
  const again = `Your answer cannot be used:\n${list}\nAnswer the same request again, with this put right.`
  if (answer.trim() === '') {
    return [{ role: 'user', content: [...opening, { type: 'text', text: again }] }]
  }
  return [
    { role: 'user', content: opening },
    { role: 'assistant', content: clipped(answer.trim(), MAX_QUOTED_ANSWER) },
    { role: 'user', content: again },
  ]
}
