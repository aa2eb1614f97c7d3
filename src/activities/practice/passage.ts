import type { Course } from '../../contracts/course-pack.ts'
import { keyOfProblem } from '../../domain/practice/key-of.ts'
import { reveals, safeHints } from '../../domain/practice/reveals.ts'
import { languageOf, type Practice, type TakenMessage } from '../../domain/practice/state.ts'
import { closestText, passagesOf } from '../../retrieval/passages.ts'
import type { Db, Reader } from '../../store/database.ts'
import { saidInTurns } from '../../store/practice/reads.ts'
import { definitionFor } from '../../tutor/offline/definitions.ts'
import { passageIn } from '../../tutor/offline/explanations.ts'
import { practiceWords } from '../../tutor/steps/practice/practice-words.ts'

/** Where a question about a problem is looked up. */
export interface Material {
  db: Db
  /** What practised units belong to. */
  courses: readonly Course[]
}

/**
 * What the material says to a question about a problem: what a word means that is asked about, a passage of its unit's
 * lesson, else the hint of the session that is nearest to it; what was said lately is not said again. Null where there is
 * nothing else that would not give the answer away.
 */
export async function passageFor(
  { db, courses }: Material,
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
  const language = languageOf(practice)
  if (unit) {
    const course = courses.find(({ courseId }) => courseId === unit.courseId)
    const taught = course?.units.find(({ unitId }) => unitId === unit.unitId) ?? null
    const meaning = course ? definitionFor(course, text, taught, language) : null
    if (meaning && isSafe(meaning)) return meaning
    const passages = await passagesOf(db, reader, { ...unit, text, about: problem.text })
    const passage = passages
      .map((found) => passageIn(language, found, taught))
      .find((said) => isSafe(said))
    if (passage) return passage
  }
  const hints = [problem, ...problems].flatMap(safeHints).filter(isSafe)
  const hint = await closestText(db, reader, [...new Set(hints)], text)
  return hint && practiceWords(language).mayHelp(hint)
}
