import { inferMastery } from '../diagnosis/mastery-inference.ts'
import { earliestReview } from '../spaced-repetition/due-reviews.ts'
import type { View, WantedStep } from '../spine/decision.ts'
import { isTerminal } from './phase.ts'
import type { LoadedArc } from './state.ts'
import { CODE_STEPS, isExtra, type StepKind } from './steps.ts'

/** How long a model may take for one attempt. */
const STEP_MS = 180_000
const ATTEMPTS = 3
const EXTRA_MS = 20_000
/** Steps that do not wait for a free place at the model. */
const NO_MODEL: readonly StepKind[] = [...CODE_STEPS, 'run-program']
/** Steps whose text the learner may see while it comes. */
const SHOWN: readonly StepKind[] = ['lesson', 'help']

/** The steps to be run now: none while what failed is waited for. */
export function wantedSteps({ state }: LoadedArc): WantedStep[] {
  if (state.blocked?.waits) return []
  return state.asking.map((asking) => {
    const { key, kind, label } = asking
    const isShort = isExtra(asking)
    return {
      key,
      label: `${kind}: ${label}`,
      queue: NO_MODEL.includes(kind) ? 'meno' : 'meno-llm',
      startToCloseMs: isShort ? EXTRA_MS : STEP_MS,
      attempts: isShort ? 1 : ATTEMPTS,
      ...(SHOWN.includes(kind) ? { turnId: String(state.turn) } : {}),
    }
  })
}

/** When the arc wants to be looked at without an input: to try again, or for the next review. */
export function wakeAt({ state, map }: LoadedArc): number | null {
  if (isTerminal(state.phase)) return null
  if (state.blocked?.waits) return state.blocked.retryAt
  if (state.asking.length > 0 || state.paused) return null
  // The offer to stop gives way to a review; no other question does.
  if (state.question && state.question.kind !== 'choice') return null
  return earliestReview(map)
}

/** Whether it is closed: no message is taken any more. */
export const isOver = ({ state }: LoadedArc): boolean => isTerminal(state.phase)

/** The concept in hand: the lesson's, or the open review question's. */
export function currentNodeId({ state }: LoadedArc): string | null {
  if (isTerminal(state.phase)) return null
  if (state.phase === 'REVIEWING') return state.question?.nodeId ?? null
  return state.lesson?.nodeId ?? null
}

const nextReview = ({ state, map }: LoadedArc) =>
  isTerminal(state.phase) ? null : earliestReview(map)

/** What an operator sees of an arc in the Temporal UI. */
export function viewOf(arc: LoadedArc): View {
  const { state, map } = arc
  const total = map.nodes.length
  const mastered = map.nodes.filter((node) => node.masteryStatus === 'mastered').length
  const next = nextReview(arc)
  return {
    phase: state.phase,
    attributes: {
      ArcPhase: state.phase,
      MasteryPct: total === 0 ? 0 : Math.round((mastered / total) * 100) / 100,
      // It moves with almost every turn of a lesson; it is told when the arc goes to wait for it.
      ...(state.question ? {} : { NextReviewAt: next === null ? null : iso(next) }),
    },
    details: details(arc, mastered, total),
    query: flowStateOf(arc),
  }
}

const iso = (time: number) => new Date(time).toISOString()
const minute = (time: number | null) =>
  time === null ? 'none' : `${iso(time).replace('T', ' ').slice(0, 16)} UTC`

function details(arc: LoadedArc, mastered: number, total: number): string {
  const { state, map } = arc
  const { phase, subPhase, paused, question, lesson, blocked } = state
  const inHand =
    question?.label ?? map.nodes.find(({ id }) => id === lesson?.nodeId)?.label ?? 'none'
  const lines = [
    `**${phase}**${subPhase ? ` (${subPhase})` : ''}${paused ? ', paused' : ''}`,
    '',
    `- Topic: course ${arc.courseId ?? 'none'}, tutor ${arc.tutor}`,
    `- Concept in hand: ${inHand}`,
    `- Open question: ${question ? `${question.kind}, try ${question.attempt}` : 'none'}`,
    `- Mastered: ${mastered} of ${total}`,
    `- Next review: ${minute(nextReview(arc))}`,
    `- Turns: ${state.turn}, sessions: ${state.sessionCount}`,
  ]
  if (blocked) {
    const { since, reason, retryAt } = blocked
    lines.push(`- **Blocked** since ${minute(since)}: ${reason}; tries again at ${minute(retryAt)}`)
  }
  return lines.join('\n')
}

/** The answer of the `flowState` query: the fields of seed 000 D3. */
function flowStateOf(arc: LoadedArc) {
  const { state, map } = arc
  const results: Record<string, { quality: number; inferred_mastery: number }> = {}
  if (state.diagnosis) {
    const ids = new Map(map.nodes.map((node) => [node.label, node.id]))
    for (const { label, measured, inferred } of inferMastery(state.diagnosis)) {
      if (measured === null) continue
      results[ids.get(label) ?? label] = { quality: measured, inferred_mastery: inferred }
    }
  }
  return {
    status: state.phase,
    mind_map_id: arc.mindMapId,
    current_node_id: state.lesson?.nodeId ?? state.question?.nodeId ?? null,
    current_phase: state.subPhase,
    diagnostic_results: results,
    session_count: state.sessionCount,
    started_at: iso(state.startedAt),
    last_session_at: state.lastMessageAt === null ? null : iso(state.lastMessageAt),
  }
}
