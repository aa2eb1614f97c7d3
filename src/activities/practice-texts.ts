import type { TurnResponse } from '../contracts/practice.ts'
import { judgeAnswer } from '../domain/answers/judge.ts'
import type { PracticeCommit } from '../domain/practice/commit.ts'
import { keyOf } from '../domain/practice/key-of.ts'
import { misconceptionOf } from '../domain/practice/misconception.ts'
import { reveals } from '../domain/practice/reveals.ts'
import { stepKey } from '../domain/practice/step-key.ts'
import type { Turn } from '../domain/practice/turn.ts'
import type { Db } from '../store/database.ts'
import { readSteps } from '../store/model-steps.ts'
import type { PracticeTexts } from '../store/practice-commit.ts'
import { type AttemptRow, readAttempts, readPractice } from '../store/practice-sessions.ts'
import {
  cannedReply,
  lateOpening,
  nextProblem,
  SESSION_OVER,
  SKIP_OFFER,
} from '../tutor/practice/canned.ts'
import type { PracticeReply } from '../tutor/practice/mind.ts'

type Problem = Pick<AttemptRow, 'problem_id' | 'problem_text' | 'correct_answer' | 'hints' | 'tags'>

/** Finds and makes every text that a commit writes: the reply, the caller's answer, what wrong answers looked like. */
export async function practiceTexts(db: Db, commit: PracticeCommit): Promise<PracticeTexts> {
  const { turns, messageId, state } = commit
  const none = { said: new Map(), misconceptions: new Map(), response: null, debug: null }
  if (messageId === null) return { ...none, scaffold: null, appended: null }
  const ids = [messageId, ...turns.map(({ turn }) => turn.messageId)]
  const keys = turns.flatMap(({ turn, replyStep }) => [
    stepKey(commit.sessionId, turn.messageId, 'verdict'),
    ...(replyStep === null ? [] : [replyStep]),
  ])
  const [messages, attempts, steps, session] = await Promise.all([
    db
      .selectFrom('practice_messages')
      .select(['id', 'text', 'problem'])
      .where('id', 'in', ids)
      .execute(),
    readAttempts(db, commit.sessionId),
    readSteps(db, keys),
    readPractice(db, commit.sessionId),
  ])
  const said = new Map(messages.map((message) => [message.id, message.text]))
  const brought = messages.find(({ id }) => id === messageId)?.problem ?? null
  const appended = commit.appends ? brought : null
  const problems: Problem[] = appended
    ? [...attempts, { ...appended, problem_id: appended.id, problem_text: appended.text }]
    : attempts
  const taken = turns.find(({ turn }) => !turn.late) ?? null
  const reply = (taken?.replyStep && (steps.get(taken.replyStep) as PracticeReply)) || null
  const response = responseOf(commit, problems, reply, session?.external_session_id ?? '')
  return {
    said,
    appended,
    scaffold: reply?.scaffold ?? null,
    misconceptions: misconceptionsOf(commit, problems, said, steps),
    response,
    debug: taken && {
      classification: {
        category: taken.turn.category,
        is_main_problem_attempt: taken.turn.isMainAttempt,
        judged_by: taken.judgedBy,
      },
      mastery_signal: taken.turn.signal,
      state_transitions: {
        ...taken.turn.transitions,
        ...(state.status === 'completed' ? { completed: [false, true] } : {}),
      },
    },
  }
}

function responseOf(
  commit: PracticeCommit,
  problems: Problem[],
  reply: PracticeReply | null,
  sessionId: string,
): TurnResponse {
  const { state, turns } = commit
  const taken = turns.find(({ turn }) => !turn.late)?.turn ?? null
  const late = turns.filter(({ turn }) => turn.late).map(({ turn }) => turn)
  const current = state.status === 'completed' ? undefined : problems[state.index]
  const main = taken ?? late.at(-1)
  const actions = [taken, ...late].map((turn) => turn?.action)
  const action = actions.find((kind) => kind && kind !== 'CONTINUE') ?? 'CONTINUE'
  return {
    output: outputOf(taken, late, problems, state.index, reply),
    session_id: sessionId,
    category: taken?.category ?? main?.category ?? 'off_topic',
    session_status: {
      status: state.status,
      current_problem_index: state.index,
      action,
      problems_remaining: state.problems.length - state.index,
      skip_offered: taken?.skipOffered ?? false,
      ...(current
        ? { current_problem: { id: current.problem_id, text: current.problem_text } }
        : {}),
    },
  }
}

/** Late verdicts open the reply; it ends with what comes next. */
function outputOf(
  taken: Turn | null,
  late: Turn[],
  problems: Problem[],
  index: number,
  reply: PracticeReply | null,
): string {
  const parts = late.map((turn) => {
    if (turn.completed) return `${lateOpening(turn)} ${SESSION_OVER}`
    const opened = turn.opened === null ? undefined : problems[turn.opened]
    return opened ? `${lateOpening(turn)} ${nextProblem(opened.problem_text)}` : lateOpening(turn)
  })
  if (taken) {
    const problem = taken.problemIndex === null ? undefined : problems[taken.problemIndex]
    parts.push(reply?.text ?? canned(taken, problem))
    if (taken.putsMainAgain && reply && problem) parts.push(problem.problem_text)
    if (taken.skipOffered) parts.push(SKIP_OFFER)
    if (taken.completed) parts.push(SESSION_OVER)
    const next = problems[index]
    const explainedPrevious = taken.mode === 'answer' && taken.teachBack === 'ended'
    const shows = taken.opened !== null || (explainedPrevious && taken.action === 'CONTINUE')
    if (shows && next) parts.push(nextProblem(next.problem_text))
  }
  return parts.join('\n\n')
}

function canned(turn: Turn, problem: Problem | undefined): string {
  const problemText = problem?.problem_text ?? ''
  return cannedReply({ turn, problemText, hints: problem ? safeHints(problem) : [] })
}

/** The hints that do not give the answer away. */
export function safeHints(
  problem: Pick<Problem, 'hints' | 'correct_answer' | 'problem_text'>,
): string[] {
  const key = keyOf(problem.correct_answer)
  return problem.hints.filter((hint) => !reveals(hint, key, problem.problem_text))
}

function misconceptionsOf(
  { turns, sessionId }: PracticeCommit,
  problems: Problem[],
  said: Map<string, string>,
  steps: Map<string, unknown>,
): Map<number, string> {
  const found = new Map<number, string>()
  for (const { turn } of turns) {
    const problem = turn.problemIndex === null ? undefined : problems[turn.problemIndex]
    if (!problem || !turn.isMainAttempt || turn.category !== 'wrong_operation') continue
    const step = steps.get(stepKey(sessionId, turn.messageId, 'verdict')) as
      | { value?: string | null }
      | undefined
    const text = said.get(turn.messageId) ?? ''
    const judged = judgeAnswer(text, keyOf(problem.correct_answer), { text: problem.problem_text })
    const value = step?.value ?? judged.value ?? null
    const { correct_answer, problem_text, tags } = problem
    found.set(turn.number, misconceptionOf(value, correct_answer, problem_text, tags))
  }
  return found
}
