import Anthropic from '@anthropic-ai/sdk'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { StepKind } from '../../domain/arc/model-step.ts'
import {
  type Live,
  type StepContext,
  type StepOutputs,
  type StepResult,
  type Tutor,
  TutorFailure,
} from '../tutor.ts'
import { clipped } from './data-block.ts'
import { toTutorFailure } from './failures.ts'
import { fieldReader } from './field-reader.ts'
import { type CallListener, callModel, type ModelAnswer } from './model-call.ts'
import type { Reading, Step } from './step.ts'
import { STEPS } from './steps.ts'

/** How often a step is asked: once, and once more when the answer cannot be used. */
const ASKINGS = 2
const SILENCE_MS = 60_000
const MAX_QUOTED_ANSWER = 8_000

export interface AnthropicTutorOptions {
  apiKey: string
  /** Any server that speaks the Messages API; Anthropic's own when it is not given. */
  baseUrl?: string | undefined
  models: { tutor: string; fast: string }
  /** Milliseconds a model may be silent before the call counts as broken; 60 000 when it is not given. */
  silenceMs?: number | undefined
}

/**
 * The tutor that asks a model. Every call is streamed; an answer that cannot be used is asked for once more with what
 * is wrong with it. It retries nothing else: who runs the step decides about that.
 *
 * `run` rejects with a `TutorFailure`, or with the signal's reason when it is aborted.
 */
export function createAnthropicTutor(options: AnthropicTutorOptions): Tutor {
  const { apiKey, baseUrl, models, silenceMs = SILENCE_MS } = options
  const client = new Anthropic({
    apiKey,
    authToken: null,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    maxRetries: 0,
    timeout: silenceMs,
    logLevel: 'off',
  })

  async function run<K extends StepKind>(
    context: StepContext<K>,
    live: Live,
  ): Promise<StepResult<K>> {
    const step: Step<K> = STEPS[context.kind]
    const { system, maxTokens, format } = step
    const request = step.ask(context)
    const screen = learnerScreen(step, live)
    let messages: MessageParam[] = [{ role: 'user', content: request }]
    let inputTokens = 0
    let outputTokens = 0
    let violations: string[] = []
    for (let asking = 1; asking <= ASKINGS; asking += 1) {
      const call = { model: models[step.tier], maxTokens, system, messages, format, silenceMs }
      const answer = await callModel(client, call, screen.listen()).catch((error) => {
        throw live.signal.aborted ? error : toTutorFailure(error)
      })
      inputTokens += answer.inputTokens
      outputTokens += answer.outputTokens
      const reading = readAnswer(step, answer, context)
      if (reading.ok)
        return { output: reading.output, model: answer.model, inputTokens, outputTokens }
      violations = reading.violations
      messages = askedAgain(request, answer.text, violations)
    }
    const what = violations[0] ?? 'it is empty'
    throw new TutorFailure(
      'malformed',
      `The model's answer (${context.kind}) is of no use: ${what}`,
    )
  }

  return { name: 'anthropic', run }
}

/** Shows the learner what they may see as it comes in; a second asking stays unseen once the first was seen. */
function learnerScreen<K extends StepKind>(step: Step<K>, live: Live) {
  let seen = false
  return {
    listen(): CallListener {
      const isShown = step.shown !== null && !seen
      const visible =
        step.shown === 'explanation' ? fieldReader('explanation') : (text: string) => text
      return {
        signal: live.signal,
        onEvent: (text) => {
          live.onToken()
          const piece = isShown && text !== null ? visible(text) : ''
          if (piece === '') return
          seen = true
          live.onText(piece)
        },
      }
    },
  }
}

function readAnswer<K extends StepKind>(
  step: Step<K>,
  { text, stopReason }: ModelAnswer,
  context: StepContext<K>,
): Reading<StepOutputs[K]> {
  if (stopReason === 'refusal') return { ok: false, violations: ['The answer was declined.'] }
  if (stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded') {
    return { ok: false, violations: ['The answer was too long and was cut off: write much less.'] }
  }
  return step.read(text, context)
}

function askedAgain(request: string, answer: string, violations: string[]): MessageParam[] {
  const list = violations.map((violation) => `- ${violation}`).join('\n')
  const again = `Your answer cannot be used:\n${list}\nAnswer the same request again, with this put right.`
  if (answer.trim() === '') return [{ role: 'user', content: `${request}\n\n${again}` }]
  return [
    { role: 'user', content: request },
    { role: 'assistant', content: clipped(answer.trim(), MAX_QUOTED_ANSWER) },
    { role: 'user', content: again },
  ]
}
