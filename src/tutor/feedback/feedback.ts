import { Feedback, OUTPUT_TOKENS } from '../../contracts/llm.ts'
import { contextBlocks, questionText } from '../anthropic/context-blocks.ts'
import { listBlock, paragraphs } from '../anthropic/data-block.ts'
import { HOUSE_RULES } from '../anthropic/house-rules.ts'
import { structuredStep } from '../anthropic/step.ts'

const SYSTEM = `${HOUSE_RULES}

Your role: feedback. A quiz was not passed. Find out why, so that the next lesson can put it right.
- "error_patterns": at most three, the most telling first. "conceptual": the idea is misunderstood. "procedural": the idea is there, the method goes wrong. "careless": both are there. "description": what the learner does, one sentence. "suggested_remediation": what the next lesson should do about it, one sentence. "affected_questions": the ids in square brackets of the questions that show it.
- No pattern without evidence in the answers. A skipped question is no evidence of any.
- "feedback_text": to the learner, at most 90 words: first what went well, then what to look at, concretely, without blame and without giving away answers of questions that will come again.
- "improvement_areas": at most three, a few words each.
- "facts_to_remember": at most three short facts about how this learner learns (what kind of explanation works, which confusions return, their pace or interests), each under 200 characters, true beyond today and not yet among the remembered facts. No grades, nothing private, nothing that the learner asked to have written down word for word. None is fine.`

/** Patterns in the mistakes of a quiz that was not passed (seed 003, feedback agent). */
export const feedback = structuredStep<'feedback', Feedback>({
  role: 'feedback',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  system: SYSTEM,
  schema: Feedback,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      listBlock(
        'quiz',
        context.questions.map(
          (question) =>
            `[${question.id}] ${questionText(question)} | right answer: ${question.expected} | quality ${question.quality ?? 'none'} of 5`,
        ),
      ),
      "The learner's answers are among the recent responses. Read the quiz and give feedback.",
    ),
  toOutput: (wire, { questions }) => {
    const known = new Set(questions.map((question) => question.id))
    const error_patterns = wire.error_patterns.map((pattern) => ({
      ...pattern,
      affected_questions: pattern.affected_questions.filter((id) => known.has(id)),
    }))
    return { ok: true, output: { ...wire, error_patterns } }
  },
})
