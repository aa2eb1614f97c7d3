import { randomUUID } from 'node:crypto'
import { isUuid, mayAll, requireOwn } from '../commands/access.ts'
import type { Actor, Dependencies } from '../commands/context.ts'
import { notFound, Problem } from '../commands/problem.ts'
import type { SendMessage, Turn } from '../contracts/arc.ts'
import { type EarlyReading, SIGNAL, type UserMessageSignal } from '../contracts/temporal.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import { type Command, readReply } from '../domain/arc/reply.ts'
import type { ArcRow } from '../store/arcs.ts'
import { readTurn, type Standing, storeMessage } from '../store/messages.ts'
import { requireOpen, signalArc } from './arc-commands.ts'

/** How long a message is waited for before its turn is looked up, heard of or not. */
const LOOK_EVERY_MS = 1_000

/**
 * Sends a learner's message and waits for its turn, at most `seconds`; the turn is null if it is not done by then.
 * @throws {Problem} 404 or 409
 */
export async function sendMessage(
  dependencies: Dependencies,
  actor: Actor,
  arcId: string,
  message: SendMessage,
  seconds: number,
): Promise<{ messageId: string; turn: Turn | null }> {
  const messageId = message.messageId ?? randomUUID()
  // Listened for before it is sent: its answer cannot come unheard.
  const answered = seconds > 0 && dependencies.hub.nextAnswer(arcId, messageId, LOOK_EVERY_MS)
  const isNew = await takeIn(dependencies, actor, arcId, { ...message, messageId })
  if (!answered) return { messageId, turn: null }
  if (isNew) await answered
  return { messageId, turn: await waitForTurn(dependencies, arcId, messageId, seconds) }
}

/**
 * Stores a learner's message, then signals it; a message sent twice is signalled twice and has one effect.
 * @returns whether it is new
 */
async function takeIn(
  dependencies: Dependencies,
  actor: Actor,
  arcId: string,
  message: SendMessage & { messageId: string },
): Promise<boolean> {
  if (!isUuid(arcId)) throw notFound('arc')
  const stored = await storeMessage(dependencies.db, {
    arcId,
    ...(mayAll(actor) ? {} : { learnerId: actor.learner.id }),
    id: message.messageId,
    text: message.text ?? '',
    action: message.action ?? null,
    questionId: message.questionId ?? null,
    channel: 'web',
  })
  const arc = requireOwn(actor, stored.arc, 'arc')
  const { row, standing } = stored
  // What is stored was stored while the arc was open, though its turn may have closed it by now.
  if (!standing) requireOpen(arc)
  if (row?.role !== 'learner') {
    throw new Problem(409, 'This message id is taken by another message of the arc.')
  }
  const reading = standing && (await readEarly(row, standing))
  if (row.taken_at === null) await signalMessage(dependencies, arc, row, reading)
  return standing !== null
}

/** What code can tell of a message at once spares its turn a step. */
async function readEarly(
  message: { text: string; action: string | null; question_id: string | null; created_at: Date },
  { turns, open }: Standing,
): Promise<EarlyReading> {
  const reply = await readReply({
    text: message.text,
    action: message.action as Command | null,
    questionId: message.question_id,
    open: open && { ...open, key: open.answer_key as AnswerKey | null },
  })
  const at = message.created_at.getTime()
  return { turn: turns + 1, openQuestionId: open?.id ?? null, reply, at }
}

/** The message is stored: where Temporal is away, the reconciler signals it later. */
export async function signalMessage(
  dependencies: Dependencies,
  arc: ArcRow,
  message: { id: string; question_id: string | null; channel: string; created_at: Date },
  reading: EarlyReading | null = null,
): Promise<void> {
  const signal: UserMessageSignal = {
    messageId: message.id,
    ...(message.question_id ? { questionId: message.question_id } : {}),
    channel: message.channel,
    sentAt: message.created_at.toISOString(),
    ...(reading ? { reading } : {}),
  }
  await signalArc(dependencies, arc, SIGNAL.userMessage, signal).catch((error) =>
    dependencies.log.warn({ error, arcId: arc.id }, 'the message is stored but not signalled yet'),
  )
}

async function waitForTurn(
  { db, hub }: Dependencies,
  arcId: string,
  messageId: string,
  seconds: number,
): Promise<Turn | null> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const patience = Math.min(LOOK_EVERY_MS, Math.max(1, deadline - Date.now()))
    const next = hub.nextAnswer(arcId, messageId, patience)
    const turn = await readTurn(db, arcId, messageId)
    if (turn?.done) {
      const { done: _, ...told } = turn
      return { messageId, ...told }
    }
    if (Date.now() >= deadline) return null
    await next
  }
}
