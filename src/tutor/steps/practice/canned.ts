import type { SmallerQuestion } from '../../../domain/practice/state.ts'
import type { Turn } from '../../../domain/practice/turn.ts'

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
}

/** A reply in the tutor's own words: the verdict of code, and what the problem brings along; nothing is made up. */
export function cannedReply(request: CannedRequest): string {
  const { turn, problemText } = request
  const again = `The problem again: ${problemText}`
  switch (turn.category) {
    case 'correct':
      return correct(request)
    case 'close':
      if (!turn.isMainAttempt) return smallerStep(request, 'Close, but not quite.')
      return join('Close, but not quite.', help(request, 'Check your last step.'))
    case 'wrong_operation':
      if (!turn.isMainAttempt) return smallerStep(request, 'Not quite.')
      return join('Not yet.', help(request, 'Look again at what is asked, and at the signs.'))
    case 'conceptual_question':
      return join(
        request.passage ?? 'I have nothing on that here.',
        '\n\n',
        turn.mode !== 'teach-back' ? again : askedAgain(turn),
      )
    case 'stuck':
      return stuck(request)
    case 'scaffold_progress':
      return smallerStep(request, 'Good, that step is right.')
    case 'teach_back_explanation':
      return 'Thank you for explaining.'
    case 'off_topic':
      return offTopic(turn, again)
    case 'skip':
      if (turn.teachBack === 'ended') return 'All right, we leave the explanation.'
      return request.solution === 'now'
        ? 'All right. This is how it goes.'
        : 'All right, we skip this one.'
    case 'unjudged':
      return 'I cannot read that as an answer, so it does not count as an attempt. You can write just your answer, or say “stuck” or “skip”.'
  }
}

function correct({ turn, solution }: CannedRequest): string {
  if (solution === 'before') return 'Yes, that is the answer.'
  if (turn.teachBack === 'opened') {
    return 'That is right! Explain in a sentence or two how you got there.'
  }
  if (turn.completed) return 'That is right, well done!'
  return 'That is right, well done! If you like, tell me how you got there.'
}

function askedAgain({ teachBack }: Turn): string | null {
  return teachBack === 'ended' ? null : 'And how did you get your own answer?'
}

function offTopic(turn: Turn, again: string): string {
  if (turn.problemIndex === null) return 'There is no problem open at the moment.'
  if (turn.teachBack === 'ended') return 'All right, we leave the explanation.'
  if (turn.mode === 'teach-back') return 'Before we go on: how did you get your answer?'
  return join('Let us come back to it.', again)
}

/** Who is stuck gets a smaller question, else a hint; who is stuck for good, the solution or a way out. */
function stuck(request: CannedRequest): string {
  const { turn, problemText, smaller, stepAnswer, solution, showsSolution, hasTeacher } = request
  if (solution === 'now') {
    return join(told(request), 'This one is hard. This is how it goes.')
  }
  if (solution === 'before') {
    return 'The solution stands above. Write down its answer, or say “skip” to go on.'
  }
  if (smaller) {
    const lead = turn.depth > 1 ? 'Let us take another step.' : 'Let us take a smaller step.'
    return join(stepAnswer, told(request), lead, smaller.question)
  }
  const isHelpless = turn.action === 'INTERVENE' && !hasTeacher && showsSolution
  const wayOut = isHelpless ? 'You can also say “show me” and see how it goes.' : null
  const hinted = help(request, 'Write down what you know, and what is asked for.')
  return join(
    told(request),
    'Let us take a smaller step.',
    hinted,
    wayOut,
    `With that in mind: ${problemText}`,
  )
}

/** A step of scaffolding leads back to the problem itself; a smaller question left unsolved is answered. */
function smallerStep(request: CannedRequest, opening: string): string {
  const { turn, problemText } = request
  const isRight = turn.category === 'scaffold_progress'
  const answer = isRight ? null : request.stepAnswer
  const next = answer || isRight || turn.putsMainAgain ? null : help(request, null)
  return join(opening, told(request), answer, next, `With that in mind: ${problemText}`)
}

const told = ({ turn, hasTeacher }: CannedRequest): string | null =>
  turn.action === 'INTERVENE' && hasTeacher
    ? 'I have told your teacher that this one is hard.'
    : null

/** What sets the mistake right, else the next hint, else the method, each once; then the ways out. */
function help(request: CannedRequest, without: string | null): string | null {
  const { turn, hints, method, remedy, showsSolution } = request
  if (remedy !== null) return remedy
  const place = hints.length === 0 ? whereabouts(request) : null
  if (turn.hint === null) return place ?? without
  const hint = hints[turn.hint]
  if (hint !== undefined) return `Hint: ${hint}`
  if (method !== null && turn.hint === hints.length) {
    return `You have had every hint. This is how such a problem is done.\n\n${method}\n\n`
  }
  if (hints.length === 0 && turn.hint === 0) return place ?? without
  const ways = showsSolution ? '“show me” for the solution, or “skip”' : '“skip” to leave it'
  return join(
    place,
    `You have had all the help that I have for this one. Try again, or say ${ways}.`,
  )
}

const WHEREABOUTS: Record<string, string> = {
  'sign error': 'Look at the sign once more.',
  'place value': 'Look where the decimal point belongs.',
  'inverted fraction': 'Look what is divided by what.',
  'opposite operation': 'Look which operation is asked for.',
  'ignored a sign': 'One of the signs has got lost.',
  'off by one': 'You are very near: count once more.',
}

const whereabouts = ({ misconception }: CannedRequest): string | null =>
  misconception === null ? null : (WHEREABOUTS[misconception] ?? null)

function join(...parts: (string | null)[]): string {
  return parts
    .filter(Boolean)
    .join(' ')
    .replace(/ *\n\n */g, '\n\n')
}

/** How a verdict that came late opens the next reply. */
export function lateOpening(turn: Turn): string {
  switch (turn.category) {
    case 'correct':
      return 'About your earlier answer: it was right!'
    case 'close':
      return 'About your earlier answer: it was close, but not quite right.'
    case 'wrong_operation':
      return 'About your earlier answer: it was not right yet.'
    default:
      return 'About your earlier message: I have read it now.'
  }
}

/** What a smaller question that was left unsolved comes to. */
export const stepAnswer = ({ expected }: SmallerQuestion): string =>
  `The answer to that step is ${expected}.`

export const SKIP_OFFER = 'If you would rather leave this one, say “skip”.'
export const solutionShown = (solution: string): string => `**Solution.** ${solution}`
export const SESSION_OVER = 'That was the last problem of this session.'
export const nextProblem = (text: string): string => `Next problem: ${text}`
