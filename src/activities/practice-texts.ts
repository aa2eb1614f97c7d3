import type { PracticeProblem, TurnResponse } from '../contracts/practice.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import { judgeAnswer } from '../domain/answers/judge.ts'
import type { PracticeCommit } from '../domain/practice/commit.ts'
import { keyOfProblem } from '../domain/practice/key-of.ts'
import { misconceptionOf } from '../domain/practice/misconception.ts'
import { reveals } from '../domain/practice/reveals.ts'
import { stepKey } from '../domain/practice/step-key.ts'
import type { Turn } from '../domain/practice/turn.ts'
import type { Db } from '../store/database.ts'
import type { PracticeTexts } from '../store/practice-commit.ts'
import { readStoredTexts, type StoredTexts } from '../store/practice-stored-texts.ts'
import {
  cannedReply,
  lateOpening,
  nextProblem,
  SESSION_OVER,
  SKIP_OFFER,
} from '../tutor/steps/practice/canned.ts'
import type { PracticeReply } from '../tutor/steps/practice/reply.ts'

/** Finds and makes every text that a commit writes: the reply, the caller's answer, what wrong answers looked like. */
export async function practiceTexts(db: Db, commit: PracticeCommit): Promise<PracticeTexts> {
  const { sessionId, turns, messageId, state } = commit
  const verdictKey = (turn: Turn) => stepKey(sessionId, turn.messageId, 'verdict')
  const stored = await readStoredTexts(db, {
    sessionId,
    messageIds: [...(messageId ? [messageId] : []), ...turns.map(({ turn }) => turn.messageId)],
    stepKeys: turns.flatMap(({ turn, replyStep }) => [
      verdictKey(turn),
      ...(replyStep === null ? [] : [replyStep]),
    ]),
  })
  if (commit.appends && stored.brought) stored.problems.push(stored.brought)
  const taken = turns.find(({ turn }) => !turn.late) ?? null
  const reply = (taken?.replyStep && (stored.steps.get(taken.replyStep) as PracticeReply)) || null
  return {
    stored,
    appends: commit.appends,
    scaffold: reply?.scaffold ?? null,
    misconceptions: misconceptionsOf(commit, stored),
    response: messageId === null ? null : responseOf(commit, stored, reply),
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
  { problems, session }: StoredTexts,
  reply: PracticeReply | null,
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
    session_id: session.externalId,
    category: taken?.category ?? main?.category ?? 'off_topic',
    session_status: {
      status: state.status,
      current_problem_index: state.index,
      action,
      problems_remaining: state.problems.length - state.index,
      skip_offered: taken?.skipOffered ?? false,
      ...(current ? { current_problem: { id: current.id, text: current.text } } : {}),
    },
  }
}

/** Late verdicts open the reply; it ends with what comes next. */
function outputOf(
  taken: Turn | null,
  late: Turn[],
  problems: PracticeProblem[],
  index: number,
  reply: PracticeReply | null,
): string {
  const parts = late.map((turn) => {
    if (turn.completed) return `${lateOpening(turn)} ${SESSION_OVER}`
    const opened = turn.opened === null ? undefined : problems[turn.opened]
    return opened ? `${lateOpening(turn)} ${nextProblem(opened.text)}` : lateOpening(turn)
  })
  if (taken) {
    const problem = taken.problemIndex === null ? undefined : problems[taken.problemIndex]
    parts.push(reply?.text ?? canned(taken, problem))
    if (taken.putsMainAgain && reply && problem) parts.push(problem.text)
    if (taken.skipOffered) parts.push(SKIP_OFFER)
    if (taken.completed) parts.push(SESSION_OVER)
    const next = problems[index]
    const explainedPrevious = taken.mode === 'answer' && taken.teachBack === 'ended'
    const shows = taken.opened !== null || (explainedPrevious && taken.action === 'CONTINUE')
    if (shows && next) parts.push(nextProblem(next.text))
  }
  return parts.join('\n\n')
}

function canned(turn: Turn, problem: PracticeProblem | undefined): string {
  const problemText = problem?.text ?? ''
  return cannedReply({
    turn,
    problemText,
    hints: problem ? safeHints({ ...problem, key: keyOfProblem(problem) }) : [],
  })
}

/** The hints that do not give the answer away. */
export function safeHints({
  hints,
  key,
  text,
}: {
  hints: string[]
  key: AnswerKey
  text: string
}): string[] {
  return hints.filter((hint) => !reveals(hint, key, text))
}

function misconceptionsOf(
  { turns, sessionId }: PracticeCommit,
  { problems, said, steps }: StoredTexts,
): Map<number, string> {
  const found = new Map<number, string>()
  for (const { turn } of turns) {
    const problem = turn.problemIndex === null ? undefined : problems[turn.problemIndex]
    if (!problem || !turn.isMainAttempt || turn.category !== 'wrong_operation') continue
    const { correct_answer, text, tags } = problem
    const step = steps.get(stepKey(sessionId, turn.messageId, 'verdict')) as
      | { value?: string | null }
      | undefined
    const judged = judgeAnswer(said.get(turn.messageId) ?? '', keyOfProblem(problem), { text })
    const value = step?.value ?? judged.value ?? null
    found.set(turn.number, misconceptionOf(value, correct_answer, text, tags))
  }
  return found
}
