import type { AdvanceActivities, ThinkActivities } from '../../contracts/spine.ts'
import { advance, type SpineDependencies } from './advance.ts'
import { think } from './think.ts'

/** The two activities of every product: `advance` is run locally, `think` on the queue that its step names. */
export function createSpineActivities(
  dependencies: SpineDependencies,
): AdvanceActivities & ThinkActivities {
  return {
    advance: (request) => advance(dependencies, request),
    think: (request) => think(dependencies, request),
  }
}
