import type { Unit } from '../contracts/course-pack.ts'
import type { TurnDebug } from '../contracts/course-tutor.ts'
import { readTutorResponse } from '../contracts/course-tutor-wire.ts'
import type {
  ExamAvailability,
  ExamCandidate,
  ExamStatusById,
} from '../domain/course-tutor/exam-availability.ts'
import { ENGLISH_FALLBACK, fallbackAction } from '../domain/course-tutor/fallback-action.ts'
import type { TurnAnalysis } from '../domain/course-tutor/mapped-units.ts'
import { keepKnownUnits, mergeMappedUnits } from '../domain/course-tutor/mapped-units.ts'
import { validateAgainstPolicy } from '../domain/course-tutor/policy-validation.ts'
import { buildSnapshotLiteForLlm } from '../domain/course-tutor/snapshot-lite.ts'
import type { StudentSnapshot } from '../domain/course-tutor/student-snapshot.ts'
import type { TurnFocus } from '../domain/course-tutor/tutor-policy.ts'
import { computePolicy, computeTurnFocus } from '../domain/course-tutor/tutor-policy.ts'
import type { TutorMove } from '../domain/course-tutor/tutor-response.ts'
import type { ScoredUnit } from '../domain/course-tutor/unit-priority.ts'
import { rankCandidateUnits } from '../domain/course-tutor/unit-priority.ts'
import { computeCandidateUnits, computeScopedUnitIds } from '../domain/course-tutor/unit-scope.ts'
import { hashText } from '../domain/diagnosis/seeded-random.ts'
import type { Retrieved } from '../retrieval/search.ts'
import { retrieve, searchAnchors, searchExamSupport } from '../retrieval/search.ts'
import type { NewMessage, RequestConclusion } from '../store/course-commit.ts'
import { statusesFromLocks } from '../store/course-locks.ts'
import type { RequestPayloads } from '../store/course-requests.ts'
import { storable } from '../store/course-storable.ts'
import { lastDrill, recentMessages } from '../store/course-threads.ts'
import { cardOf } from '../tutor/course/card.ts'
import type {
  MindAnswer,
  MindFailureKind,
  OpenDrill,
  TurnBrief,
} from '../tutor/course/course-mind.ts'
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

/** A turn up to the point where the mind is asked. */
export interface PreparedTurn {
  brief: TurnBrief
  examCandidates: ExamCandidate[]
  examAvailability: ExamAvailability
  examStatusById: ExamStatusById
  candidates: ScoredUnit[]
}

/** What became of asking the mind. */
export type MindOutcome =
  | ({ ok: true } & MindAnswer)
  | { ok: false; kind: MindFailureKind; detail: string; prompt: string | null }

/** Policy and context of a turn: mapping, focus, retrieval within the scope, exam lockouts, policy. Seed 004 EPIC D. */
export async function prepareTurn(
  dependencies: CourseDependencies,
  hand: InHand,
): Promise<PreparedTurn> {
  const { db, embedder } = dependencies
  const { request, course, stored, at } = hand
  const { courseId, language } = course
  const { snapshot } = stored
  const payload = request.payload as RequestPayloads['turn']
  const graph = pathGraph(course)
  const text = wordsOf(payload)
  const scope = { courseId, language, text, embedder }
  const [searchScores, past, drill] = await Promise.all([
    searchAnchors(db, scope),
    recentMessages(db, request.thread_id),
    openDrill(dependencies, request.thread_id),
  ])
  const mappedUnits = mergeMappedUnits({
    graph,
    searchScores,
    lastTurnAnalysis: snapshot.lastTurnAnalysis,
    clientEventUnitId: 'unitId' in payload.clientEvent ? payload.clientEvent.unitId : null,
  })
  const focus = computeTurnFocus({ snapshot, graph, mappedUnits })
  const { unitsInProgress } = snapshot
  const scopedUnitIds = computeScopedUnitIds({ graph, ...focus, mappedUnits, unitsInProgress })
  const behind = Object.keys(snapshot.examTouched).filter(
    (questionId) => !Object.hasOwn(snapshot.revisitQueue, questionId),
  )
  const questionIds = inUnit(course.units, focus.focusUnitId, behind)
  const [found, examSupportChunks] = await Promise.all([
    retrieve(db, { ...scope, ...focus, scopedUnitIds }),
    searchExamSupport(db, { ...scope, questionIds }),
  ])
  const examStatusById = await examStatuses(dependencies, hand, focus, found.examCandidates)
  const { policy, examAvailability } = computePolicy({
    turnId: request.id,
    snapshot,
    graph,
    mappedUnits,
    examCandidateIds: found.examCandidates.map(({ questionId }) => questionId),
    examStatusById,
  })
  const candidateUnitIds = computeCandidateUnits({ graph, ...focus, mappedUnits, unitsInProgress })
  return {
    examCandidates: found.examCandidates,
    examAvailability,
    examStatusById,
    candidates: rankCandidateUnits({ candidateUnitIds, snapshot, ...focus, mappedUnits, now: at }),
    brief: {
      courseId,
      language,
      policy,
      mappedUnits,
      context: {
        ...openTo(found, examAvailability),
        examSupportChunks,
        snapshotLiteForLLM: buildSnapshotLiteForLlm(snapshot, focus.focusUnitId, examStatusById),
        clientEvent: payload.clientEvent,
        recentMessages: past,
      },
      student: {
        messageText: payload.text,
        messageLatex: payload.latex,
        voiceTranscript: payload.voice,
      },
      openDrill: drill,
      seed: hashText(request.id),
    },
  }
}

function wordsOf({ text, latex, voice }: RequestPayloads['turn']): string {
  return [text, voice, latex].filter((part) => part !== null).join('\n')
}

/** What a mind is told: of the exam candidates only those that can be attempted now, in the order of preference. */
function openTo(found: Retrieved, { candidateIds }: ExamAvailability): Retrieved {
  const byId = new Map(found.examCandidates.map((exam) => [exam.questionId, exam]))
  return { ...found, examCandidates: candidateIds.flatMap((id) => byId.get(id) ?? []) }
}

function inUnit(units: readonly Unit[], unitId: string, questionIds: readonly string[]): string[] {
  const exams = units.find((unit) => unit.unitId === unitId)?.exams ?? []
  return exams.map(({ questionId }) => questionId).filter((id) => questionIds.includes(id))
}

/**
 * The authority's word on the candidates and on what is to be revisited, asked only where an exam may be given; none
 * for the candidates when it fails.
 */
async function examStatuses(
  { exams }: CourseDependencies,
  { course, stored, at }: InHand,
  { examReady }: TurnFocus,
  candidates: readonly ExamCandidate[],
): Promise<ExamStatusById> {
  const known = statusesFromLocks(stored.locks, at)
  if (!examReady) return known
  const asked = [
    ...candidates.map(({ questionId }) => questionId),
    ...Object.keys(stored.snapshot.revisitQueue),
  ]
  const query = { studentId: stored.learnerId, courseId: course.courseId, at }
  const told = await exams
    .status({ ...query, questionIds: [...new Set(asked)] })
    .catch(() => ({}) as ExamStatusById)
  const silent = candidates.map(({ questionId }) => questionId)
  const rest = Object.entries(known).filter(([questionId]) => !silent.includes(questionId))
  return { ...Object.fromEntries(rest), ...told }
}

async function openDrill(
  { db, sealer }: CourseDependencies,
  threadId: string,
): Promise<OpenDrill | null> {
  const last = await lastDrill(db, threadId)
  if (!last) return null
  const { unitId, prompt, questionLatex, token } = last.card
  const source = sealer.open(token)?.source ?? null
  return { unitId, prompt, questionLatex, source, hintsGiven: last.hintsGiven }
}

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
): Omit<TurnDebug, 'snapshotLite'> {
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
