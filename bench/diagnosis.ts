import type { Rating } from './diagnosis/random-learners.ts'
import { type Score, STRATEGIES, type StrategyName, simulate } from './diagnosis/simulation.ts'

const MAPS = 400
const LEARNERS_OF_A_KIND = 2
const SEED = 20240901
const BASELINE: StrategyName = 'plain bisection, below the frontier known'

/**
 * How many concepts of a map a diagnosis classifies right (known if inferred ≥ 0.5), with and
 * without reading the answers through the prerequisites, over 2,400 simulated learners on 400
 * random maps of 30 concepts, slip 0.1, guess 0.2. Prints shares, standard errors over maps, and
 * the ratio of concepts classified wrong to those of plain bisection.
 */
export async function run(): Promise<void> {
  for (const rating of ['as written', 'by depth'] as const) print(rating)
}

function print(rating: Rating): void {
  const strategies = Object.keys(STRATEGIES) as StrategyName[]
  const scores = simulate({
    maps: MAPS,
    learnersOfAKind: LEARNERS_OF_A_KIND,
    rating,
    seed: SEED,
    strategies,
  })
  const wrongAtBaseline = 1 - (scores.get(BASELINE)?.share ?? 0)
  console.log(`\nDiagnosis over ${MAPS} random maps, difficulty rated ${rating}`)
  console.log(line('', 'right', '± s.e.', 'questions', 'wrong, ratio'))
  for (const [name, score] of scores) console.log(row(name, score, wrongAtBaseline))
}

function row(name: string, { share, standardError, questions }: Score, wrong: number): string {
  const ratio = (1 - share) / wrong
  return line(
    name,
    share.toFixed(3),
    standardError.toFixed(4),
    questions.toFixed(1),
    ratio.toFixed(2),
  )
}

function line(name: string, ...cells: string[]): string {
  return name.padEnd(44) + cells.map((cell) => cell.padStart(13)).join('')
}

if (import.meta.main) await run()
