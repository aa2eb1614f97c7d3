import type { Course, Unit } from '../contracts/course-pack.ts'
import type {
  ExamAvailability,
  ExamCandidate,
  ExamStatusById,
} from '../domain/course-tutor/exam-availability.ts'
import { mergeMappedUnits } from '../domain/course-tutor/mapped-units.ts'
import { buildSnapshotLiteForLlm } from '../domain/course-tutor/snapshot-lite.ts'
import type { TurnFocus } from '../domain/course-tutor/tutor-policy.ts'
import { computePolicy, computeTurnFocus } from '../domain/course-tutor/tutor-policy.ts'
import type { ScoredUnit } from '../domain/course-tutor/unit-priority.ts'
import { rankCandidateUnits } from '../domain/course-tutor/unit-priority.ts'
import { computeCandidateUnits, computeScopedUnitIds } from '../domain/course-tutor/unit-scope.ts'
import { hashText } from '../domain/random/seeded-random.ts'
import type { Retrieved } from '../retrieval/search.ts'
import { retrieve, searchAnchors, searchExamSupport } from '../retrieval/search.ts'
import { statusesFromLocks } from '../store/course-locks.ts'
import type { RequestPayloads } from '../store/course-requests.ts'
import { lastDrill, recentMessages } from '../store/course-threads.ts'
import { type Answer, type Mind, TutorFailure, unheard } from '../tutor/mind.ts'
import type { Step } from '../tutor/step.ts'
import {
  type OpenDrill,
  type TurnBrief,
  type TurnContext,
  type TurnViolation,
  violationOf,
} from '../tutor/steps/course/turn.ts'
import { type CourseDependencies, type InHand, pathGraph } from './course-dependencies.ts'

/** A turn up to the point where the mind is asked. */
export interface PreparedTurn {
  brief: TurnBrief
  examCandidates: ExamCandidate[]
  examAvailability: ExamAvailability
  examStatusById: ExamStatusById
  candidates: ScoredUnit[]
}

/** What became of asking the mind, and the prompt that a model was given. */
export type MindOutcome<Output> =
  | ({ ok: true; prompt: string | null } & Answer<Output>)
  | { ok: false; prompt: string | null; why: TurnViolation }

/** Asks a step of the mind; a failure is an outcome like any other. */
export async function outcomeOf<Context, Output>(
  mind: Mind,
  step: Step<Context, Output>,
  context: Context,
): Promise<MindOutcome<Output>> {
  const said = mind.name === 'offline' ? null : step.prompt(context)
  const prompt = said && `${said.system}\n\n${said.request}`
  try {
    return { ok: true, prompt, ...(await mind.run(step, context, unheard())) }
  } catch (error) {
    if (!(error instanceof TutorFailure)) throw error
    return { ok: false, prompt, why: violationOf(error) }
  }
}

/** What the turn's step is told, and what its answer is checked against. */
export const turnContext = (
  { brief, examCandidates, examAvailability }: PreparedTurn,
  course: Course,
  turnNumber: number,
): TurnContext => ({ ...brief, course, examCandidates, examAvailability, turnNumber })

/** Policy and context of a turn: mapping, focus, retrieval within the scope, exam lockouts, policy. Seed 004 EPIC D. */
export async function prepareTurn(
  dependencies: CourseDependencies,
  hand: InHand,
): Promise<PreparedTurn> {
  const { db } = dependencies
  const { request, course, stored, at } = hand
  const { courseId, language } = course
  const { snapshot } = stored
  const payload = request.payload as RequestPayloads['turn']
  const graph = pathGraph(course)
  const text = wordsOf(payload)
  const scope = { courseId, language, text }
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
