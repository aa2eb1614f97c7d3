import { type CompiledQuery, sql } from 'kysely'
import type { ExamCandidate } from '../domain/course/exams/exam-availability.ts'
import type { ExamTier } from '../domain/course/snapshot/mastery-tier.ts'
import type {
  ContentChunk,
  Retrieved,
  SupportChunk,
  UnitAnchor,
} from '../domain/course/turn/retrieved.ts'
import type { MappedUnit } from '../domain/course/units/mapped-units.ts'
import type { Db, Reader } from '../store/database.ts'
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

export interface SearchScope {
  courseId: string
  language: string
  text: string
}

/**
 * Which units a message is about, over the whole course: 0..1, best first, those without any score left out. A word
 * counts the more the fewer units use it and the more prominently the unit does; a word with a slip counts by its
 * likeness to the nearest known one; an alias that stands in the message counts by itself.
 */
export async function searchAnchors(
  db: Db,
  reader: Reader,
  scope: SearchScope,
): Promise<MappedUnit[]> {
  const text = queryText(scope.text)
  if (text === '') return []
  const [units, rows] = await reader.read(
    namedUnits(db, scope.courseId, text),
    meantWords(db, scope, text),
  )
  const words = wordsOf(rows)
  const total = words.reduce((sum, word) => sum + weightOf(word, units.length), 0)
  return units
    .map(({ unitId, named }) => {
      const gained = words.reduce((sum, word) => {
        const share = word.fit * (word.unitWeights.get(unitId) ?? 0)
        return sum + weightOf(word, units.length) * share
      }, 0)
      const covered = total === 0 ? 0 : gained / total
      const evidence = Math.min(1, gained / Math.log(1 + units.length / TELLING_UNITS))
      const byName = named >= NAMED ? named * 0.95 + 0.04 * Math.min(1, covered) : 0
      return { unitId, confidence: Math.min(1, Math.max(covered * evidence, byName)) }
    })
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence || (a.unitId < b.unitId ? -1 : 1))
}

interface NamedUnit {
  unitId: string
  named: number
}

/** Every unit of the course with how well one of its names stands in the text, 0..1. */
const namedUnits = (db: Db, courseId: string, text: string): CompiledQuery<NamedUnit> =>
  sql<NamedUnit>`
    select unit_id as "unitId", coalesce(
      (select max(strict_word_similarity(alias, ${text})) from unnest(aliases) as alias
        where length(alias) >= 3), 0) as named
    from unit_anchors where course_id = ${courseId}`.compile(db)

/** A word of a message: how well it is known to the course, 0..1, and what it weighs in each unit. */
interface MeantWord {
  fit: number
  unitWeights: Map<string, number>
}

interface WordInUnit {
  lexeme: string
  fit: number
  unitId: string | null
  weight: number
}

/** The words of a text with the units they, or the nearest words that the course knows, stand in. */
const meantWords = (
  db: Db,
  { courseId, language }: SearchScope,
  text: string,
): CompiledQuery<WordInUnit> =>
  sql<WordInUnit>`
    with asked as (
      select lexeme, exists (
          select from unit_anchor_terms where course_id = ${courseId} and term = lexeme) as known
      from unnest(to_tsvector(${searchConfig(language)}::regconfig, unaccent(${text})))
      where lexeme ~ '[[:alpha:]]{2}' limit ${MAX_WORDS}),
    meant as (
      select lexeme, lexeme as term, 1 as fit from asked where known
      union all
      select lexeme, near.term, coalesce(near.fit, 0) from asked left join lateral (
        select term, similarity(term, lexeme) as fit from unit_anchor_terms
        where course_id = ${courseId} and length(lexeme) >= 4 and similarity(term, lexeme) >= ${SLIP}
        order by fit desc, term limit 1) as near on true
      where not known)
    select lexeme, fit, unit_id as "unitId", weight
    from meant left join unit_anchor_terms as known
      on known.course_id = ${courseId} and known.term = meant.term`.compile(db)

function wordsOf(rows: readonly WordInUnit[]): MeantWord[] {
  const words = new Map<string, MeantWord>()
  for (const { lexeme, fit, unitId, weight } of rows) {
    const word = words.get(lexeme) ?? { fit: Number(fit), unitWeights: new Map<string, number>() }
    if (unitId !== null) word.unitWeights.set(unitId, weight)
    words.set(lexeme, word)
  }
  return [...words.values()]
}

/** Rare words weigh more: the logarithm of how few units use them. */
function weightOf({ unitWeights }: MeantWord, units: number): number {
  if (unitWeights.size === 0) return UNKNOWN_WORD
  const uses = [...unitWeights.values()].reduce((sum, weight) => sum + weight, 0)
  return Math.log(1 + units / Math.max(uses, 0.5))
}

/**
 * The material of a turn: 6 anchors and 8 chunks of the units in scope, 10 exam candidates of the focus unit and tier,
 * and memos and video transcripts of the given questions alone: only those whose answer is no secret any more. Nothing
 * outside these is found, whatever the message says. Seed 004 PF-3.5.
 */
export async function retrieve(
  db: Db,
  reader: Reader,
  scope: SearchScope & {
    scopedUnitIds: readonly string[]
    focusUnitId: string
    desiredExamTier: ExamTier
    behind: readonly string[]
  },
): Promise<Retrieved & { examSupportChunks: SupportChunk[] }> {
  const text = queryText(scope.text)
  const [anchors, unitContentChunks, examCandidates, examSupportChunks] = await reader.read(
    scopedAnchors(db, scope),
    scopedChunks(db, scope, text),
    examCandidatesOf(db, scope, text),
    scope.behind.length > 0 ? examSupport(db, scope, text) : null,
  )
  const { scopedUnitIds } = scope
  const unitAnchors = anchors
    .sort((a, b) => scopedUnitIds.indexOf(a.unitId) - scopedUnitIds.indexOf(b.unitId))
    .slice(0, TOP_K.anchors)
  return { unitAnchors, unitContentChunks, examCandidates, examSupportChunks }
}

/** The anchors of the units in scope. */
const scopedAnchors = (
  db: Db,
  { courseId, scopedUnitIds }: SearchScope & { scopedUnitIds: readonly string[] },
): CompiledQuery<UnitAnchor> =>
  db
    .selectFrom('unit_anchors')
    .select(['unit_id as unitId', 'title', 'anchor_text as anchorText'])
    .where('course_id', '=', courseId)
    .where('unit_id', 'in', scopedUnitIds)
    .compile()

/** The words of a text as a query, of which any may stand in what is searched. */
export const askedFor = (language: string, text: string) => sql`
  select nullif(replace(plainto_tsquery(${searchConfig(language)}::regconfig, unaccent(${text}))::text,
    '&', '|'), '')::tsquery as query`

/** The chunks of the units in scope that fit the message best; the focus unit's come first where none does. */
function scopedChunks(
  db: Db,
  scope: SearchScope & { scopedUnitIds: readonly string[]; focusUnitId: string },
  text: string,
): CompiledQuery<ContentChunk> {
  const { courseId, scopedUnitIds, focusUnitId, language } = scope
  return sql<ContentChunk>`
    with asked as (${askedFor(language, text)})
    select unit_id as "unitId", chunk_type as "chunkType", section, page, source_id as "sourceId", text
    from unit_content_chunks cross join asked
    where course_id = ${courseId} and unit_id in (${sql.join(scopedUnitIds)})
    order by coalesce(ts_rank(search, asked.query, 1), 0)
        + 0.1 * strict_word_similarity(section, ${text}) desc,
      unit_id <> ${focusUnitId}, unit_id, source_id, position
    limit ${TOP_K.chunks}`.compile(db)
}

/** The exam questions of a unit and tier as metadata, those whose tags and words fit the message first. */
const examCandidatesOf = (
  db: Db,
  scope: SearchScope & { focusUnitId: string; desiredExamTier: ExamTier },
  text: string,
): CompiledQuery<ExamCandidate> =>
  sql<ExamCandidate>`
    with asked as (${askedFor(scope.language, text)})
    select question_id as "questionId", unit_ids as "unitIds", difficulty_tier as "difficultyTier", tags
    from exam_candidates cross join asked
    where course_id = ${scope.courseId} and unit_ids @> array[${scope.focusUnitId}]
      and difficulty_tier = ${scope.desiredExamTier}
    order by coalesce(ts_rank(search, asked.query), 0) desc, position
    limit ${TOP_K.exams}`.compile(db)

const examSupport = (
  db: Db,
  scope: SearchScope & { behind: readonly string[] },
  text: string,
): CompiledQuery<SupportChunk> =>
  sql<SupportChunk>`
    with asked as (${askedFor(scope.language, text)})
    select question_id as "questionId", chunk_type as "chunkType", text
    from exam_support_chunks cross join asked
    where course_id = ${scope.courseId} and question_id in (${sql.join(scope.behind)})
    order by coalesce(ts_rank(search, asked.query, 1), 0) desc, question_id, source_id, position
    limit ${TOP_K.support}`.compile(db)

function queryText(text: string): string {
  return text.replaceAll('\u0000', ' ').slice(0, MAX_QUERY).trim().toLowerCase()
}
