import type { Extraction, ScaffoldVerdict } from '../../src/contracts/llm.ts'
import type { PracticeReply } from '../../src/domain/practice/state.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import type { MessageInSession } from '../../src/tutor/steps/practice/message.ts'
import { bringsSmallerQuestion, type ReplyRequest } from '../../src/tutor/steps/practice/reply.ts'

/** What a scripted mind says, and what it was asked; change the functions to change its mind. */
export interface ScriptedMind extends Mind {
  extraction: (asked: MessageInSession) => Partial<Extraction> | Promise<Partial<Extraction>>
  verdict: (asked: MessageInSession) => Partial<ScaffoldVerdict> | Promise<Partial<ScaffoldVerdict>>
  words: (request: ReplyRequest) => PracticeReply | Promise<PracticeReply>
  /** Back to how it was made. */
  reset(): void
  readonly asked: { kind: 'extract' | 'judge' | 'reply'; about: MessageInSession }[]
}

const script = {
  extraction: () => ({}),
  verdict: () => ({}),
  words: (request: ReplyRequest): PracticeReply => ({
    text: `Reply to ${request.turn.category}.`,
    scaffold: bringsSmallerQuestion(request)
      ? { question: 'How far is it to zero?', expected: '70' }
      : null,
  }),
}

/** A mind that answers at once: no answer is one, every step of scaffolding fails, every reply names its route. */
export function scriptedMind(): ScriptedMind {
  const mind: ScriptedMind = {
    name: 'anthropic',
    asked: [],
    ...script,
    reset() {
      Object.assign(mind, script)
      mind.asked.splice(0)
    },
    async run(step, context) {
      const output = await answers[step.kind]?.(context as unknown as ReplyRequest)
      return { output: output as never, model: 'scripted', inputTokens: 1, outputTokens: 1 }
    },
  }
  const answers: Record<string, (about: ReplyRequest) => Promise<unknown>> = {
    async extraction(about) {
      mind.asked.push({ kind: 'extract', about })
      return {
        is_answer: false,
        category: 'conceptual_question',
        extracted_value: null,
        confidence: 1,
        reasoning: '',
        ...(await mind.extraction(about)),
      }
    },
    async verdict(about) {
      mind.asked.push({ kind: 'judge', about })
      return {
        category: 'wrong_operation',
        is_main_problem_attempt: false,
        confidence: 1,
        reasoning: '',
        ...(await mind.verdict(about)),
      }
    },
    async reply(request) {
      mind.asked.push({ kind: 'reply', about: request })
      return mind.words(request)
    },
  }
  return mind
}
