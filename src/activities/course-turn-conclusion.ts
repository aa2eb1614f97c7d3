import type { StudentSnapshot } from '../domain/course-tutor/student-snapshot.ts'
import type { NewMessage, RequestConclusion } from '../store/course-commit.ts'
import type { RequestPayloads } from '../store/course-requests.ts'
import { storable } from '../store/course-storable.ts'
import type { StoredTurnDebug } from '../store/schema.ts'
import { cardOf } from '../tutor/steps/course/card.ts'
import { insteadOf, judgeTurn, type TakenTurn } from '../tutor/steps/course/turn.ts'
import { type CourseDependencies, type InHand, liteOf } from './course-dependencies.ts'
import { type MindOutcome, type PreparedTurn, turnContext } from './course-turn.ts'

/** The turn as it is shown and stored: the mind's move where it holds before the policy, else the fallback. */
export function concludeTurn(
  dependencies: CourseDependencies,
  hand: InHand,
  prepared: PreparedTurn,
  outcome: MindOutcome<TakenTurn> | null,
): RequestConclusion {
  const { request, course, at } = hand
  const { brief, examStatusById } = prepared
  const { policy } = brief
  const verdict = judge(hand, prepared, outcome)
  const { move } = verdict
  const card = cardOf(move, {
    course,
    threadId: request.thread_id,
    sealer: dependencies.sealer,
    drillId: request.id,
    drillSource: verdict.drillSource,
    examStatusById,
    at,
  })
  const said: NewMessage = {
    threadId: request.thread_id,
    role: 'assistant',
    text: move.tutorText,
    latex: null,
    action: move.action,
    unitId: move.targetUnitId,
    card,
    turnId: request.id,
  }
  const evidence = {
    type: 'turn_taken' as const,
    focusUnitId: policy.focusUnitId,
    analysis: verdict.analysis,
    at,
  }
  const lite = (snapshot: StudentSnapshot) =>
    liteOf(course, snapshot, policy.prereqBlockingUnitId, examStatusById)
  const debug = debugOf(prepared, outcome, verdict)
  return {
    change: {
      evidence,
      blocker: policy.prereqBlockingUnitId,
      messages: [...studentMessage(hand), said],
      turn: {
        mind: dependencies.mind.name,
        action: move.action,
        mapped: brief.mappedUnits,
        debug: {
          ...debug,
          snapshotLite: lite({ ...hand.stored.snapshot, focusUnitId: policy.focusUnitId }),
        },
      },
    },
    resultOf: (snapshot, messages) => ({
      status: 200,
      body: { turnId: request.id, messages, snapshotLite: lite(snapshot) },
    }),
  }
}

/** Judged by the policy of now: what was prepared anew may have changed since the mind was asked. */
function judge(
  { course, stored }: InHand,
  prepared: PreparedTurn,
  outcome: MindOutcome<TakenTurn> | null,
): TakenTurn {
  const context = turnContext(prepared, course, stored.generation)
  if (outcome?.ok && outcome.output.raw !== null) {
    const { raw, drillSource } = outcome.output
    return judgeTurn(raw, drillSource, context)
  }
  const late = { rule: 'late' as const, detail: 'no answer came in time' }
  return insteadOf(null, context, [outcome && !outcome.ok ? outcome.why : late])
}

function studentMessage({ request }: InHand): NewMessage[] {
  const { text, latex, voice } = request.payload as RequestPayloads['turn']
  const said = text ?? voice
  if (said === null && latex === null) return []
  return [
    {
      threadId: request.thread_id,
      role: 'user',
      text: said ?? '',
      latex,
      action: null,
      unitId: null,
      card: null,
      turnId: request.id,
    },
  ]
}

function debugOf(
  { brief, candidates, examAvailability }: PreparedTurn,
  outcome: MindOutcome<TakenTurn> | null,
  { fallback, violations, raw }: TakenTurn,
): Omit<StoredTurnDebug, 'snapshotLite'> {
  const { policy } = brief
  return storable({
    turnId: policy.turnId,
    policy: {
      ...policy,
      scopedUnitIds: [...policy.scopedUnitIds],
      allowedActions: [...policy.allowedActions],
    },
    candidates,
    validation: { passed: violations.length === 0, violations },
    fallback,
    examAvailability: {
      ...examAvailability,
      candidateIds: [...examAvailability.candidateIds],
    },
    prompt: outcome?.prompt ?? null,
    rawAnswer: raw,
  })
}
