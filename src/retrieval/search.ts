import { sql } from 'kysely'
import type { ExamCandidate } from '../domain/course-tutor/exam-availability.ts'
import type { MappedUnit } from '../domain/course-tutor/mapped-units.ts'
import type { ExamTier } from '../domain/course-tutor/mastery-tier.ts'
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
/** How much of a vector's likeness enters a score, where there are vectors. */
const VECTOR_SHARE = 0.5

export interface UnitAnchor {
  unitId: string
  title: string
  anchorText: string
}

export interface ContentChunk {
  unitId: string
  chunkType: string
  section: string
  page: number | null
  sourceId: string
  text: string
}

export interface SupportChunk {
  questionId: string
  chunkType: string
  text: string
}

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
  const { courseId } = scope
  const text = queryText(scope.text)
  if (text === '') return []
  const { rows } = await sql<{ unit_id: string; score: number; embedding: number[] | null }>`
    with asked as (
      select lexeme from unnest(to_tsvector(${searchConfig(scope.language)}::regconfig, unaccent(${text})))
      where lexeme ~ '[[:alpha:]]{2}'
    ),
    size as (select count(*)::real as units from unit_anchors where course_id = ${courseId}),
    vocabulary as materialized (
      select term, sum(weight) as uses from unit_anchor_terms where course_id = ${courseId} group by term
    ),
    meant as (
      select asked.lexeme, coalesce(exact.term, near.term) as term,
        case when exact.term is null then coalesce(near.fit, 0) else 1 end as fit,
        case when exact.term is null and near.term is null then ${UNKNOWN_WORD}
          else ln(1 + size.units / greatest(exact.uses, near.uses, 0.5)) end as weight
      from asked cross join size left join vocabulary as exact on exact.term = asked.lexeme
        left join lateral (
          select term, uses, similarity(term, asked.lexeme) as fit from vocabulary
          where exact.term is null and length(asked.lexeme) >= 4
            and similarity(term, asked.lexeme) >= ${SLIP}
          order by fit desc, term limit 1
        ) as near on true
    ),
    total as (select sum(weight) as weight from meant),
    worded as (
      select terms.unit_id, sum(meant.weight * meant.fit * terms.weight) as gained
      from meant join unit_anchor_terms as terms
        on terms.course_id = ${courseId} and terms.term = meant.term
      group by terms.unit_id
    ),
    named as (
      select unit_id, max(strict_word_similarity(alias, ${text})) as fit
      from unit_anchors, unnest(aliases) as alias
      where course_id = ${courseId} and length(alias) >= 3 group by unit_id
    )
    select anchors.unit_id, anchors.embedding, greatest(
      coalesce(gained / total.weight * least(1, gained / ln(1 + size.units / 3)), 0),
      case when named.fit >= 0.7 then named.fit * 0.95 else 0 end
        + 0.04 * least(1, coalesce(gained / total.weight, 0))
    ) as score
    from unit_anchors as anchors cross join size cross join total
      left join worded using (unit_id) left join named using (unit_id)
    where anchors.course_id = ${courseId}`.execute(db)
  const [vector = null] = scope.embedder ? await scope.embedder.embed([text]) : []
  return rows
    .map(({ unit_id: unitId, score, embedding }) => ({
      unitId,
      confidence: Math.min(1, blended(score, likeness(vector, embedding), vector !== null)),
    }))
    .filter(({ confidence }) => confidence > 0)
    .sort((a, b) => b.confidence - a.confidence || (a.unitId < b.unitId ? -1 : 1))
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
