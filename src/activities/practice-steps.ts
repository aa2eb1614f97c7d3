import { ApplicationFailure, cancellationSignal, cancelled, heartbeat } from '@temporalio/activity'
import { STEP_FAILURE } from '../contracts/step-failure.ts'
import { keyOfProblem } from '../domain/practice/key-of.ts'
import type { MessageStep, ReplyStep } from '../domain/practice/message-view.ts'
import type { Reading } from '../domain/practice/read-message.ts'
import { reveals } from '../domain/practice/reveals.ts'
import { stepKey } from '../domain/practice/step-key.ts'
import type { Classification, Turn } from '../domain/practice/turn.ts'
import type { Db } from '../store/database.ts'
import { keepStep, readStep } from '../store/model-steps.ts'
import { type MessageContext, readMemory, readMessageContext } from '../store/practice-context.ts'
import { type AttemptRow, readAttempts } from '../store/practice-sessions.ts'
import { type Mind, TutorFailure, unheard } from '../tutor/mind.ts'
import type { MessageInSession } from '../tutor/steps/practice/message.ts'
import { type PracticeReply, reply } from '../tutor/steps/practice/reply.ts'
import { judgeMessage } from '../tutor/steps/practice/verdict.ts'
import { safeHints } from './practice-texts.ts'

const HEARTBEAT_MS = 3_000

export interface PracticeStepDependencies {
  db: Db
  minds: { anthropic: Mind | null; offline: Mind }
}

export type PracticeStepActivities = ReturnType<typeof createPracticeStepActivities>

/** The model steps of practice sessions: what was asked once is kept and never paid for again. */
export function createPracticeStepActivities({ db, minds }: PracticeStepDependencies) {
  const mind = minds.anthropic ?? minds.offline

  async function about({ view, memory }: MessageStep): Promise<[MessageContext, MessageInSession]> {
    const [context, turns] = await Promise.all([
      readMessageContext(db, view),
      readMemory(db, view.sessionId, memory),
    ])
    if (!context) throw ApplicationFailure.nonRetryable('no such message', STEP_FAILURE.refused)
    const { message, correctAnswer, scaffoldExpected } = context
    return [context, { message, correctAnswer, scaffoldExpected, memory: turns }]
  }

  return {
    /**
     * Reads a message that code could not read.
     * @throws ApplicationFailure of a type of `STEP_FAILURE`
     */
    async judgePractice(step: MessageStep): Promise<Classification> {
      const key = stepKey(step.view.sessionId, step.view.messageId, 'verdict')
      const [kept, [, asked]] = await Promise.all([readStep(db, key), about(step)])
      const reading =
        (kept as Reading | null) ?? (await alive((signal) => judge(key, asked, signal)))
      const { value: _, ...classification } = reading
      return classification
    },

    /** Words a reply; `asksSmaller` tells whether it ends with a smaller question. */
    async replyPractice(step: ReplyStep): Promise<{ asksSmaller: boolean }> {
      const key = stepKey(step.view.sessionId, step.view.messageId, 'reply')
      const { sessionId } = step.view
      const [kept, known, problems] = await Promise.all([
        readStep(db, key),
        about(step),
        readAttempts(db, sessionId),
      ])
      const words =
        (kept as PracticeReply | null) ??
        (await alive((signal) => word(key, step, known, problems, signal)))
      return { asksSmaller: words.scaffold !== null }
    },
  }

  async function judge(
    key: string,
    asked: MessageInSession,
    signal: AbortSignal,
  ): Promise<Reading> {
    const { output, ...used } = await judgeMessage(mind, asked, unheard(signal))
    const record = { key, arcId: null, kind: 'practice-verdict', output, ...used }
    return (await keepStep(db, record)) as Reading
  }

  async function word(
    key: string,
    { turn, nextIndex }: ReplyStep,
    [context, asked]: [MessageContext, MessageInSession],
    problems: AttemptRow[],
    signal: AbortSignal,
  ): Promise<PracticeReply> {
    const hints = context.message.problem
      ? safeHints({
          hints: context.hints,
          ...context.message.problem,
        })
      : []
    const request = { ...asked, turn, hints }
    const thought = await mind.run(reply, request, unheard(signal))
    const unearned = problems.filter(
      ({ problem_index }) =>
        problem_index === nextIndex || (problem_index === turn.problemIndex && !isEarned(turn)),
    )
    const own = {
      correct_answer: context.correctAnswer,
      answer_key: null,
      problem_text: asked.message.problem?.text ?? '',
    }
    const guarded = context.appends !== null && !isEarned(turn) ? [...unearned, own] : unearned
    const leaks = guarded.some((problem) =>
      reveals(thought.output.text, keyOfProblem(problem), problem.problem_text),
    )
    const output = leaks ? reply.offline(request) : thought.output
    const record = { key, arcId: null, kind: 'practice-reply', ...thought, output }
    return (await keepStep(db, record)) as PracticeReply
  }
}

/** Whether the student has earned the answer of the turn's problem: it was given, or it was solved before. */
const isEarned = (turn: Turn): boolean =>
  turn.category === 'correct' || turn.mode === 'teach-back' || turn.teachBack === 'ended'

/** Runs a step with heartbeats, and says in Temporal's words what a failure means. */
async function alive<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const beating = setInterval(() => heartbeat(), HEARTBEAT_MS)
  const signal = cancellationSignal()
  try {
    return await work(signal)
  } catch (error) {
    if (signal.aborted) await cancelled()
    if (!(error instanceof TutorFailure)) throw error
    throw ApplicationFailure.create({
      message: error.message,
      type: STEP_FAILURE[error.kind],
      nonRetryable: error.kind === 'refused' || error.kind === 'malformed',
      ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
    })
  } finally {
    clearInterval(beating)
  }
}
