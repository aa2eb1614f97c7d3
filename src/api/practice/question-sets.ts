import { promises as fs } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import type { Dependencies } from '../../commands/context.ts'
import { notFound, Problem } from '../../commands/problem.ts'
import { type PracticeProblem, QuestionSet } from '../../contracts/practice.ts'
import { findQuestionSet } from '../../store/practice/question-sets.ts'

const loaded = new Map<string, Promise<QuestionSet[]>>()

/**
 * The question sets that come with the course packs, read once.
 * @throws Error naming the file that breaks the format
 */
export function builtInSets(coursesFolder: string): Promise<QuestionSet[]> {
  const folder = path.join(coursesFolder, 'question-sets')
  const known = loaded.get(folder) ?? readSets(folder)
  loaded.set(folder, known)
  return known
}

/** What the built-in sets are called, by their id. */
export async function builtInTitles(coursesFolder: string): Promise<Map<string, string>> {
  const sets = await builtInSets(coursesFolder)
  return new Map(sets.map(({ question_set_id: id, title = id }) => [id, title]))
}

async function readSets(folder: string): Promise<QuestionSet[]> {
  const files = await fs.readdir(folder).catch(() => [])
  return Promise.all(
    files
      .filter((file) => file.endsWith('.yml'))
      .sort()
      .map(async (file) => {
        const read = QuestionSet.safeParse(
          parse(await fs.readFile(path.join(folder, file), 'utf8')),
        )
        if (read.success) return read.data
        throw new Error(`${file}: ${read.error.message}`)
      }),
  )
}

/**
 * The problems of a session to be: of the caller's own set of that id, or of a built-in one, in the order asked for.
 * @throws {Problem} 404 for an unknown set, 422 for a problem that is not in it
 */
export async function chooseProblems(
  { db, config }: Dependencies,
  integrationId: string | null,
  setId: string,
  problemIds: readonly string[] | undefined,
): Promise<PracticeProblem[]> {
  const own = await findQuestionSet(db, integrationId, setId)
  const builtIn = await builtInSets(config.coursesFolder)
  const problems =
    own?.problems ?? builtIn.find(({ question_set_id }) => question_set_id === setId)?.problems
  if (!problems) throw notFound('question set')
  if (!problemIds) return problems
  const byId = new Map(problems.map((problem) => [problem.id, problem]))
  const errors = problemIds.flatMap((id, index) =>
    byId.has(id)
      ? []
      : [{ pointer: `/problem_ids/${index}`, detail: `the set has no problem “${id}”` }],
  )
  if (errors.length > 0) {
    throw new Problem(422, errors.map(({ detail }) => detail).join('; '), { errors })
  }
  return problemIds.flatMap((id) => byId.get(id) ?? [])
}
