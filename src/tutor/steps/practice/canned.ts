import type { SmallerQuestion } from '../../../domain/practice/state.ts'
import type { Turn } from '../../../domain/practice/turn.ts'
import type { Place, PracticeWords } from './practice-words.ts'

/** What a reply without a model is made from. */
export interface CannedRequest {
  turn: Turn
  problemText: string
  /** The problem's own that give nothing away. */
  hints: string[]
  /** A worked example of its kind that gives nothing away. */
  method: string | null
  /** What sets right the mistake that was made. */
  remedy: string | null
  /** The smaller question that this reply asks. */
  smaller: SmallerQuestion | null
  /** The answer of the one that was open, where it may be told. */
  stepAnswer: string | null
  /** What the material says to the question that was asked. */
  passage: string | null
  /** Where the wrong answer went wrong, as far as arithmetic tells. */
  misconception: string | null
  /** Whether the solution stands in this reply, or in an earlier one. */
  solution: 'now' | 'before' | null
  /** Whether it is shown to who gives the problem up. */
  showsSolution: boolean
  hasTeacher: boolean
  words: PracticeWords
  /** The problem in hand; null where none is. */
  place: Place | null
  /** How many messages on the problem nobody could read, this one with them. */
  unread: number
}

/** A reply in the tutor's own words: the verdict of code, and what the problem brings along; nothing is made up. */
export function cannedReply(request: CannedRequest): string {
  const { turn, problemText, words } = request
  const again = words.again(problemText)
  switch (turn.category) {
    case 'correct':
      return correct(request)
    case 'close':
      if (!turn.isMainAttempt) return smallerStep(request, words.close)
      return join(words.close, help(request, words.checkLastStep))
    case 'wrong_operation':
      if (!turn.isMainAttempt) return smallerStep(request, words.notQuite)
      return join(words.notYet, help(request, words.lookAgain))
    case 'conceptual_question':
      return join(
        request.passage ?? words.nothingOnThat,
        '\n\n',
        turn.mode !== 'teach-back' ? again : askedAgain(request),
      )
    case 'stuck':
      return stuck(request)
    case 'scaffold_progress':
      return smallerStep(request, words.stepRight)
    case 'teach_back_explanation':
      return words.thanksForExplaining
    case 'off_topic':
      return offTopic(request, again)
    case 'skip':
      if (turn.teachBack === 'ended') return words.leaveExplanation
      return request.solution === 'now' ? words.thisIsHow : words.skipped
    case 'unjudged':
      return request.unread % 2 === 0 ? words.unreadAgain : words.unread
  }
}

function correct({ turn, solution, words }: CannedRequest): string {
  if (solution === 'before') return words.thatIsIt
  if (turn.teachBack === 'opened') {
    return words.rightExplain
  }
  return turn.completed ? words.rightDone : words.rightInvite
}

function askedAgain({ turn, words }: CannedRequest): string | null {
  return turn.teachBack === 'ended' ? null : words.howYourOwn
}

function offTopic(request: CannedRequest, again: string): string {
  const { turn, words, place } = request
  const { talk = null } = turn
  if (talk === 'leave') return words.leave(place)
  if (talk === 'distress') return words.talk.distress
  const plan = talk === 'plan' && place ? words.plan(place) : null
  const said = talk === null || talk === 'plan' ? plan : words.talk[talk]
  if (turn.problemIndex === null) return join(said, words.noProblem)
  if (turn.teachBack === 'ended') return join(said, words.leaveExplanation)
  if (turn.mode === 'teach-back') return join(said, words.howBefore)
  return join(said ?? words.comeBack, again)
}

/** Who is stuck gets a smaller question, else a hint; who is stuck for good, the solution or a way out. */
function stuck(request: CannedRequest): string {
  const { turn, problemText, smaller, stepAnswer, solution, words } = request
  const { showsSolution, hasTeacher } = request
  if (solution === 'now') {
    return join(told(request), words.hardThisIsHow)
  }
  if (solution === 'before') {
    return words.solutionAbove
  }
  if (smaller) {
    const lead = turn.depth > 1 ? words.anotherStep : words.smallerStep
    return join(stepAnswer, told(request), lead, words.smaller(smaller))
  }
  const isHelpless = turn.action === 'INTERVENE' && !hasTeacher && showsSolution
  const wayOut = isHelpless ? words.sayShow : null
  const hinted = help(request, words.writeDown)
  return join(told(request), words.smallerStep, hinted, wayOut, words.withThat(problemText))
}

/** A step of scaffolding leads back to the problem itself; a smaller question left unsolved is answered. */
function smallerStep(request: CannedRequest, opening: string): string {
  const { turn, problemText, words } = request
  const isRight = turn.category === 'scaffold_progress'
  const answer = isRight ? null : request.stepAnswer
  const next = answer || isRight || turn.putsMainAgain ? null : help(request, null)
  return join(opening, told(request), answer, next, words.withThat(problemText))
}

const told = ({ turn, hasTeacher, words }: CannedRequest): string | null =>
  turn.action === 'INTERVENE' && hasTeacher ? words.toldTeacher : null

/** What sets the mistake right, else the next hint, else the method, each once; then the ways out. */
function help(request: CannedRequest, without: string | null): string | null {
  const { turn, hints, method, remedy, showsSolution, words } = request
  if (remedy !== null) return remedy
  const place = hints.length === 0 ? whereabouts(request) : null
  if (turn.hint === null) return place ?? without
  const hint = hints[turn.hint]
  if (hint !== undefined) return words.hint(hint)
  if (method !== null && turn.hint === hints.length) {
    return `${words.everyHint}\n\n${method}\n\n`
  }
  if (hints.length === 0 && turn.hint === 0) return place ?? without
  return join(place, words.allTheHelp(showsSolution))
}

const whereabouts = ({ misconception, words }: CannedRequest): string | null =>
  misconception === null ? null : (words.whereabouts[misconception] ?? null)

function join(...parts: (string | null)[]): string {
  return parts
    .filter(Boolean)
    .join(' ')
    .replace(/ *\n\n */g, '\n\n')
}

/** How a verdict that came late opens the next reply. */
export function lateOpening({ category }: Turn, { late }: PracticeWords): string {
  const isVerdict = category === 'correct' || category === 'close' || category === 'wrong_operation'
  return isVerdict ? late[category] : late.other
}
