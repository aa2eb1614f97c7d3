import { sql } from 'kysely'
import { seededRandom } from '../src/domain/random/seeded-random.ts'
import { retrieve, searchAnchors } from '../src/retrieval/search.ts'
import type { Db } from '../src/store/database.ts'
import { readerOf } from '../src/store/database.ts'
import { freshDatabase } from '../test/support/database.ts'
import { startMenoProcess } from '../test/support/meno-process.ts'
import { median, tableLine, timed } from './support/statistics.ts'

const UNITS_PER_COURSE = 40
const CHUNKS_PER_UNIT = 25
const WORDS = 4_000
const WORDS_PER_CHUNK = 120
const SIZES = [5_000, 50_000]
const SEARCHES = 200

export interface RetrievalCost {
  chunks: number
  retrieveP50: number
  anchorsP50: number
}

/** Fills the collections of an empty database up to each size in turn and measures there; times in milliseconds. */
export async function measureRetrieval(
  db: Db,
  sizes: readonly number[],
  searches: number,
): Promise<RetrievalCost[]> {
  const random = seededRandom(3)
  const costs: RetrievalCost[] = []
  let courses = 0
  for (const chunks of sizes) {
    const wanted = Math.ceil(chunks / (UNITS_PER_COURSE * CHUNKS_PER_UNIT))
    for (; courses < wanted; courses += 1) await addCourse(db, `course-${courses}`, random)
    await sql`analyze`.execute(db)
    const retrieveTimes: number[] = []
    const anchorTimes: number[] = []
    for (let n = 0; n < searches + 20; n += 1) {
      const courseId = `course-${Math.floor(random() * courses)}`
      const text = Array.from({ length: 8 }, () => word(random)).join(' ')
      const scopedUnitIds = Array.from({ length: 6 }, (_, k) => unit((n + k) % UNITS_PER_COURSE))
      const focusUnitId = scopedUnitIds[0] ?? ''
      const scope = { courseId, language: 'en', text }
      const [, retrieved] = await timed(() =>
        retrieve(db, readerOf(db), {
          ...scope,
          scopedUnitIds,
          focusUnitId,
          desiredExamTier: 'bronze',
          behind: [],
        }),
      )
      const [, mapped] = await timed(() => searchAnchors(db, readerOf(db), scope))
      if (n < 20) continue
      retrieveTimes.push(retrieved)
      anchorTimes.push(mapped)
    }
    costs.push({ chunks, retrieveP50: median(retrieveTimes), anchorsP50: median(anchorTimes) })
  }
  return costs
}

const unit = (n: number) => `U-${String(n).padStart(2, '0')}`
/** Words as frequent as in a language: few very often, most of them rarely. */
const word = (random: () => number) => `word${Math.floor(WORDS * random() ** 3).toString(36)}ish`

async function addCourse(db: Db, courseId: string, random: () => number): Promise<void> {
  const vector = (text: string) => sql<string>`to_tsvector('english', ${text})`
  const textOf = (words: number) => Array.from({ length: words }, () => word(random)).join(' ')
  for (let n = 0; n < UNITS_PER_COURSE; n += 1) {
    const unitId = unit(n)
    const title = textOf(3)
    const anchor = textOf(40)
    await db
      .insertInto('unit_anchors')
      .values({
        course_id: courseId,
        unit_id: unitId,
        title,
        aliases: [title, textOf(2), textOf(2)],
        anchor_text: anchor,
        search: vector(anchor),
        tags: [],
        misconceptions: [],
      })
      .execute()
    await sql`
      insert into unit_anchor_terms (course_id, unit_id, term, weight)
      select ${courseId}, ${unitId}, lexeme, 0.6 from unnest(${vector(`${title} ${anchor}`)})
      on conflict do nothing`.execute(db)
    await db
      .insertInto('unit_content_chunks')
      .values(
        Array.from({ length: CHUNKS_PER_UNIT }, (_, position) => {
          const text = textOf(WORDS_PER_CHUNK)
          return {
            course_id: courseId,
            unit_id: unitId,
            source_id: 'lesson',
            position,
            chunk_type: 'lesson' as const,
            section: textOf(3),
            page: null,
            text,
            search: vector(text),
          }
        }),
      )
      .execute()
  }
}

/**
 * What a search costs at 5,000 and at 50,000 chunks, in the same run: the material of a turn, and the units a message
 * is about, over courses of 40 units with 25 chunks each. Prints the ratios of the medians.
 */
export async function run(): Promise<void> {
  const meno = await startMenoProcess({})
  const database = await freshDatabase(meno.databaseUrl())
  try {
    const [small, large] = await measureRetrieval(database.db, SIZES, SEARCHES)
    if (!small || !large) return
    console.log('\nA search among 50,000 chunks against one among 5,000, p50')
    console.log(tableLine('', ['ratio', 'limit', 'ms, 5,000', 'ms, 50,000']))
    const line = (name: string, few: number, many: number) =>
      tableLine(name, [(many / few).toFixed(2), '2.00', few.toFixed(1), many.toFixed(1)])
    console.log(line('material of a turn', small.retrieveP50, large.retrieveP50))
    console.log(line('units of a message', small.anchorsP50, large.anchorsP50))
  } finally {
    await database.drop()
    await meno.remove()
  }
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
