import { lmsSettings } from '../channels/lms-webhook.ts'
import type { Db } from '../store/database.ts'
import { createOfflineMind } from '../tutor/practice/offline-mind.ts'
import { createPracticeDeliveryActivities } from './practice-delivery.ts'
import { createPracticeStepActivities } from './practice-steps.ts'
import { createPracticeStoreActivities } from './practice-store.ts'

/** The model that reads and words, where one is configured. */
export interface PracticeModel {
  apiKey: string
  baseUrl: string | null
  fast: string
}

/** The activities of practice sessions: short writes and deliveries on one queue, model steps on the other. */
export async function practiceActivities({ model }: { model: PracticeModel | null }, db: Db) {
  const lms = lmsSettings()
  const minds = { anthropic: await anthropicMind(model), offline: createOfflineMind() }
  return {
    store: {
      ...createPracticeStoreActivities({ db, deliver: lms !== null }),
      ...createPracticeDeliveryActivities({ db, lms }),
    },
    model: createPracticeStepActivities({ db, minds }),
  }
}

/** Loaded only where a model is configured: its SDK is not needed to teach offline. */
async function anthropicMind(model: PracticeModel | null) {
  if (!model) return null
  const { createAnthropicMind } = await import('../tutor/practice/anthropic-mind.ts')
  const { apiKey, baseUrl, fast } = model
  return createAnthropicMind({ apiKey, model: fast, ...(baseUrl ? { baseUrl } : {}) })
}
