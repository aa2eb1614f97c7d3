import type { BankQuestion, Course, Unit } from '../contracts/course-pack.ts'
import type { ProgramQuestion } from '../contracts/course-programs.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import type { Question } from '../domain/arc/question.ts'
import { programKey } from './program-key.ts'
import { drawQuestion } from './templates.ts'

/** A bank question or a draw as the tutor asks it. */
export function askedQuestion(unit: Unit, question: BankQuestion, source: string): Question {
  const key = withAccepted(question.answer as AnswerKey, question.accepted)
  return {
    concept: unit.title,
    text: question.text,
    format: question.format,
    options: question.options ?? null,
    key,
    expected: expectedAnswer(question),
    criteria: '',
    difficulty: question.difficulty,
    hints: question.hints,
    solution: question.solution,
    mistakes: question.mistakes.map(({ answer, tag }) => {
      const misconception = unit.misconceptions.find((each) => each.tag === tag)
      if (!misconception) return { answer, tag }
      const { description: belief, remedy: instead } = misconception
      return { answer, tag, belief, instead }
    }),
    source,
  }
}

function withAccepted(key: AnswerKey, accepted: readonly string[]): AnswerKey {
  return key.type === 'text' ? { ...key, accepted: [...key.accepted, ...accepted] } : key
}

/** The right answer of a course's question as a person would write it. */
export function expectedAnswer({ answer, options }: BankQuestion): string {
  switch (answer.type) {
    case 'choice':
      return options?.find((option) => option.id === answer.correct)?.text ?? answer.correct
    case 'set':
      return answer.values.join(', ')
    case 'text':
      return answer.accepted[0] ?? ''
    case 'number':
      return answer.unit ? `${answer.value} ${answer.unit}` : answer.value
    default:
      return answer.value
  }
}

/** The question of the course that a source names, as it was; null when the course no longer has it. */
export function bankQuestionOf(unit: Unit, source: string): BankQuestion | null {
  const [id, seed] = source.split('#')
  const question = unit.questions.find((candidate) => candidate.id === id)
  if (question) return question
  const template = unit.templates.find((candidate) => candidate.id === id)
  return template && seed ? drawQuestion(template, Number(seed)) : null
}

/** A program question as the tutor asks it. */
export const askedProgram = (program: ProgramQuestion, concept: string): Question => ({
  concept,
  text: program.question,
  format: 'program',
  options: null,
  key: programKey(program),
  expected: `\n\n\`\`\`python\n${program.solution.trimEnd()}\n\`\`\``,
  criteria: '',
  difficulty: program.level,
  hints: program.hints,
  solution: null,
  mistakes: program.mistakes.map(({ program: answer, tag }) => ({ answer, tag })),
  source: program.id,
})

/** The question that a source names, in whichever unit it stands; null where the course has no such question. */
export function questionOfSource(course: Course, source: string): Question | null {
  for (const unit of course.units) {
    const program = unit.programs?.find(({ id }) => id === source)
    if (program) return askedProgram(program, unit.title)
    const question = bankQuestionOf(unit, source)
    if (question) return askedQuestion(unit, question, source)
  }
  return null
}
