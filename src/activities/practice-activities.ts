import { lmsSettings } from '../channels/lms-webhook.ts'
import type { Config } from '../config.ts'
import type { Db } from '../store/database.ts'
import { createOfflineMind } from '../tutor/practice/offline-mind.ts'
import { createPracticeDeliveryActivities } from './practice-delivery.ts'
import { createPracticeStepActivities } from './practice-steps.ts'
import { createPracticeStoreActivities } from './practice-store.ts'

/** The activities of practice sessions: short writes and deliveries on one queue, model steps on the other. */
export async function practiceActivities(config: Pick<Config, 'model'>, db: Db) {
  const lms = lmsSettings()
  const minds = { anthropic: await anthropicMind(config.model), offline: createOfflineMind() }
  return {
    store: {
      ...createPracticeStoreActivities({ db, deliver: lms !== null }),
      ...createPracticeDeliveryActivities({ db, lms }),
    },
    model: createPracticeStepActivities({ db, minds }),
  }
}

/** Loaded only where a model is configured: its SDK is not needed to teach offline. */
async function anthropicMind(model: Config['model']) {
  if (!model) return null
  const { createAnthropicMind } = await import('../tutor/practice/anthropic-mind.ts')
  const { apiKey, baseUrl, fast } = model
  return createAnthropicMind({ apiKey, model: fast, ...(baseUrl ? { baseUrl } : {}) })
}
