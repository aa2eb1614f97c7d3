import type { Extraction, ScaffoldVerdict } from '../../src/contracts/llm.ts'
import type {
  MessageInSession,
  PracticeMind,
  PracticeReply,
  ReplyRequest,
  Thought,
} from '../../src/tutor/practice/mind.ts'
import { bringsSmallerQuestion } from '../../src/tutor/practice/reply-prompts.ts'

/** What a scripted mind says, and what it was asked; change the functions to change its mind. */
export interface ScriptedMind extends PracticeMind {
  extraction: (asked: MessageInSession) => Partial<Extraction> | Promise<Partial<Extraction>>
  verdict: (asked: MessageInSession) => Partial<ScaffoldVerdict> | Promise<Partial<ScaffoldVerdict>>
  words: (request: ReplyRequest) => PracticeReply | Promise<PracticeReply>
  /** Back to how it was made. */
  reset(): void
  readonly asked: { kind: 'extract' | 'judge' | 'reply'; about: MessageInSession }[]
}

const thought = <T>(output: T): Thought<T> => ({
  output,
  model: 'scripted',
  inputTokens: 1,
  outputTokens: 1,
})

const script = {
  extraction: () => ({}),
  verdict: () => ({}),
  words: ({ turn }: ReplyRequest): PracticeReply => ({
    text: `Reply to ${turn.category}.`,
    scaffold: bringsSmallerQuestion(turn)
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
    async extract(about) {
      mind.asked.push({ kind: 'extract', about })
      return thought({
        is_answer: false,
        category: 'conceptual_question',
        extracted_value: null,
        confidence: 1,
        reasoning: '',
        ...(await mind.extraction(about)),
      })
    },
    async judgeScaffold(about) {
      mind.asked.push({ kind: 'judge', about })
      return thought({
        category: 'wrong_operation',
        is_main_problem_attempt: false,
        confidence: 1,
        reasoning: '',
        ...(await mind.verdict(about)),
      })
    },
    async reply(request) {
      mind.asked.push({ kind: 'reply', about: request })
      return thought(await mind.words(request))
    },
  }
  return mind
}
