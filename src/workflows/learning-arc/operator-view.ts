import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import { type FlowState, SEARCH_ATTRIBUTE } from '../../contracts/temporal.ts'
import { inferMastery } from '../../domain/diagnosis/mastery-inference.ts'
import type { Arc } from './arc.ts'

const key = {
  phase: defineSearchAttributeKey(SEARCH_ATTRIBUTE.arcPhase.name, SearchAttributeType.KEYWORD),
  nextReviewAt: defineSearchAttributeKey(
    SEARCH_ATTRIBUTE.nextReviewAt.name,
    SearchAttributeType.DATETIME,
  ),
  masteryPct: defineSearchAttributeKey(
    SEARCH_ATTRIBUTE.masteryPct.name,
    SearchAttributeType.DOUBLE,
  ),
}

const day = (time: number | null) =>
  time === null ? 'none' : new Date(time).toISOString().replace('T', ' ').slice(0, 16)

/** Shows the arc in the Temporal UI: search attributes where they changed, and the details as a page to read. */
export function showToOperator(arc: Arc): void {
  const { flow, map } = arc
  const total = map.nodes.length
  const mastered = map.nodes.filter((node) => node.masteryStatus === 'mastered').length
  const pct = total === 0 ? 0 : Math.round((mastered / total) * 100) / 100
  const shown = workflowInfo().typedSearchAttributes
  const next = arc.nextReviewAt
  // The next review moves with almost every turn of a lesson; it is told when the arc goes to wait for it.
  const dateCounts = flow.question === null
  const changes = []
  if (shown.get(key.phase) !== flow.phase) changes.push({ key: key.phase, value: flow.phase })
  if (shown.get(key.masteryPct) !== pct) changes.push({ key: key.masteryPct, value: pct })
  if (dateCounts && (shown.get(key.nextReviewAt)?.getTime() ?? null) !== next) {
    changes.push({ key: key.nextReviewAt, value: next === null ? null : new Date(next) })
  }
  if (changes.length > 0) upsertSearchAttributes(changes)
  setCurrentDetails(details(arc, mastered, total))
}

function details(arc: Arc, mastered: number, total: number): string {
  const { flow } = arc
  const inHand = flow.question ?? flow.lesson
  const label = flow.question?.label ?? (flow.lesson ? arc.node(flow.lesson.nodeId).label : null)
  const lines = [
    `**${flow.phase}**${flow.subPhase ? ` (${flow.subPhase})` : ''}${flow.paused ? ', paused' : ''}`,
    '',
    `- Topic: course ${arc.courseId ?? 'none'}, tutor ${arc.tutor}`,
    `- Concept in hand: ${inHand && label ? label : 'none'}`,
    `- Open question: ${flow.question ? `${flow.question.kind}, asked ${flow.question.tries + 1} time(s)` : 'none'}`,
    `- Mastered: ${mastered} of ${total}`,
    `- Next review: ${day(arc.nextReviewAt)} UTC`,
    `- Turns: ${flow.turn}, sessions: ${flow.sessionCount}`,
  ]
  if (flow.blocked) {
    lines.push(
      `- **Blocked** since ${day(flow.blocked.since)} UTC: ${flow.blocked.reason}; tries again at ${day(flow.blocked.retryAt)} UTC`,
    )
  }
  return lines.join('\n')
}

/** The answer of the `flowState` query. */
export function flowStateOf(arc: Arc): FlowState {
  const { flow } = arc
  const results: FlowState['diagnostic_results'] = {}
  if (flow.diagnosis) {
    const ids = new Map(arc.map.nodes.map((node) => [node.label, node.id]))
    for (const { label, measured, inferred } of inferMastery(flow.diagnosis)) {
      if (measured === null) continue
      results[ids.get(label) ?? label] = { quality: measured, inferred_mastery: inferred }
    }
  }
  return {
    status: flow.phase,
    mind_map_id: arc.mindMapId,
    current_node_id: flow.lesson?.nodeId ?? flow.question?.nodeId ?? null,
    current_phase: flow.subPhase,
    diagnostic_results: results,
    session_count: flow.sessionCount,
    started_at: new Date(flow.startedAt).toISOString(),
    last_session_at:
      flow.lastMessageAt === null ? null : new Date(flow.lastMessageAt).toISOString(),
  }
}
