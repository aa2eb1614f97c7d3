import type { ScriptedModel } from '../support/scripted-model.ts'
import type { AskedOfModel } from '../support/scripted-world.ts'
import { move } from './course-student.ts'

/** Has the model answer the steps of practice and of a course too, beside those that its world knows. */
export function answerAllProducts(model: ScriptedModel): void {
  model.answer('other', ({ system, prompt, earlier }: AskedOfModel) => {
    if (system.includes('You decide one move of one turn')) return move(prompt, earlier)
    if (system.includes("You grade a student's answer")) {
      const feedback_text = 'Count on from there.'
      return { is_correct: false, feedback_text, common_mistake_tag: null }
    }
    if (system.includes('Extract EXACTLY')) {
      const isExplained = prompt.includes('asked to explain')
      const category = isExplained ? 'teach_back_explanation' : 'answer'
      const extracted_value = isExplained ? null : '99'
      return { is_answer: !isExplained, category, extracted_value, confidence: 1, reasoning: '' }
    }
    if (system.includes("judge the student's message")) {
      const verdict = { category: 'wrong_operation', is_main_problem_attempt: true }
      return { ...verdict, confidence: 1, reasoning: '' }
    }
    if (!system.includes(REPLY)) return undefined
    const scaffold_question = 'How many steps are there from 3 to 5?'
    const reply_text = `Let us see. ${scaffold_question}`
    return { reply_text, scaffold_question, expected_answer: '2' }
  })
  model.answer('help', ({ system }) =>
    system.includes(REPLY) ? 'Look at it once more, step by step.' : undefined,
  )
}

const REPLY = "write the tutor's reply"
