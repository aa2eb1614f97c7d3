import { sql } from 'kysely'
import type { ContentChunk, SupportChunk, UnitAnchor } from '../contracts/retrieved.ts'
import type { ExamCandidate } from '../domain/course/exam-availability.ts'
import type { MappedUnit } from '../domain/course/mapped-units.ts'
import type { ExamTier } from '../domain/course/mastery-tier.ts'
import type { DbOrTrx } from '../store/database.ts'
import { type Embedder, likeness } from './embedder.ts'
import { searchConfig } from './search-config.ts'

/** How many of each collection a turn gets. Seed 004 PF-3.5. */
export const TOP_K = { anchors: 6, chunks: 8, exams: 10, support: 4 } as const

/** The most of a message that is searched for. */
const MAX_QUERY = 1_000
/** From this likeness on, a word no anchor knows is taken for a slip of one that is known. */
const SLIP = 0.5
/** What a word counts that neither an anchor knows nor one resembles. */
const UNKNOWN_WORD = 0.35
/** From this likeness on, a name of a unit stands in a message. */
const NAMED = 0.7
/** A word that so many units use is telling enough by itself. */
const TELLING_UNITS = 3
/** Words of a message that are looked up. */
const MAX_WORDS = 60
/** How much of a vector's likeness enters a score, where there are vectors. */
const VECTOR_SHARE = 0.5

export interface Retrieved {
  unitAnchors: UnitAnchor[]
  unitContentChunks: ContentChunk[]
  examCandidates: ExamCandidate[]
}

export interface SearchScope {
  courseId: string
  language: string
  text: string
  embedder?: Embedder | null
}

/**
 * Which units a message is about, over the whole course: 0..1, best first, those without any score left out. A word
 * counts the more the fewer units use it and the more prominently the unit does; a word with a slip counts by its
 * likeness to the nearest known one; an alias that stands in the message counts by itself.
 */
export async function searchAnchors(db: DbOrTrx, scope: SearchScope): Promise<MappedUnit[]> {
  const text = queryText(scope.text)
  if (text === '') return []
  const [units, words, [vector = null]] = await Promise.all([
    namedUnits(db, scope.courseId, text),
    meantWords(db, scope, text),
    scope.embedder ? scope.embedder.embed([text]) : [],
  ])
  const total = words.reduce((sum, word) => sum + weightOf(word, units.length), 0)
  return units
    .map(({ unitId, named, embedding }) => {
      const gained = words.reduce((sum, word) => {
        const share = word.fit * (word.unitWeights.get(unitId) ?? 0)
        return sum + weightOf(word, units.length) * share
      }, 0)
      const covered = total === 0 ? 0 : gained / total
      const evidence = Math.min(1, gained / Math.log(1 + units.length / TELLING_UNITS))
      const byName = named >= NAMED ? named * 0.95 + 0.04 * Math.min(1, covered) : 0
      const score = Math.max(covered * evidence, byName)
      const confidence = blended(score, likeness(vector, embedding), vector !== null)
      return { unitId, confidence: Math.min(1, confidence) }
    })
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence || (a.unitId < b.unitId ? -1 : 1))
}

/** Every unit of the course with how well one of its names stands in the text, 0..1. */
async function namedUnits(db: DbOrTrx, courseId: string, text: string) {
  const { rows } = await sql<{ unitId: string; named: number; embedding: number[] | null }>`
    select unit_id as "unitId", embedding, coalesce(
      (select max(strict_word_similarity(alias, ${text})) from unnest(aliases) as alias
        where length(alias) >= 3), 0) as named
    from unit_anchors where course_id = ${courseId}`.execute(db)
  return rows
}

/** A word of a message: how well it is known to the course, 0..1, and what it weighs in each unit. */
interface MeantWord {
  fit: number
  unitWeights: Map<string, number>
}

async function meantWords(
  db: DbOrTrx,
  { courseId, language }: SearchScope,
  text: string,
): Promise<MeantWord[]> {
  const { rows: lexemes } = await sql<{ lexeme: string }>`
    select lexeme from unnest(to_tsvector(${searchConfig(language)}::regconfig, unaccent(${text})))
    where lexeme ~ '[[:alpha:]]{2}' limit ${MAX_WORDS}`.execute(db)
  const asked = lexemes.map(({ lexeme }) => lexeme)
  if (asked.length === 0) return []
  const weights = await termWeights(db, courseId, asked)
  return Promise.all(
    asked.map(async (lexeme) => {
      const known = weights.get(lexeme)
      if (known) return { fit: 1, unitWeights: known }
      const near = lexeme.length < 4 ? undefined : await nearestTerm(db, courseId, lexeme)
      if (!near) return { fit: 0, unitWeights: new Map() }
      const nearWeights = (await termWeights(db, courseId, [near.term])).get(near.term)
      return { fit: near.fit, unitWeights: nearWeights ?? new Map() }
    }),
  )
}

async function termWeights(db: DbOrTrx, courseId: string, terms: readonly string[]) {
  const rows = await db
    .selectFrom('unit_anchor_terms')
    .select(['term', 'unit_id', 'weight'])
    .where('course_id', '=', courseId)
    .where('term', 'in', terms)
    .execute()
  const weights = new Map<string, Map<string, number>>()
  for (const { term, unit_id: unitId, weight } of rows) {
    weights.set(term, (weights.get(term) ?? new Map<string, number>()).set(unitId, weight))
  }
  return weights
}

/** The word of the course that a slip of the pen most likely meant. */
async function nearestTerm(db: DbOrTrx, courseId: string, lexeme: string) {
  const { rows } = await sql<{ term: string; fit: number }>`
    select term, similarity(term, ${lexeme}) as fit from unit_anchor_terms
    where course_id = ${courseId} and similarity(term, ${lexeme}) >= ${SLIP}
    order by fit desc, term limit 1`.execute(db)
  return rows[0]
}

/** Rare words weigh more: the logarithm of how few units use them. */
function weightOf({ unitWeights }: MeantWord, units: number): number {
  if (unitWeights.size === 0) return UNKNOWN_WORD
  const uses = [...unitWeights.values()].reduce((sum, weight) => sum + weight, 0)
  return Math.log(1 + units / Math.max(uses, 0.5))
}

/**
 * The material of a turn: 6 anchors and 8 chunks of the units in scope, 10 exam candidates of the focus unit and tier.
 * Nothing outside these is found, whatever the message says. Seed 004 PF-3.5.
 */
export async function retrieve(
  db: DbOrTrx,
  scope: SearchScope & {
    scopedUnitIds: readonly string[]
    focusUnitId: string
    desiredExamTier: ExamTier
  },
): Promise<Retrieved> {
  const [unitAnchors, unitContentChunks, examCandidates] = await Promise.all([
    scopedAnchors(db, scope),
    scopedChunks(db, scope),
    examCandidatesOf(db, scope),
  ])
  return { unitAnchors, unitContentChunks, examCandidates }
}

/** The anchors of the units in scope, in the order of the scope. */
async function scopedAnchors(
  db: DbOrTrx,
  { courseId, scopedUnitIds }: SearchScope & { scopedUnitIds: readonly string[] },
): Promise<UnitAnchor[]> {
  const rows = await db
    .selectFrom('unit_anchors')
    .select(['unit_id', 'title', 'anchor_text'])
    .where('course_id', '=', courseId)
    .where('unit_id', 'in', scopedUnitIds)
    .execute()
  return rows
    .map((row) => ({ unitId: row.unit_id, title: row.title, anchorText: row.anchor_text }))
    .sort((a, b) => scopedUnitIds.indexOf(a.unitId) - scopedUnitIds.indexOf(b.unitId))
    .slice(0, TOP_K.anchors)
}

/** The chunks of the units in scope that fit the message best; the focus unit's come first where none does. */
async function scopedChunks(
  db: DbOrTrx,
  scope: SearchScope & { scopedUnitIds: readonly string[]; focusUnitId: string },
): Promise<ContentChunk[]> {
  const { courseId, scopedUnitIds, focusUnitId } = scope
  const text = queryText(scope.text)
  const [vector = null] = scope.embedder && text !== '' ? await scope.embedder.embed([text]) : []
  const near = vector
    ? sql`${VECTOR_SHARE} * coalesce((select sum(a * b) from unnest(embedding, ${vector}::real[]) as t(a, b)), 0)`
    : sql`0`
  const { rows } = await sql<ContentChunk>`
    with asked as (
      select nullif(replace(plainto_tsquery(${searchConfig(scope.language)}::regconfig, unaccent(${text}))::text, '&', '|'), '')::tsquery as query
    )
    select unit_id as "unitId", chunk_type as "chunkType", section, page, source_id as "sourceId", text
    from unit_content_chunks cross join asked
    where course_id = ${courseId} and unit_id in (${sql.join(scopedUnitIds)})
    order by coalesce(ts_rank(search, asked.query, 1), 0)
        + 0.1 * strict_word_similarity(section, ${text}) + ${near} desc,
      unit_id <> ${focusUnitId}, unit_id, source_id, position
    limit ${TOP_K.chunks}`.execute(db)
  return rows
}

/** The exam questions of a unit and tier as metadata, those whose tags and words fit the message first. */
async function examCandidatesOf(
  db: DbOrTrx,
  scope: SearchScope & { focusUnitId: string; desiredExamTier: ExamTier },
): Promise<ExamCandidate[]> {
  const { rows } = await sql<ExamCandidate>`
    with asked as (
      select nullif(replace(plainto_tsquery(${searchConfig(scope.language)}::regconfig, unaccent(${queryText(scope.text)}))::text, '&', '|'), '')::tsquery as query
    )
    select question_id as "questionId", unit_ids as "unitIds", difficulty_tier as "difficultyTier", tags
    from exam_candidates cross join asked
    where course_id = ${scope.courseId} and unit_ids @> array[${scope.focusUnitId}]
      and difficulty_tier = ${scope.desiredExamTier}
    order by coalesce(ts_rank(search, asked.query), 0) desc, position
    limit ${TOP_K.exams}`.execute(db)
  return rows
}

/** Memos and video transcripts of the given questions alone: only those whose answer is no secret any more. */
export async function searchExamSupport(
  db: DbOrTrx,
  scope: SearchScope & { questionIds: readonly string[] },
): Promise<SupportChunk[]> {
  if (scope.questionIds.length === 0) return []
  const { rows } = await sql<SupportChunk>`
    with asked as (
      select nullif(replace(plainto_tsquery(${searchConfig(scope.language)}::regconfig, unaccent(${queryText(scope.text)}))::text, '&', '|'), '')::tsquery as query
    )
    select question_id as "questionId", chunk_type as "chunkType", text
    from exam_support_chunks cross join asked
    where course_id = ${scope.courseId} and question_id in (${sql.join(scope.questionIds)})
    order by coalesce(ts_rank(search, asked.query, 1), 0) desc, question_id, source_id, position
    limit ${TOP_K.support}`.execute(db)
  return rows
}

function queryText(text: string): string {
  return text.replaceAll('\u0000', ' ').slice(0, MAX_QUERY).trim().toLowerCase()
}

function blended(score: number, near: number, hasVector: boolean): number {
  return hasVector ? Math.max(score, (1 - VECTOR_SHARE) * score + VECTOR_SHARE * near) : score
}
