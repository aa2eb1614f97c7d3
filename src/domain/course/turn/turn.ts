import { writtenLanguage } from '../../language/written-language.ts'
import { hashText } from '../../random/seeded-random.ts'
import { derivedId } from '../../spine/ids.ts'
import type { TurnBrief, TurnOutcome } from '../brief.ts'
import type { ExamStatusById } from '../exams/exam-availability.ts'
import { statusesFromLocks } from '../exams/locks.ts'
import { computePolicy, computeTurnFocus } from '../policy/tutor-policy.ts'
import { type CourseRequest, wordsOf } from '../request.ts'
import { buildSnapshotLiteForLlm } from '../snapshot/snapshot-lite.ts'
import { spokenIn } from '../spoken.ts'
import {
  type CourseEffect,
  type Decision,
  done,
  type LoadedCourse,
  liteOf,
  type NewMessage,
  type PreparedTurn,
  type Searched,
  type TurnAim,
  type TurnLog,
  type TurnMaterial,
  takeInHand,
  type Work,
} from '../state.ts'
import { mergeMappedUnits } from '../units/mapped-units.ts'
import { rankCandidateUnits } from '../units/unit-priority.ts'
import { computeCandidateUnits, computeScopedUnitIds } from '../units/unit-scope.ts'
import { judgeMove, type Verdict } from './turn-move.ts'

export type TurnWork = Extract<Work, { type: 'turn' }>

/** Where the turn goes, by what the search over the whole course found; its material is retrieved within that scope. */
export function aimTurn(loaded: LoadedCourse, work: TurnWork, searched: Searched): Decision {
  const { course, state } = loaded
  const { snapshot } = state
  const { scores, ...thread } = searched
  const { clientEvent } = work.request.payload
  const mappedUnits = mergeMappedUnits({
    graph: course,
    searchScores: scores,
    lastTurnAnalysis: snapshot.lastTurnAnalysis,
    clientEventUnitId: clientEvent.type === 'NONE' ? null : clientEvent.unitId,
  })
  const { knownUnitIds } = loaded
  const focus = computeTurnFocus({ snapshot, graph: course, mappedUnits, knownUnitIds })
  const { unitsInProgress } = snapshot
  const scope = { graph: course, ...focus, mappedUnits, unitsInProgress }
  const exams = course.units.find(({ unitId }) => unitId === focus.focusUnitId)?.exams ?? []
  const behind = exams
    .map(({ questionId }) => questionId)
    .filter((id) => Object.hasOwn(snapshot.examTouched, id))
    .filter((id) => !Object.hasOwn(snapshot.revisitQueue, id))
  const aim = { ...thread, mappedUnits, focus, behind, scopedUnitIds: computeScopedUnitIds(scope) }
  return takeInHand(loaded, { ...work, stage: { step: 'retrieve', aim } })
}

/** The exam authority is asked only where an exam may be given: about the candidates and what is to be revisited. */
export function supplyTurn(
  loaded: LoadedCourse,
  work: TurnWork,
  aim: TurnAim,
  material: TurnMaterial,
  at: number,
): Decision {
  const { state } = loaded
  if (!aim.focus.examReady) {
    const examStatusById = statusesFromLocks(state.locks, at)
    return prepareTurn(loaded, work, { aim, material, examStatusById }, at)
  }
  const candidates = material.examCandidates.map(({ questionId }) => questionId)
  const asked = new Set([...candidates, ...Object.keys(state.snapshot.revisitQueue)])
  const stage = { step: 'exam-status' as const, aim, material, questionIds: [...asked] }
  return takeInHand(loaded, { ...work, stage })
}

/** The authority's word on the candidates, none where it is silent; on the others what the locks say, where it is. */
export function withStatuses(
  { state }: LoadedCourse,
  { examCandidates }: TurnMaterial,
  told: ExamStatusById,
  at: number,
): ExamStatusById {
  const isCandidate = (id: string) => examCandidates.some(({ questionId }) => questionId === id)
  const known = Object.entries(statusesFromLocks(state.locks, at))
  return { ...Object.fromEntries(known.filter(([id]) => !isCandidate(id))), ...told }
}

/** Policy and context of the turn; a mind is asked for its move. Seed 004 EPIC D. */
export function prepareTurn(
  loaded: LoadedCourse,
  work: TurnWork,
  found: { aim: TurnAim; material: TurnMaterial; examStatusById: ExamStatusById },
  at: number,
): Decision {
  const { course, state } = loaded
  const { snapshot } = state
  const { aim, material, examStatusById } = found
  const { focus, mappedUnits } = aim
  const { examCandidates, fallback } = material
  const { unitsInProgress } = snapshot
  const { policy, examAvailability } = computePolicy({
    turnId: work.request.id,
    snapshot,
    graph: course,
    mappedUnits,
    knownUnitIds: loaded.knownUnitIds,
    examCandidateIds: examCandidates.map(({ questionId }) => questionId),
    examStatusById,
  })
  const candidateUnitIds = computeCandidateUnits({
    graph: course,
    ...focus,
    mappedUnits,
    unitsInProgress,
  })
  // Told are only the candidates that can be attempted now, in the order of preference.
  const open = examAvailability.candidateIds.flatMap(
    (id) => examCandidates.find(({ questionId }) => questionId === id) ?? [],
  )
  const brief: TurnBrief = {
    language: course.language,
    spoken: spokenIn(loaded, wordsOf(work.request.payload)),
    policy,
    mappedUnits,
    context: {
      unitAnchors: material.unitAnchors,
      unitContentChunks: material.unitContentChunks,
      examCandidates: open,
      examSupportChunks: material.examSupportChunks,
      snapshotLiteForLLM: buildSnapshotLiteForLlm(snapshot, focus.focusUnitId, examStatusById),
      clientEvent: work.request.payload.clientEvent,
      recentMessages: aim.recentMessages,
    },
    student: studentInput(work.request),
    openDrill: aim.openDrill,
    asked: aim.asked,
    seed: hashText(work.request.id),
  }
  const candidates = rankCandidateUnits({
    candidateUnitIds,
    snapshot,
    ...focus,
    mappedUnits,
    now: at,
  })
  const prepared = { brief, examCandidates, examAvailability, examStatusById, candidates, fallback }
  return takeInHand(loaded, { ...work, stage: { step: 'turn', prepared } })
}

/** The turn as it is shown and stored: the mind's move where it holds before the policy, else the fallback. */
export function concludeTurn(
  loaded: LoadedCourse,
  { request }: TurnWork,
  prepared: PreparedTurn,
  outcome: TurnOutcome,
  at: number,
): Decision {
  const { brief, examStatusById } = prepared
  const { policy, mappedUnits } = brief
  const verdict = judgeMove(loaded, prepared, outcome)
  const { move, analysis, drillSource, asks } = verdict
  const { focusUnitId, prereqBlockingUnitId: blocker } = policy
  const evidence = { type: 'turn_taken' as const, focusUnitId, analysis, at }
  const { [request.threadId]: _answered, ...others } = loaded.state.asked ?? {}
  const asked = asks ? { ...others, [request.threadId]: asks } : others
  const heard = writtenLanguage(wordsOf(request.payload))
  const after = done(loaded, { evidence, blocker, asked, ...(heard ? { language: heard } : {}) })
  const said: NewMessage = {
    id: derivedId(request.id, 'tutor'),
    threadId: request.threadId,
    role: 'assistant',
    text: move.tutorText,
    latex: null,
    turnId: request.id,
    shown: { move, drillId: request.id, drillSource, examStatusById },
  }
  const snapshotLite = liteOf(after, examStatusById)
  const effects: CourseEffect[] = [
    ...studentMessage(request).map((message) => ({ type: 'message' as const, message })),
    { type: 'message', message: said },
    { type: 'evidence', requestId: request.id, evidence },
    {
      type: 'turn',
      threadId: request.threadId,
      action: move.action,
      mapped: mappedUnits,
      log: { ...logOf(prepared, outcome, verdict), snapshotLite },
    },
    {
      type: 'answer',
      requestId: request.id,
      status: 200,
      body: { turnId: request.id, snapshotLite },
      shows: 'turn',
    },
  ]
  return { loaded: after, effects }
}

function studentInput({ payload }: CourseRequest<'turn'>): TurnBrief['student'] {
  const { text, latex, voice } = payload
  return { messageText: text, messageLatex: latex, voiceTranscript: voice }
}

function studentMessage({ id, threadId, payload }: CourseRequest<'turn'>): NewMessage[] {
  const { text, latex, voice } = payload
  const said = text ?? voice
  if (said === null && latex === null) return []
  const message = { text: said ?? '', latex, turnId: id, shown: null }
  return [{ id: derivedId(id, 'student'), threadId, role: 'user', ...message }]
}

function logOf(
  { brief: { policy }, candidates, examAvailability }: PreparedTurn,
  outcome: TurnOutcome,
  { fallback, violations }: Verdict,
): Omit<TurnLog, 'snapshotLite'> {
  return {
    turnId: policy.turnId,
    policy,
    candidates,
    validation: { passed: violations.length === 0, violations },
    fallback,
    examAvailability,
    prompt: outcome.prompt,
    rawAnswer: outcome.ok ? outcome.said.raw : null,
  }
}
