import type { TurnDebug } from '../contracts/course-tutor.ts'
import { readTutorResponse } from '../contracts/course-tutor-wire.ts'
import { ENGLISH_FALLBACK, fallbackAction } from '../domain/course/fallback-action.ts'
import type { TurnAnalysis } from '../domain/course/mapped-units.ts'
import { keepKnownUnits } from '../domain/course/mapped-units.ts'
import { validateAgainstPolicy } from '../domain/course/policy-validation.ts'
import type { StudentSnapshot } from '../domain/course/student-snapshot.ts'
import type { TutorMove } from '../domain/course/tutor-response.ts'
import type { NewMessage, RequestConclusion } from '../store/course-commit.ts'
import type { RequestPayloads } from '../store/course-requests.ts'
import { storable } from '../store/course-storable.ts'
import type { StoredTurnDebug } from '../store/schema.ts'
import { cardOf } from '../tutor/course/card.ts'
import { fallbackMaterial } from '../tutor/course/course-words.ts'
import { courseTags } from '../tutor/course/drill-grading.ts'
import { forbiddenClaims } from '../tutor/course/forbidden-claims.ts'
import {
  type CourseDependencies,
  type InHand,
  liteOf,
  pathGraph,
  unitOf,
} from './course-dependencies.ts'
import type { MindOutcome, PreparedTurn } from './course-turn.ts'

interface Verdict {
  move: TutorMove
  analysis: TurnAnalysis | null
  fallback: boolean
  violations: TurnDebug['validation']['violations']
  drillSource: string | null
}

/** The turn as it is shown and stored: the mind's move where it holds before the policy, else the fallback. */
export function concludeTurn(
  dependencies: CourseDependencies,
  hand: InHand,
  prepared: PreparedTurn,
  outcome: MindOutcome | null,
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

function judge(
  { course, stored }: InHand,
  prepared: PreparedTurn,
  outcome: MindOutcome | null,
): Verdict {
  const { brief, examCandidates, examAvailability } = prepared
  const { policy } = brief
  const instead = (violations: Verdict['violations']): Verdict => {
    const unit = unitOf(course, policy.focusUnitId)
    if (!unit) throw new Error(`the course has no unit ${policy.focusUnitId}`)
    const turnNumber = stored.generation
    const material = fallbackMaterial(unit, brief.seed)
    const move = fallbackAction({ policy, material, templates: ENGLISH_FALLBACK, turnNumber })
    return { move, analysis: null, fallback: true, violations, drillSource: null }
  }
  if (outcome === null) return instead([{ rule: 'late', detail: 'no answer came in time' }])
  if (!outcome.ok) return instead([{ rule: outcome.kind, detail: outcome.detail }])
  const reading = readTutorResponse(outcome.raw)
  if (!reading.ok) {
    return instead(reading.problems.map((detail) => ({ rule: 'malformed' as const, detail })))
  }
  const { analysis, ...move } = storable(reading.value)
  const violations = [
    ...validateAgainstPolicy(move, { policy, examCandidates, examAvailability }),
    ...tooLongDrill(move, policy.constraints.maxConceptWords),
    ...forbiddenClaims(move, {
      courseTags: courseTags(course),
      examIds: examAvailability.candidateIds,
    }).map((detail) => ({ rule: 'malformed' as const, detail })),
  ]
  if (violations.length > 0) return instead(violations)
  return {
    move,
    analysis: keepKnownUnits(analysis, pathGraph(course)),
    fallback: false,
    violations: [],
    drillSource: outcome.drillSource,
  }
}

function tooLongDrill({ action, drillCard }: TutorMove, maxWords: number): Verdict['violations'] {
  if (action !== 'DRILL_CARD' || !drillCard) return []
  const words = `${drillCard.prompt} ${drillCard.questionLatex}`.match(/\S+/g)?.length ?? 0
  return words > maxWords
    ? [{ rule: 'too_many_words', detail: `${words} words in the drill card` }]
    : []
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
  outcome: MindOutcome | null,
  { fallback, violations }: Verdict,
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
    rawAnswer: outcome?.ok ? outcome.raw : null,
  })
}
