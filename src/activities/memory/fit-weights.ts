import { createRequire } from 'node:module'
import type { FitWeights } from '../../domain/spaced-repetition/fitting.ts'
import { gradeOf } from '../../domain/spaced-repetition/fsrs.ts'
import type { DailyReview } from '../../domain/spaced-repetition/review-log.ts'

/** What is used of the optimizer of fsrs-rs, whose package for one machine has no types. */
interface Optimizer {
  FSRSBindingReview: new (grade: number, elapsedDays: number) => object
  FSRSBindingItem: new (reviews: object[]) => object
  computeParameters(items: object[], options: { enableShortTerm: boolean }): Promise<number[]>
}

/** The package of the machine itself: the one for all machines names others that its registry may not have. */
const OPTIMIZER = `@open-spaced-repetition/binding-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`

/**
 * The optimizer, which is native code: loaded when it is first wanted, and run away from the event loop. Null where this
 * machine has no binary of it; nothing but the fitting is missing then.
 */
export async function loadFitter(): Promise<FitWeights | null> {
  const optimizer = loadOptimizer()
  if (!optimizer) return null
  const { computeParameters, FSRSBindingItem, FSRSBindingReview } = optimizer
  const items = (reviews: readonly DailyReview[]) =>
    reviews
      .slice(1)
      .map(
        (_, index) =>
          new FSRSBindingItem(
            reviews
              .slice(0, index + 2)
              .map(
                ({ quality, elapsedDays }) => new FSRSBindingReview(gradeOf(quality), elapsedDays),
              ),
          ),
      )
  return (series) => computeParameters(series.flatMap(items), { enableShortTerm: false })
}

function loadOptimizer(): Optimizer | null {
  try {
    return createRequire(import.meta.url)(OPTIMIZER)
  } catch {
    return null
  }
}
