import type { FitWeights } from '../../domain/spaced-repetition/fitting.ts'
import { gradeOf } from '../../domain/spaced-repetition/fsrs.ts'
import type { DailyReview } from '../../domain/spaced-repetition/review-log.ts'

/**
 * The optimizer of fsrs-rs, which is native code: loaded when it is first wanted, away from the event loop. Null where this
 * machine has no binary of it; nothing but the fitting is missing then.
 */
export async function loadFitter(): Promise<FitWeights | null> {
  const optimizer = await import('@open-spaced-repetition/binding').catch(() => null)
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
