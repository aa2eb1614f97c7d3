import { type Selectable, sql } from 'kysely'
import type { QuestionSet } from '../../contracts/practice.ts'
import type { Db, DbOrTrx } from '../database.ts'
import type { Database } from '../schema.ts'

/** A set by its owner's id for it, or null; without an integration the owner is Meno itself. */
export async function findQuestionSet(
  db: DbOrTrx,
  integrationId: string | null,
  setId: string,
): Promise<Selectable<Database['question_sets']> | null> {
  const row = await db
    .selectFrom('question_sets')
    .selectAll()
    .where('integration_id', 'is not distinct from', integrationId)
    .where('question_set_id', '=', setId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Stores a set. The same set again changes nothing.
 * @returns false where another set has that id
 */
export async function createQuestionSet(
  db: Db,
  integrationId: string | null,
  set: QuestionSet,
): Promise<boolean> {
  const title = set.title ?? set.question_set_id
  const stored = await db
    .insertInto('question_sets')
    .values({
      integration_id: integrationId,
      question_set_id: set.question_set_id,
      title,
      problems: JSON.stringify(set.problems),
    })
    .onConflict((conflict) => conflict.columns(['integration_id', 'question_set_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (stored) return true
  const known = await findQuestionSet(db, integrationId, set.question_set_id)
  return known?.title === title && sameProblems(known.problems, set.problems)
}

function sameProblems(a: QuestionSet['problems'], b: QuestionSet['problems']): boolean {
  const plain = (problems: QuestionSet['problems']) =>
    JSON.stringify(
      problems.map(({ id, text, correct_answer, hints, tags }) => [
        id,
        text,
        correct_answer,
        hints,
        tags,
      ]),
    )
  return plain(a) === plain(b)
}

/** The sets that the owner has stored, the newest first. */
export async function listQuestionSets(
  db: DbOrTrx,
  integrationId: string | null,
): Promise<{ questionSetId: string; title: string; problems: number }[]> {
  return db
    .selectFrom('question_sets')
    .select(['question_set_id as questionSetId', 'title'])
    .select(sql<number>`jsonb_array_length(problems)`.as('problems'))
    .where('integration_id', 'is not distinct from', integrationId)
    .orderBy('created_at', 'desc')
    .execute()
}
