import type { Unit } from '../../../contracts/course-pack.ts'
import type { FallbackMaterial } from '../../../domain/course/policy/fallback-action.ts'
import type { PolicyConstraints } from '../../../domain/course/policy/tutor-policy.ts'
import { expectedAnswer } from '../../offline/question-choice.ts'
import { drawDrills } from './course-drills.ts'

/** Questions that open a conversation about a unit, from its key ideas, worked example and misconceptions. */
export function openingQuestions(unit: Unit): string[] {
  const { title, workedExample, misconceptions } = unit
  return [
    `Let us look at one together: ${workedExample.problem} What would be your first step, and why?`,
    ...misconceptions
      .slice(0, 2)
      .map(({ description }) => `Some people think: *${description}* What is wrong with that?`),
    `In your own words: what is **${title}** about?`,
  ]
}

/** What the course holds ready when a mind's answer cannot be used. */
export function fallbackMaterial(unit: Unit, seed: number): FallbackMaterial {
  return {
    title: unit.title,
    anchorText: unit.anchor,
    socraticQuestions: openingQuestions(unit),
    drills: drawDrills(unit, seed, 1).map(({ prompt, questionLatex, question }) => ({
      prompt,
      questionLatex,
      expectedAnswer: expectedAnswer(question),
    })),
  }
}

/** The key ideas and the worked example of a unit, as far as the words of a card reach. */
export function conceptWithin(
  unit: Unit,
  { maxConceptWords, maxWorkedExamples }: PolicyConstraints,
  maxKeyIdeas: number,
): { keyIdeas: string[]; workedExample: Unit['workedExample'] | null } {
  const count = (text: string) => text.match(/\S+/g)?.length ?? 0
  let left = maxConceptWords
  const keyIdeas: string[] = []
  for (const idea of unit.keyIdeas.slice(0, maxKeyIdeas)) {
    if (count(idea) > left) break
    left -= count(idea)
    keyIdeas.push(idea)
  }
  const { problem, steps, answer } = unit.workedExample
  const fits = maxWorkedExamples > 0 && count([problem, ...steps, answer].join(' ')) <= left
  return { keyIdeas, workedExample: fits ? unit.workedExample : null }
}
