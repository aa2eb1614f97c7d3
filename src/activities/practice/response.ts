import type { PracticeDebug, TurnResponse } from '../../contracts/practice.ts'
import type { TurnEnded } from '../../domain/practice/decide.ts'
import { keyOfProblem } from '../../domain/practice/key-of.ts'
import { reveals } from '../../domain/practice/reveals.ts'
import type { Practice, Problem } from '../../domain/practice/state.ts'
import type { Turn } from '../../domain/practice/turn.ts'
import {
  cannedReply,
  lateOpening,
  nextProblem,
  SESSION_OVER,
  SKIP_OFFER,
} from '../../tutor/steps/practice/canned.ts'

/** What the sender of a message is answered. */
export interface TurnAnswer {
  response: TurnResponse
  debug: PracticeDebug | null
}

/** The answer to a message, in the model's words where there are any; `practice` is the session after its turn. */
export function answerOf(practice: Practice, externalId: string, ended: TurnEnded): TurnAnswer {
  const { progress } = practice.state
  const { status, index, problems } = progress
  const own = ended.taken.find(({ turn }) => !turn.late) ?? null
  const late = ended.taken.filter(({ turn }) => turn.late).map(({ turn }) => turn)
  const turn = own?.turn ?? null
  const current = status === 'completed' ? undefined : practice.problems[index]
  const actions = [turn, ...late].map((each) => each?.action)
  const response: TurnResponse = {
    output: outputOf(practice, ended, turn, late),
    session_id: externalId,
    category: (turn ?? late.at(-1))?.category ?? 'off_topic',
    session_status: {
      status,
      current_problem_index: index,
      action: actions.find((action) => action && action !== 'CONTINUE') ?? 'CONTINUE',
      problems_remaining: problems.length - index,
      skip_offered: turn?.skipOffered ?? false,
      ...(current ? { current_problem: { id: current.id, text: current.text } } : {}),
    },
  }
  const debug = own && {
    classification: {
      category: own.turn.category,
      is_main_problem_attempt: own.turn.isMainAttempt,
      judged_by: own.judgedBy,
    },
    mastery_signal: own.turn.signal,
    state_transitions: {
      ...own.turn.transitions,
      ...(status === 'completed' ? { completed: [false, true] } : {}),
    },
  }
  return { response, debug }
}

/** Late verdicts open the reply; it ends with what comes next. */
function outputOf(
  { problems, state }: Practice,
  { reply }: TurnEnded,
  turn: Turn | null,
  late: Turn[],
): string {
  const parts = late.map((each) => {
    if (each.completed) return `${lateOpening(each)} ${SESSION_OVER}`
    const opened = each.opened === null ? undefined : problems[each.opened]
    return opened ? `${lateOpening(each)} ${nextProblem(opened.text)}` : lateOpening(each)
  })
  if (!turn) return parts.join('\n\n')
  const problem = turn.problemIndex === null ? undefined : problems[turn.problemIndex]
  parts.push(reply?.text ?? canned(turn, problem))
  if (turn.putsMainAgain && reply && problem) parts.push(problem.text)
  if (turn.skipOffered) parts.push(SKIP_OFFER)
  if (turn.completed) parts.push(SESSION_OVER)
  const next = problems[state.progress.index]
  const explainedPrevious = turn.mode === 'answer' && turn.teachBack === 'ended'
  const shows = turn.opened !== null || (explainedPrevious && turn.action === 'CONTINUE')
  if (shows && next) parts.push(nextProblem(next.text))
  return parts.join('\n\n')
}

function canned(turn: Turn, problem: Problem | undefined): string {
  const hints = problem ? safeHints(problem) : []
  return cannedReply({ turn, problemText: problem?.text ?? '', hints })
}

/** The hints that do not give the answer away. */
export function safeHints(problem: Problem): string[] {
  const key = keyOfProblem(problem)
  return problem.hints.filter((hint) => !reveals(hint, key, problem.text))
}
