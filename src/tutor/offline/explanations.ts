import type { Unit } from '../../contracts/course-pack.ts'
import type { ErrorPattern } from '../../domain/learning-cycle/error-pattern.ts'

/** The worked example of a unit as Markdown. */
export function workedExample(unit: Unit): string {
  const { problem, steps, answer } = unit.workedExample
  const numbered = steps.map((step, i) => `${i + 1}. ${step}`).join('\n')
  return `**Worked example.** ${problem}\n\n${numbered}\n\n**Answer:** ${answer}`
}

export function keyIdeas(unit: Unit): string {
  return unit.keyIdeas.map((idea) => `- ${idea}`).join('\n')
}

/** The second lesson on a unit and later ones: the errors first, then the ideas in short. */
export function lessonOnErrors(unit: Unit, errors: readonly ErrorPattern[]): string {
  const remedies = errors.map(
    ({ description, suggestedRemediation }) => `- ${description} ${suggestedRemediation}`,
  )
  const rest = unit.misconceptions
    .filter(({ description }) => !errors.some((error) => error.description === description))
    .map(({ description, remedy }) => `- ${description} ${remedy}`)
  const watch = [...remedies, ...rest].slice(0, 4).join('\n')
  return `The ideas once more, in short:\n\n${keyIdeas(unit)}\n\n**What to watch out for**\n\n${watch}`
}

/** An answer to a question of the learner's own, from the course. */
export function aboutUnit(unit: Unit, courseTitle: string): string {
  return `From the course *${courseTitle}*, **${unit.title}**:\n\n${keyIdeas(unit)}\n\n${workedExample(unit)}`
}
