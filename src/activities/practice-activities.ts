import { lmsSettings } from '../channels/lms-webhook.ts'
import type { Db } from '../store/database.ts'
import type { Mind } from '../tutor/mind.ts'
import { createPracticeDeliveryActivities } from './practice-delivery.ts'
import { createPracticeStepActivities } from './practice-steps.ts'
import { createPracticeStoreActivities } from './practice-store.ts'

/** The activities of practice sessions: short writes and deliveries on one queue, model steps on the other. */
export function practiceActivities(minds: { anthropic: Mind | null; offline: Mind }, db: Db) {
  const lms = lmsSettings()
  return {
    store: {
      ...createPracticeStoreActivities({ db, deliver: lms !== null }),
      ...createPracticeDeliveryActivities({ db, lms }),
    },
    model: createPracticeStepActivities({ db, minds }),
  }
}
