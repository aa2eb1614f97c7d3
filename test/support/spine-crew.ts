import pino, { type Logger } from 'pino'
import { createSpineActivities } from '../../src/activities/spine/activities.ts'
import type { AnyProduct } from '../../src/activities/spine/product.ts'
import { wakeEntity } from '../../src/commands/wake.ts'
import type { Standing } from '../../src/domain/spine/decision.ts'
import type { EntityToWake } from '../../src/store/spine/entities.ts'
import type { Crew, House } from './house.ts'

/** What a test hears of the activities, and may break. */
export interface Hearing {
  /** Called when a decision is written and before the workflow hears of it; may throw, as a worker that dies there. */
  afterCommit?: (by: 'advance' | 'think', id: string, standing: Standing) => unknown
  onFault?: () => void
  log?: Logger
}

/** The wake of a test: best effort, as the product's own. */
export const wakeIn =
  ({ env }: Pick<House, 'env'>) =>
  (entity: EntityToWake): void => {
    wakeEntity(env.client, entity).catch(() => {})
  }

/** The activities of the spine for those products, as the product's worker has them. */
export function spineCrew(
  house: House,
  products: readonly AnyProduct[],
  { afterCommit, onFault = () => {}, log = pino({ level: 'silent' }) }: Hearing = {},
): Crew {
  const { advance, think } = createSpineActivities({
    db: house.db,
    products,
    wake: wakeIn(house),
    log,
    onFault,
  })
  const heard =
    <Request extends { id: string }>(
      by: 'advance' | 'think',
      activity: (request: Request) => Promise<Standing>,
    ) =>
    async (request: Request) => {
      const standing = await activity(request)
      await afterCommit?.(by, request.id, standing)
      return standing
    }
  const thinking = heard('think', think)
  return {
    store: { advance: heard('advance', advance), think: thinking },
    model: { think: thinking },
  }
}
