import type { AnswerKey } from '../domain/answers/answer-key.ts'
import type { ArcCommit } from '../domain/arc/commit.ts'
import type { LoadedArc } from '../domain/arc/loaded-arc.ts'
import { type Command, type Reply, readReply } from '../domain/arc/reply.ts'
import { loadArc } from '../store/arcs.ts'
import { writeCommit } from '../store/commit.ts'
import type { Db } from '../store/database.ts'
import { commitTexts } from './commit-texts.ts'

export interface MessageToRead {
  arcId: string
  messageId: string
  /** The question that is open for the workflow; the store may be ahead of it. */
  openQuestionId: string | null
  turn: number
}

export type ArcStoreActivities = ReturnType<typeof createArcStoreActivities>

/** What a workflow reads from and writes to the store; short and repeatable, so they run as local activities. */
export function createArcStoreActivities({ db, dayMs }: { db: Db; dayMs: number }) {
  return {
    /** The arc as it was last committed, or null if there is none. */
    async loadArc({ arcId }: { arcId: string }): Promise<LoadedArc | null> {
      return loadArc(db, arcId, dayMs)
    },

    /** A learner's message as code reads it; `at` is when it was stored, in UTC ms. */
    async readMessage(request: MessageToRead): Promise<{ reply: Reply; at: number }> {
      const message = await db
        .selectFrom('arc_messages as message')
        .leftJoin('arc_questions as open', (join) =>
          join.on('open.id', '=', request.openQuestionId),
        )
        .select(['message.text', 'action', 'question_id', 'turn', 'created_at'])
        .select(['open.id as openId', 'open.text as openText', 'options', 'answer_key as key'])
        .where('message.arc_id', '=', request.arcId)
        .where('message.id', '=', request.messageId)
        .executeTakeFirst()
      // A message is a row before it is a signal: without one there is nothing to answer.
      if (!message) return { reply: { kind: 'taken' }, at: 0 }
      const at = message.created_at.getTime()
      // A turn of a later number is this very turn, done before a crash: it is read again, not taken for another's.
      if (message.turn !== null && message.turn < request.turn)
        return { reply: { kind: 'taken' }, at }
      const { openId: id, openText: text, options, key } = message
      const reply = await readReply({
        text: message.text,
        action: message.action as Command | null,
        questionId: message.question_id,
        open: id !== null && text !== null ? { id, text, options, key: key as AnswerKey } : null,
      })
      return { reply, at }
    },

    /** Which model step wrote a message: its kind and what it was about; null if none did. */
    async readMessageSource(of: {
      arcId: string
      messageId: string
    }): Promise<{ kind: string; subject: string } | null> {
      const row = await db
        .selectFrom('arc_messages')
        .select('step_key')
        .where('arc_id', '=', of.arcId)
        .where('id', '=', of.messageId)
        .executeTakeFirst()
      const named = row?.step_key
        ?.split('/')
        .at(-1)
        ?.match(/^(\w+):([^#]+)/)
      return named?.[1] && named[2] ? { kind: named[1], subject: named[2] } : null
    },

    /** Writes one step of an arc; see the store for what its answer means. */
    async commitArc(commit: ArcCommit): Promise<'written' | 'repeated' | 'superseded'> {
      return writeCommit(db, commit, await commitTexts(db, commit))
    },
  }
}
