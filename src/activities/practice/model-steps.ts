import { messageToRead } from '../../domain/practice/decide.ts'
import { keyOfProblem } from '../../domain/practice/key-of.ts'
import type { Reading } from '../../domain/practice/read-message.ts'
import { reveals, safeHints } from '../../domain/practice/reveals.ts'
import {
  languageOf,
  type OpenTurn,
  type Practice,
  type PracticeReply,
  type TakenMessage,
} from '../../domain/practice/state.ts'
import type { Turn } from '../../domain/practice/turn.ts'
import { type Db, readerOf } from '../../store/database.ts'
import { readMemory } from '../../store/practice/reads.ts'
import type { Answer, Live, Mind } from '../../tutor/mind.ts'
import type { MessageInSession } from '../../tutor/steps/practice/message.ts'
import { practiceWords } from '../../tutor/steps/practice/practice-words.ts'
import { reply } from '../../tutor/steps/practice/reply.ts'
import { judgeMessage } from '../../tutor/steps/practice/verdict.ts'
import { remedyIn } from '../../tutor/wording.ts'
import { type Material, passageFor } from './passage.ts'
import { canned } from './response.ts'

/** A message with all that a mind may know. */
async function about(db: Db, practice: Practice, message: TakenMessage): Promise<MessageInSession> {
  const { sessionId, problems } = practice
  const read = messageToRead(practice, message)
  const { smaller } = message
  const question = smaller && practiceWords(languageOf(practice)).smaller(smaller)
  return {
    message:
      read.scaffold && question ? { ...read, scaffold: { ...read.scaffold, question } } : read,
    correctAnswer: problems[message.problemIndex]?.correct_answer ?? '',
    scaffoldExpected: message.smaller?.expected ?? null,
    memory: await readMemory(db, sessionId, message.memory),
  }
}

/**
 * Reads a message that code could not read.
 * @throws {TutorFailure}
 */
export async function judge(
  db: Db,
  mind: Mind,
  practice: Practice,
  message: TakenMessage,
  live: Live,
): Promise<Answer<Reading>> {
  return judgeMessage(mind, await about(db, practice, message), live)
}

/**
 * Words the reply of a turn; one that gives an answer away which is not earned yet is replaced by code's.
 * @throws {TutorFailure}
 */
export async function word(
  material: Material,
  mind: Mind,
  practice: Practice,
  { message, taken }: OpenTurn,
  live: Live,
): Promise<Answer<PracticeReply>> {
  const turn = taken.at(-1)?.turn
  if (!turn) throw new Error('the turn has not been judged')
  const problemIndex = turn.problemIndex ?? message.problemIndex
  const { problems, state } = practice
  const problem = problems[problemIndex]
  const asks = turn.category === 'conceptual_question' && turn.problemIndex !== null
  const passage = asks ? await passageFor(material, readerOf(material.db), practice, message) : null
  const remedy = taken.at(-1)?.remedy ?? null
  const request = {
    ...(await about(material.db, practice, { ...message, problemIndex })),
    turn,
    hints: problem ? safeHints(problem) : [],
    remedy: remedy && remedyIn(languageOf(practice), remedy),
    solution: taken.at(-1)?.solution ?? null,
    passage,
    inCode: canned(practice, { message, taken, smaller: null, passage }, turn),
  }
  const answer = await mind.run(reply, request, live)
  const isShown = (taken.at(-1)?.solution ?? null) !== null
  const leaks = problems.some((each, index) => {
    const isUnearned = index === turn.problemIndex && !isEarned(turn) && !isShown
    const isInHand = index === state.progress.index && !(isShown && index === turn.problemIndex)
    if (!isInHand && !isUnearned) return false
    return reveals(answer.output.text, keyOfProblem(each), each.text)
  })
  return leaks ? { ...answer, output: reply.offline(request) } : answer
}

/** Whether the student has earned the answer of the turn's problem: it was given, or it was solved before. */
const isEarned = (turn: Turn): boolean =>
  turn.category === 'correct' || turn.mode === 'teach-back' || turn.teachBack === 'ended'
