import type { Unit } from '../../contracts/course-pack.ts'
import type { ProgramQuestion } from '../../contracts/course-programs.ts'
import { askedProgram } from '../../courses/asked-question.ts'
import type { StepContext, TutorQuestion } from '../steps/arc/context.ts'

type Level = ProgramQuestion['level']

const LEVELS: Level[] = ['easy', 'medium', 'hard']

/**
 * A program question of a unit: one that was not asked yet, as near to the level as there is, else one that was missed.
 * @param seed makes the choice repeatable
 */
export function chooseProgram(
  { title, programs = [] }: Unit,
  before: StepContext['asked'],
  level: Level,
  seed: number,
): TutorQuestion | null {
  const passed = new Set<string | null>()
  const asked = new Set<string | null>()
  for (const { source, quality } of before) {
    asked.add(source)
    if (quality === null || quality >= 3) passed.add(source)
  }
  const fresh = programs.filter(({ id }) => !asked.has(id))
  const open = fresh.length > 0 ? fresh : programs.filter(({ id }) => !passed.has(id))
  const distance = (program: ProgramQuestion) =>
    Math.abs(LEVELS.indexOf(program.level) - LEVELS.indexOf(level))
  const least = Math.min(...open.map(distance))
  const nearest = open.filter((program) => distance(program) === least)
  const program = nearest[Math.abs(seed) % nearest.length]
  return program ? askedProgram(program, title) : null
}
