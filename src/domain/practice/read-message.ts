import type { AnswerKey } from '../answers/answer-key.ts'
import { judgeAnswer } from '../answers/judge.ts'
import { compareNumbers, readNumber } from '../notation/numbers.ts'
import { looksLikeQuestion, readCommand } from '../talk/commands.ts'
import { isTalk, readWish } from '../talk/wishes.ts'
import { saidNumbers } from './said-numbers.ts'
import type { Category, Mode } from './session.ts'
import type { Classification, SmallTalk } from './turn.ts'

/** A student's message with what is needed to read it. */
export interface MessageToRead {
  text: string
  mode: Mode
  /** Whether the explanation of the problem before was invited. */
  invited: boolean
  /** The problem in hand; null while none is open. */
  problem: { text: string; key: AnswerKey } | null
  /** The smaller question that is open in scaffolding; null where the problem itself was put again. */
  scaffold: { question: string; key: AnswerKey | null } | null
  /** Whether who asks for the solution is shown it, and so gives the problem up. */
  showsSolution: boolean
}

/** A reading with the value that was said, exactly as extracted. */
export type Reading = Classification & { value: string | null }

/**
 * What code makes of a message: a verdict, or the question for the model that has to read it. `without` is what holds
 * where no model is there to ask.
 */
export type CodeReading =
  | { by: 'code'; reading: Reading }
  | { by: 'model'; ask: 'extract' | 'judge'; without: Reading }

const MIN_EXPLANATION_WORDS = 4
const REASONING =
  /\b(?:because|cause|since|so|then|first|next|after|add(?:ed|ing)?|plus|minus|subtract(?:ed|ing)?|take|took|away|count(?:ed|ing)?|move[ds]?|multipl\w*|divid\w*|equals?|from|left|right|steps?|line|sign|same|both|sides?|rule|half|double|negative|positive|how|when|if)\b|[\d=+]/i
/** A question in the form of a request. */
const ASKS =
  /^(?:please )?(?:explain|tell me (?:about|why|how|more)|remind me|i (?:want|would like) to know|i (?:wonder|was wondering))\b/i
/** A wish for another explanation of who does not get on. */
const TOO_HARD =
  /underst|\b(?:get|got) (?:it|this|that)|confus|hard|difficult|complicat|no idea|verst|kapier|schwer|verwirr/i
const STUCK = /\b(?:stuck|no idea|don'?t (?:know|get|understand)|confus\w*|lost|help)\b/i

/**
 * Reads a message by code, before any model's opinion: commands, then answers it can judge. In scaffolding the smaller
 * question's own answer comes first, and the problem's only where it is exactly right.
 */
export function readMessage(message: MessageToRead): CodeReading {
  const { text, mode, problem } = message
  const spoken = isAnswerInWords(message) ? null : spokenIn(message)
  if (spoken === 'skip') return decided('skip')
  if (spoken !== null && typeof spoken === 'object') return decided('off_topic', spoken)
  if (mode === 'idle' || problem === null) return idle(message)
  if (spoken !== null) return decided(spoken)
  if (mode === 'teach-back') return teachBack(text, problem)
  const smaller = mode === 'scaffold' ? smallerVerdict(message) : null
  const judgement = judgeAnswer(text, problem.key, { text: problem.text })
  const isOtherWording = problem.key.type === 'text' && judgement.verdict === 'wrong'
  const category = isOtherWording ? undefined : CATEGORY[judgement.verdict]
  const value = judgement.value ?? null
  if (smaller === 'correct') {
    const answersBoth = category === 'correct'
    return decided('scaffold_progress', { value, answersBoth })
  }
  if (category === 'correct' || (category && message.scaffold === null)) {
    return decided(category, { value, isMainAttempt: true })
  }
  if (message.scaffold) {
    const without = smaller ?? (category ? 'wrong_operation' : guess(message))
    return { by: 'model', ask: 'judge', without: reading(without, { value }) }
  }
  const ask = problem.key.type === 'text' && !message.invited ? 'judge' : 'extract'
  return { by: 'model', ask, without: reading(guess(message)) }
}

/** What a category from a message is, where it was found without a model. */
const reading = (category: Category, rest: Partial<Reading> = {}): Reading => ({
  category,
  isMainAttempt: false,
  value: null,
  ...rest,
})

const decided = (category: Category, rest: Partial<Reading> = {}): CodeReading => ({
  by: 'code',
  reading: reading(category, rest),
})

const CATEGORY: Record<string, 'correct' | 'close' | 'wrong_operation' | undefined> = {
  correct: 'correct',
  close: 'close',
  wrong: 'wrong_operation',
}

type Spoken = 'skip' | 'stuck' | 'conceptual_question' | { talk: SmallTalk }

/** What a message is by its words alone: a command, a wish, or a word beside the problem. */
function spokenIn({ text, mode, showsSolution }: MessageToRead): Spoken | null {
  const command = readCommand(text)
  switch (command) {
    case 'skip':
      return 'skip'
    case 'show':
      return showsSolution && mode !== 'teach-back' ? 'skip' : 'stuck'
    case 'stuck':
    case 'hint':
    case 'help':
    case 'dont_know':
      return 'stuck'
    case 'pause':
      return { talk: 'leave' }
    case 'practice':
      return { talk: 'resume' }
    case 'contest':
    case 'plan':
    case 'resume':
      return { talk: command }
  }
  const wish = readWish(text)
  switch (wish) {
    case null:
    case 'diagnose':
      return null
    case 'skip_concept':
      return 'skip'
    case 'time':
      return { talk: 'plan' }
    case 'know_this':
      return { talk: wish }
    case 'explain':
      return TOO_HARD.test(text) ? 'stuck' : 'conceptual_question'
    case 'example':
    case 'method':
      return 'conceptual_question'
    default:
      return isTalk(wish) ? { talk: wish } : null
  }
}

/** Words that could be a wish are an answer where they are the right one: `pass` may be what is asked for. */
const isAnswerInWords = ({ text, problem, mode }: MessageToRead): boolean =>
  problem !== null &&
  mode !== 'idle' &&
  mode !== 'teach-back' &&
  judgeAnswer(text, problem.key, { text: problem.text }).verdict === 'correct'

function idle({ text, invited }: MessageToRead): CodeReading {
  return decided(invited && isExplanation(text) ? 'teach_back_explanation' : 'off_topic')
}

/** While an explanation is wanted, prose is one, and a bare answer is none. */
function teachBack(text: string, problem: NonNullable<MessageToRead['problem']>): CodeReading {
  if (looksLikeQuestion(text)) return decided('conceptual_question')
  const { verdict } = judgeAnswer(text, problem.key, { text: problem.text })
  if (problem.key.type !== 'text' && verdict !== 'unjudged') return decided('off_topic')
  const words = wordsOf(text)
  if (words < 2 || readNumber(text) !== null) return decided('off_topic')
  const without = isExplanation(text) ? 'teach_back_explanation' : 'off_topic'
  return { by: 'model', ask: 'extract', without: reading(without) }
}

/** The verdict on the smaller question by its own expected answer, where code can read both. */
function smallerVerdict({ text, scaffold }: MessageToRead): Category | null {
  if (!scaffold?.key) return null
  const { verdict } = judgeAnswer(text, scaffold.key, { text: scaffold.question })
  return CATEGORY[verdict] ?? null
}

/** Prose without a model to read it: never graded, only told apart as far as its form allows. */
function guess({ text, invited }: MessageToRead): Category {
  if (looksLikeQuestion(text) || ASKS.test(text)) return 'conceptual_question'
  if (invited && isExplanation(text)) return 'teach_back_explanation'
  return STUCK.test(text) && wordsOf(text) <= 12 ? 'stuck' : 'unjudged'
}

function isExplanation(text: string): boolean {
  if (looksLikeQuestion(text)) return false
  return wordsOf(text) >= MIN_EXPLANATION_WORDS && REASONING.test(text)
}

const wordsOf = (text: string) => text.trim().split(/\s+/).filter(Boolean).length

/** What the model found in a message: what was said, and what for. */
export interface Extracted {
  category:
    | 'answer'
    | 'teach_back_explanation'
    | 'conceptual_question'
    | 'stuck'
    | 'skip'
    | 'off_topic'
  value: string | null
}

/**
 * Makes a reading of what the model extracted. A value counts only if it stands in the message, and code judges it; null
 * where it is an answer that code cannot judge.
 */
export function settleExtraction(message: MessageToRead, extracted: Extracted): Reading | null {
  const { text, mode, problem, invited } = message
  if (extracted.category !== 'answer') return reading(extracted.category)
  if (mode === 'teach-back' || invited) return reading('teach_back_explanation')
  if (!problem) return reading('off_topic')
  const { value } = extracted
  if (value === null || !wasSaid(value, text)) return null
  const judgement = judgeAnswer(value, problem.key, { text: problem.text })
  const category = CATEGORY[judgement.verdict]
  if (!category) return null
  return reading(category, { value: judgement.value ?? value, isMainAttempt: true })
}

/** Whether a value stands in the text, as it is or as a number that is written there. */
function wasSaid(value: string, text: string): boolean {
  const plain = (raw: string) => raw.toLowerCase().replace(/[\s$]+/g, '')
  if (plain(value) !== '' && plain(text).includes(plain(value))) return true
  const number = readNumber(value)
  return number !== null && saidNumbers(text).some((said) => said.value === number)
}

/** The model's verdict on an answer that code could not judge, or on a step of scaffolding. */
export interface Judged {
  category: Exclude<Category, 'teach_back_explanation' | 'unjudged'>
  isMainAttempt: boolean
}

/**
 * Makes a reading of the model's verdict. Where the key is one that code reads, the model cannot declare a main answer
 * right whose number stands nowhere in the message.
 */
export function settleVerdict(message: MessageToRead, judged: Judged): Reading {
  const { problem, scaffold, text } = message
  const isAnswer = ['correct', 'close', 'wrong_operation'].includes(judged.category)
  if (!problem || !isAnswer) return reading(judged.category)
  const isMainAttempt = judged.isMainAttempt || scaffold === null
  if (!isMainAttempt) return reading(judged.category)
  if (judged.category === 'correct' && !mayBeCorrect(text, problem.key)) {
    return reading(scaffold ? 'wrong_operation' : 'unjudged')
  }
  return reading(judged.category, { isMainAttempt: true })
}

function mayBeCorrect(text: string, key: AnswerKey): boolean {
  if (key.type !== 'number') return true
  const expected = readNumber(key.value)
  if (expected === null) return true
  return saidNumbers(text).some(({ value }) => compareNumbers(value, expected) === 'correct')
}
