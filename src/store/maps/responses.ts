import { createHash, randomUUID } from 'node:crypto'
import { isUuid } from '../../contracts/text.ts'
import {
  applyResponse,
  emptyHistory,
  type ResponseMark,
  type ResponseType,
} from '../../domain/mastery/status.ts'
import { requireOpen } from '../../domain/mind-map/lifecycle.ts'
import type { MapStatus, MindMap, MindMapNode } from '../../domain/mind-map/mind-map.ts'
import { dueAfter } from '../../domain/spaced-repetition/scheduler.ts'
import { firstStep, LEARNING_STEPS } from '../../domain/spaced-repetition/sm2.ts'
import type { DbOrTrx, Trx } from '../database.ts'
import { readHistories } from './rows.ts'
import { changeMap, GraphRefusal } from './stored-map.ts'
import { writeMap } from './writing.ts'

export interface NewResponse {
  mindMapId: string
  nodeId: string
  questionText: string
  userAnswer: string | null
  /** A whole number from 0 to 5. */
  quality: number
  type: ResponseType
  /** The caller's name for this answer: given twice, it counts once. */
  responseId: string | null
}

/** When something happened, in UTC ms, and how many ms a day has. */
export interface Moment {
  at: number
  dayMs: number
}

export interface RecordedResponse {
  responseId: string
  node: MindMapNode
  mapStatus: MapStatus
}

/**
 * Stores a graded answer and what it does to its node, and to the map, in one transaction: score
 * from the stored rows, status, completion. The SM-2 state stays; a node that enters `reviewing` is
 * due after the larger of its stored interval and the first step. The same `responseId` again
 * changes nothing and answers what is so now.
 * @throws RangeError for a quality that is none; MapStatusError on a terminal map; GraphRefusal
 */
export async function recordResponse(
  db: DbOrTrx,
  response: NewResponse,
  moment: Moment,
): Promise<RecordedResponse> {
  return changeMap(db, response.mindMapId, async (trx, map) => {
    const node = nodeOf(map, response.nodeId)
    const id = rowId(response)
    const earlier = await trx
      .selectFrom('quiz_responses')
      .select('node_id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (earlier) {
      if (earlier.node_id === node.id) return { responseId: id, node, mapStatus: map.status }
      throw new GraphRefusal('conflict', `Response ${response.responseId} is another node's.`)
    }
    requireOpen(map, 'record responses')
    const changed = await nodeAfter(trx, map, node, response, moment)
    await trx
      .insertInto('quiz_responses')
      .values({
        id,
        node_id: node.id,
        mind_map_id: map.id,
        question_text: response.questionText,
        user_answer: response.userAnswer,
        quality: response.quality,
        response_type: response.type,
        responded_at: new Date(moment.at),
      })
      .execute()
    const { status } = await writeMap(trx, map, withNode(map, changed))
    return { responseId: id, node: changed, mapStatus: status }
  })
}

async function nodeAfter(
  trx: Trx,
  map: MindMap,
  node: MindMapNode,
  { quality, type }: ResponseMark & NewResponse,
  { at, dayMs }: Moment,
): Promise<MindMapNode> {
  const history = (await readHistories(trx, map.id))[node.id] ?? emptyHistory()
  const rules = { at, dayMs, learningSteps: [...LEARNING_STEPS], scheduler: 'sm2' as const }
  const after = applyResponse(node, history, { quality, type }, { ...rules, inCycle: false }).node
  const { masteryStatus, masteryScore, masteredAt } = after
  return {
    ...node,
    masteryStatus,
    masteryScore,
    masteredAt,
    nextReviewAt: nextReviewAt(node, masteryStatus, { at, dayMs }),
  }
}

function nextReviewAt(
  node: MindMapNode,
  status: MindMapNode['masteryStatus'],
  { at, dayMs }: Moment,
): number | null {
  if (status !== 'reviewing' && status !== 'mastered') return null
  if (status === node.masteryStatus || status === 'mastered') return node.nextReviewAt
  const step = firstStep(LEARNING_STEPS)
  const lapsed = node.masteryStatus === 'mastered'
  return dueAfter(lapsed ? step : Math.max(node.intervalDays, step), at, dayMs)
}

/** The latest graded answers on a node, newest first. */
export async function nodeResponses(db: DbOrTrx, nodeId: string, limit: number) {
  return db
    .selectFrom('quiz_responses')
    .select([
      'id as responseId',
      'question_text as questionText',
      'user_answer as userAnswer',
      'quality',
      'response_type as responseType',
      'responded_at as respondedAt',
    ])
    .where('node_id', '=', nodeId)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
}

/** The node of that id. */
export function nodeOf(map: MindMap, nodeId: string): MindMapNode {
  const node = map.nodes.find(({ id }) => id === nodeId)
  if (!node) throw new GraphRefusal('not-found', `The map has no node ${nodeId}.`)
  return node
}

/** The map with one node replaced. */
export function withNode(map: MindMap, changed: MindMapNode): MindMap {
  return { ...map, nodes: map.nodes.map((node) => (node.id === changed.id ? changed : node)) }
}

/** Rows have uuids; a caller's id of another form names one for good, within its map. */
function rowId({ mindMapId, responseId }: NewResponse): string {
  if (responseId === null) return randomUUID()
  if (isUuid(responseId)) return responseId.toLowerCase()
  const hash = createHash('sha256').update(`${mindMapId} ${responseId}`).digest('hex')
  const [a, b, c, d] = [hash.slice(0, 8), hash.slice(8, 12), hash.slice(13, 16), hash.slice(17, 20)]
  return `${a}-${b}-8${c}-8${d}-${hash.slice(20, 32)}`
}
