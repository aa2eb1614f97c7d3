import { ApplicationFailure } from '@temporalio/activity'
import type { LoadedPractice, PracticeCommit } from '../domain/practice/commit.ts'
import type { MessageView } from '../domain/practice/message-view.ts'
import { readMessage } from '../domain/practice/read-message.ts'
import { stepKey } from '../domain/practice/step-key.ts'
import type { Classification } from '../domain/practice/turn.ts'
import type { Db } from '../store/database.ts'
import { readStep } from '../store/model-steps.ts'
import { type CommitOutcome, writePracticeCommit } from '../store/practice-commit.ts'
import { readMessageContext } from '../store/practice-context.ts'
import { settleDelivery } from '../store/practice-reports.ts'
import { loadPractice } from '../store/practice-sessions.ts'
import { practiceTexts } from './practice-texts.ts'

/** A message as code reads it: a verdict, or what a model is to be asked, with what holds if none answers. */
export type ReadMessage =
  | { taken: true }
  | {
      taken: false
      at: number
      appends: string | null
      by: 'code' | 'model'
      classification: Classification
    }

export type PracticeStoreActivities = ReturnType<typeof createPracticeStoreActivities>

/** What a practice session reads from and writes to the store; short and repeatable, so they run as local activities. */
export function createPracticeStoreActivities({ db, deliver }: { db: Db; deliver: boolean }) {
  return {
    async loadPractice({ sessionId }: { sessionId: string }): Promise<LoadedPractice | null> {
      return loadPractice(db, sessionId)
    },

    async readPracticeMessage(view: MessageView): Promise<ReadMessage> {
      const context = await readMessageContext(db, view)
      if (!context) throw ApplicationFailure.retryable('the message is not in the store yet')
      if (context.answered) return { taken: true }
      const read = readMessage(context.message)
      const { value: _, ...classification } = read.by === 'code' ? read.reading : read.without
      const { at, appends } = context
      return { taken: false, at, appends, by: read.by, classification }
    },

    /** The verdict on an earlier message, if it has come in since; without what was said. */
    async readLateVerdict(late: {
      sessionId: string
      messageId: string
    }): Promise<Classification | null> {
      const kept = await readStep(db, stepKey(late.sessionId, late.messageId, 'verdict'))
      if (kept === null) return null
      const { category, isMainAttempt, answersBoth } = kept as Classification
      return { category, isMainAttempt, ...(answersBoth ? { answersBoth } : {}) }
    },

    async commitPractice(commit: PracticeCommit): Promise<CommitOutcome> {
      return writePracticeCommit(db, commit, await practiceTexts(db, commit), deliver)
    },

    async settleDelivery(settled: {
      sessionId: string
      since: number
      outcome: 'delivered' | 'given_up'
    }): Promise<void> {
      await settleDelivery(db, settled)
    },
  }
}
