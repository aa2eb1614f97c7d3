import { type CompiledQuery, sql } from 'kysely'
import type { Db, Reader } from '../store/database.ts'
import { askedFor } from './search.ts'
import { searchConfig } from './search-config.ts'

/** A piece of a lesson. */
export interface Passage {
  section: string
  text: string
}

/** How many passages are looked through for one that may be shown. */
const PASSAGES = 12
/** What the words of the problem count beside those of the question: they tell which passage "that" may mean. */
const ABOUT = 0.2

/**
 * The passages of a unit's material that fit a question about something best, the best first. Titles do not count: a
 * unit's own name would bring the opening of its lesson to every question. Nor does what
 * is listed as a mistake: nobody is told that as an answer.
 */
export async function passagesOf(
  db: Db,
  reader: Reader,
  asked: { courseId: string; unitId: string; language: string; text: string; about: string },
): Promise<Passage[]> {
  const { courseId, unitId, language, text, about } = asked
  const query = sql<Passage>`
    with asked as (${askedFor(language, text)}), about as (${askedFor(language, about)})
    select section, text from unit_content_chunks cross join asked cross join about,
      to_tsvector(${searchConfig(language)}::regconfig, unaccent(text)) as words
    where course_id = ${courseId} and unit_id = ${unitId} and chunk_type <> 'misconception'
    order by coalesce(ts_rank(words, asked.query, 1), 0)
        + ${ABOUT} * coalesce(ts_rank(words, about.query, 1), 0) desc,
      source_id, position
    limit ${PASSAGES}`.compile(db)
  const [passages] = await reader.read(query)
  return passages
}

/** The text that has most to do with a question; the first where none has, null where there are none. */
export async function closestText(
  db: Db,
  reader: Reader,
  texts: readonly string[],
  question: string,
): Promise<string | null> {
  if (texts.length === 0) return null
  const [rows] = await reader.read(nearest(db, texts, question))
  return rows[0]?.text ?? null
}

const nearest = (
  db: Db,
  texts: readonly string[],
  question: string,
): CompiledQuery<Pick<Passage, 'text'>> =>
  sql<Pick<Passage, 'text'>>`
    with asked as (${askedFor('en', question)})
    select text from unnest(${texts}::text[]) with ordinality as given (text, place) cross join asked
    order by coalesce(ts_rank(to_tsvector(${searchConfig('en')}::regconfig, unaccent(text)),
      asked.query), 0) desc, place
    limit 1`.compile(db)
