import { Lesson, OUTPUT_TOKENS } from '../../contracts/llm.ts'
import {
  conceptMap,
  contextBlocks,
  learnerMessage,
  openQuestion,
} from '../anthropic/context-blocks.ts'
import { dataBlock, listBlock, paragraphs } from '../anthropic/data-block.ts'
import { HOUSE_RULES, QUESTION_RULES } from '../anthropic/house-rules.ts'
import { readQuestions } from '../anthropic/questions.ts'
import { structuredStep, textStep } from '../anthropic/step.ts'

const ROLE = `Your role: the tutor. You are warm, plain and exact; you speak to one learner, as "you". You build on what they know, and you leave the last step to them.`

const LESSON = `${HOUSE_RULES}

${ROLE}

${QUESTION_RULES}

Teach one concept, then ask one check question.
- "explanation": 150 to 300 words. Start with why the idea is needed or with a case the learner can picture; then the idea; then how to use it. Only this concept: what lies before it is known, what lies after it is not mentioned. No heading, no greeting, no question at the end.
- "example": one worked example, step by step, at most 120 words. Its numbers and wording differ from the check question's.
- "check_question": one question that shows whether the idea has arrived; easier than a quiz question. Neither explanation nor example contains its answer.
- In a later cycle do not repeat the earlier lesson: take another way in (a picture, a contrast, smaller steps) and aim at the errors that are listed, without naming them as the learner's failures.
- Use what is remembered of the learner where it helps, silently.`

const HELP = `${HOUSE_RULES}

${ROLE}

The learner asks something in between. Answer it in at most 180 words, as text, and stop: what they were doing is put before them again right after your answer.
- Answer the question that was asked. If it is about another concept of the topic, answer it shortly and say where it comes in the plan, if it does.
- While a question is open, never give its answer, nor the step that leaves only arithmetic to do. Give the idea, a smaller parallel case, or the first step.
- If they are stuck and ask nothing in particular, ask what they have so far in one short question, after one useful hint.
- If it is not about learning this topic, say so in one friendly sentence and lead back.
- Do not ask the open question again yourself.`

/** A lesson on the concept in hand and its one check question (seed 003, learning cycle). */
export const lesson = structuredStep<'lesson', Lesson>({
  role: 'tutor',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.teaching,
  system: LESSON,
  shown: 'explanation',
  schema: Lesson,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      listBlock(
        'errors_of_the_last_cycle',
        context.input.errors.map(
          (error) =>
            `${error.patternType}: ${error.description} | remedy: ${error.suggestedRemediation}`,
        ),
      ),
      listBlock(
        'questions_already_asked',
        context.asked.slice(-20).map(({ text }) => text),
      ),
      `Cycle ${context.input.cycle}. Teach the concept in hand.`,
    ),
  toOutput: ({ explanation, example, check_question }, { concept }) => {
    const reading = readQuestions([check_question], concept?.label ?? null)
    if (!reading.ok) return reading
    return {
      ok: true,
      output: { explanation, example: example ?? null, questions: reading.output },
    }
  },
})

/** An answer to a question of the learner's own; the place in the arc is kept by code. */
export const help = textStep<'help'>({
  role: 'tutor',
  tier: 'tutor',
  maxTokens: OUTPUT_TOKENS.reply,
  system: HELP,
  ask: (context) =>
    paragraphs(
      contextBlocks(context),
      conceptMap(context),
      openQuestion(context.questions[0]),
      context.input.concept ? dataBlock('asked_about', context.input.concept) : '',
      learnerMessage(context),
      "Answer the learner's message.",
    ),
  toOutput: (text) => ({ text: text.trim() }),
})
