import { keyOfProblem } from '../../domain/practice/key-of.ts'
import { reveals, safeHints } from '../../domain/practice/reveals.ts'
import { languageOf, type Practice, type TakenMessage } from '../../domain/practice/state.ts'
import { closestText, passagesOf } from '../../retrieval/passages.ts'
import type { Db, Reader } from '../../store/database.ts'
import { saidInTurns } from '../../store/practice/reads.ts'
import { practiceWords } from '../../tutor/steps/practice/practice-words.ts'

/**
 * What the material says to a question about a problem: a passage of its unit's lesson, else the hint of the session that
 * is nearest to it; what was said lately is not said again. Null where there is nothing else that would not give the
 * answer away.
 */
export async function passageFor(
  db: Db,
  reader: Reader,
  practice: Practice,
  { text, problemIndex, memory }: TakenMessage,
): Promise<string | null> {
  const { sessionId, problems, state } = practice
  const problem = problems[problemIndex]
  if (!problem) return null
  // The problem in hand may be the next one already; neither answer is given away.
  const guarded = [problem, problems[state.progress.index] ?? problem]
  const turns = memory.map(({ turn }) => turn)
  const [before] = await reader.read(saidInTurns(db, sessionId, turns))
  const isNew = (said: string) => !before.some((reply) => reply.text.includes(said))
  const isSafe = (said: string) =>
    isNew(said) && !guarded.some((each) => reveals(said, keyOfProblem(each), each.text))
  const unit = problem.help?.unit
  if (unit) {
    const passages = await passagesOf(db, reader, { ...unit, text, about: problem.text })
    const passage = passages.find(({ text: said }) => isSafe(said))
    if (passage) return `**${passage.section}.** ${passage.text}`
  }
  const hints = [problem, ...problems].flatMap(safeHints).filter(isSafe)
  const hint = await closestText(db, reader, [...new Set(hints)], text)
  return hint && practiceWords(languageOf(practice)).mayHelp(hint)
}
