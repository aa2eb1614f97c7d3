import type { PracticeDebug, TurnResponse } from '../../contracts/practice.ts'
import type { TurnEnded } from '../../domain/practice/decide.ts'
import { keyOfProblem } from '../../domain/practice/key-of.ts'
import { reveals, safeHints } from '../../domain/practice/reveals.ts'
import { languageOf, type Practice } from '../../domain/practice/state.ts'
import type { Turn } from '../../domain/practice/turn.ts'
import { exampleIn } from '../../tutor/offline/explanations.ts'
import { cannedReply, lateOpening } from '../../tutor/steps/practice/canned.ts'
import { practiceWords } from '../../tutor/steps/practice/practice-words.ts'
import { remedyIn } from '../../tutor/wording.ts'

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
function outputOf(practice: Practice, ended: TurnEnded, turn: Turn | null, late: Turn[]): string {
  const { problems, state } = practice
  const { reply } = ended
  const words = practiceWords(languageOf(practice))
  const parts = late.map((each) => {
    if (each.completed) return `${lateOpening(each, words)} ${words.over}`
    const opened = each.opened === null ? undefined : problems[each.opened]
    const opening = lateOpening(each, words)
    return opened ? `${opening} ${words.next(opened.text)}` : opening
  })
  if (!turn) return parts.join('\n\n')
  const problem = turn.problemIndex === null ? undefined : problems[turn.problemIndex]
  parts.push(reply?.text ?? canned(practice, ended, turn))
  const solution = ended.taken.find((taken) => taken.turn === turn)?.solution ?? null
  if (solution !== null) parts.push(words.solution(solution))
  if (turn.putsMainAgain && reply && problem) parts.push(problem.text)
  if (turn.skipOffered) parts.push(words.skipOffer)
  if (turn.completed) parts.push(words.over)
  const next = problems[state.progress.index]
  const explainedPrevious = turn.mode === 'answer' && turn.teachBack === 'ended'
  const shows = turn.opened !== null || (explainedPrevious && turn.action === 'CONTINUE')
  if (shows && next) parts.push(words.next(next.text))
  return parts.join('\n\n')
}

/** A turn in code's words. */
export function canned(
  practice: Practice,
  ended: Pick<TurnEnded, 'message' | 'taken' | 'smaller' | 'passage'>,
  turn: Turn,
): string {
  const { isOfArc, hasTeacher, problems, state } = practice
  const { smaller, message, passage } = ended
  const index = turn.problemIndex ?? -1
  const problem = problems[index]
  const taken = ended.taken.find((each) => each.turn === turn)
  const isSafe = (text: string) => !problem || !reveals(text, keyOfProblem(problem), problem.text)
  const safe = (text: string | null | undefined) => (text && isSafe(text) ? text : null)
  const language = languageOf(practice)
  const words = practiceWords(language)
  const method = problem?.help?.method ?? null
  const remedy = taken?.remedy ?? null
  const { progress } = state
  const total = progress.implicit ? null : problems.length
  const wasShown = state.progress.problems[index]?.shown ? 'before' : null
  return cannedReply({
    turn,
    problemText: problem?.text ?? '',
    hints: problem ? safeHints(problem) : [],
    method: safe(method && exampleIn(language, method)),
    remedy: remedy && remedyIn(language, remedy),
    misconception: taken?.misconception ?? null,
    smaller,
    stepAnswer: safe(message.smaller && words.stepAnswer(message.smaller.expected)),
    passage,
    solution: taken?.solution ? 'now' : wasShown,
    showsSolution: isOfArc && (problem?.help?.solution ?? null) !== null,
    hasTeacher,
    words,
    place: turn.problemIndex === null ? null : { number: index + 1, total },
    unread: progress.problems[index]?.unread ?? 0,
  })
}
