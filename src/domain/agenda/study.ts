import { nextActivity } from '../arc/next-activity.ts'
import { losePlace, withPlace } from '../arc/placement.ts'
import { type ArcRules, fsrsOf, type Lesson, type LoadedArc, newSitting } from '../arc/state.ts'
import {
  askQuestion,
  cycleOutcome,
  cycleQualities,
  gradeQuestion,
  nextCycle,
  restartEased,
  startCycles,
} from '../learning-cycle/cycle.ts'
import { isHelped } from '../mastery/quality.ts'
import {
  applyCheck,
  applyResponse,
  applySideResponse,
  completeCycle,
  emptyHistory,
  meanQuality,
  type NodeHistory,
  passPlaced,
  type ResponseContext,
} from '../mastery/status.ts'
import type { MindMap, MindMapNode } from '../mind-map/mind-map.ts'

/** The rules of an arc that its dates depend on. */
export type StudyRules = Pick<
  ArcRules,
  | 'unlockAt'
  | 'scheduler'
  | 'learningSteps'
  | 'masteryThreshold'
  | 'maxCycles'
  | 'quizQuestions'
  | 'maxInterval'
  | 'onMastered'
  | 'fsrs'
>

/** An arc without its words: what its concepts, their dates and the concept in hand are. Nothing of it is changed in place. */
export interface Study {
  map: MindMap
  /** By node id. */
  histories: Readonly<Record<string, NodeHistory>>
  rules: StudyRules
  /** The length of one day in milliseconds. */
  dayMs: number
  lesson: Lesson | null
  /** Concepts whose next cycles are easier, and concepts that begin with the quiz. */
  eased: readonly string[]
  lapsed: readonly { nodeId: string; begin: 'quiz' | 'lesson' }[]
  /** Placed concepts that may be checked before lessons in the sitting. */
  checksLeft: number
}

/** What a learner is asked next. */
export type Task =
  | { do: 'review' | 'check'; nodeId: string }
  /** `explained`: its lesson is not to come before it. */
  | { do: 'quiz'; nodeId: string; explained: boolean }
  | { do: 'sleep' | 'complete' }

/** A graded answer; `side` enters the score and nothing else. The quality is a whole number from 0 to 5, `at` UTC ms. */
export interface StudyAnswer {
  to: 'review' | 'check' | 'quiz' | 'side'
  nodeId: string
  quality: number
  at: number
}

/** What is studied in an arc as it stands; questions that are open are as if they were still to come. */
export function studyOf({
  map,
  histories,
  rules,
  dayMs,
  state,
}: Pick<LoadedArc, 'map' | 'histories' | 'rules' | 'dayMs' | 'state'>): Study {
  const { lesson, eased, lapsed, sitting } = state
  const { checksLeft } = sitting
  const own = { ...rules, ...fsrsOf({ rules, state }) }
  return {
    map,
    histories,
    rules: own,
    dayMs,
    lesson: withoutOpen(lesson),
    eased,
    lapsed,
    checksLeft,
  }
}

function withoutOpen(lesson: Lesson | null): Lesson | null {
  // A refresher asks nothing that is graded.
  if (!lesson || lesson.refresher) return null
  const marks = lesson.cycle.marks.filter(({ quality }) => quality !== null)
  const stage = lesson.stage === 'check' ? 'quiz' : lesson.stage
  return { ...lesson, stage, cycle: { ...lesson.cycle, marks } }
}

/** A new sitting: placed concepts may be checked again. */
export const newStudySitting = (study: Study): Study => ({
  ...study,
  checksLeft: newSitting().checksLeft,
})

/** What the arc would do at a moment in UTC ms, chosen as the arc chooses. */
export function nextTask(study: Study, now: number): Task {
  const { lesson, checksLeft, map, rules } = study
  const sitting = { ...newSitting(), checksLeft }
  const activity = nextActivity({ lesson, batch: [], sitting, question: null }, map, rules, now)
  switch (activity.do) {
    case 'review':
      return { do: 'review', nodeId: activity.nodeIds[0] ?? '' }
    case 'check':
      return activity
    case 'teach': {
      const lapse = study.lapsed.find(({ nodeId }) => nodeId === activity.nodeId)
      return { do: 'quiz', nodeId: activity.nodeId, explained: lapse?.begin === 'quiz' }
    }
    case 'go-on':
      return { do: 'quiz', nodeId: lesson?.nodeId ?? '', explained: lesson?.stage !== 'explain' }
    case 'complete':
      return { do: 'complete' }
    default:
      return { do: 'sleep' }
  }
}

/** The study after an answer, by the rules of the arc: score, status, date, cycle, places. */
export function answered(study: Study, answer: StudyAnswer): Study {
  const node = study.map.nodes.find(({ id }) => id === answer.nodeId)
  if (!node) return study
  switch (answer.to) {
    case 'review':
      return reviewed(study, node, answer)
    case 'check':
      return checked(study, node, answer)
    case 'quiz':
      return quizzed(study, node, answer)
    case 'side': {
      const applied = applySideResponse(node, historyOf(study, node), answer.quality)
      return withNode(study, applied.node, applied.history)
    }
  }
}

function reviewed(study: Study, node: MindMapNode, { quality, at }: StudyAnswer): Study {
  const mark = { quality, type: 'review' as const }
  const applied = applyResponse(node, historyOf(study, node), mark, contextOf(study, at, false))
  const next = withNode(study, applied.node, applied.history)
  const hasLapsed = node.masteryStatus === 'reviewing' && applied.node.masteryStatus === 'learning'
  if (!hasLapsed) return next
  const others = study.lapsed.filter(({ nodeId }) => nodeId !== node.id)
  return {
    ...next,
    lapsed: [...others, { nodeId: node.id, begin: isHelped(quality) ? 'lesson' : 'quiz' }],
  }
}

function checked(study: Study, node: MindMapNode, { quality, at }: StudyAnswer): Study {
  const applied = applyCheck(node, historyOf(study, node), quality, contextOf(study, at, false))
  const asked = { ...study, checksLeft: Math.max(0, study.checksLeft - 1) }
  if (isHelped(quality)) {
    const next = withNode(asked, applied.node, applied.history)
    return {
      ...next,
      lesson: { ...lessonOn(next, node.id, at), stage: 'quiz', quizFirst: 'checked' },
    }
  }
  const next = withNode(asked, withPlace(applied.node, false), applied.history)
  if (quality >= 4) return next
  const displaced = withNodes(next, losePlace(next.map, node.id))
  return { ...displaced, lesson: lessonOn(displaced, node.id, at) }
}

function quizzed(study: Study, given: MindMapNode, { quality, at }: StudyAnswer): Study {
  const inHand = study.lesson?.nodeId === given.id ? study.lesson : lessonOn(study, given.id, at)
  const mark = { quality, type: 'teach' as const }
  const applied = applyResponse(given, historyOf(study, given), mark, contextOf(study, at, true))
  const lapsed = study.lapsed.filter(({ nodeId }) => nodeId !== given.id)
  const next = { ...withNode(study, applied.node, applied.history), lapsed }
  const questionId = `${inHand.cycle.cycleNumber}/${inHand.cycle.marks.length}`
  const cycle = gradeQuestion(askQuestion(inHand.cycle, questionId), questionId, quality)
  const lesson: Lesson = { ...inHand, cycle, stage: 'quiz', quiz: inHand.quiz ?? NO_WORDS }
  const quizQuestions = inHand.quiz?.questions.length || study.rules.quizQuestions
  switch (cycleOutcome(cycle, { ...study.rules, quizQuestions })) {
    case 'continue':
      return { ...next, lesson }
    case 'reviewing': {
      const ctx = contextOf(study, at, false)
      const qualities = cycleQualities(cycle)
      const passed =
        lesson.quizFirst === 'known'
          ? passPlaced(applied.node, meanQuality(qualities), ctx)
          : completeCycle(applied.node, qualities, ctx)
      const eased = study.eased.filter((id) => id !== given.id)
      return { ...withNode(next, withPlace(passed, false)), eased, lesson: null }
    }
    case 'next-cycle': {
      const after = { ...lesson, cycle: nextCycle(cycle), stage: 'explain' as const, quiz: null }
      return { ...displaced(next, lesson), lesson: { ...after, quizFirst: null } }
    }
    case 'remediate': {
      const eased = [...new Set([...study.eased, given.id])]
      return { ...behind(displaced(next, lesson), given.id), eased, lesson: null }
    }
  }
}

/** A quiz that was to prove a concept and was not passed takes the place from those that depend on it. */
function displaced(study: Study, { nodeId, quizFirst }: Lesson): Study {
  if (!quizFirst || quizFirst === 'lapse') return study
  const unsure = withNodes(study, losePlace(study.map, nodeId))
  return withNodes(
    unsure,
    unsure.map.nodes.filter(({ id }) => id === nodeId).map((node) => withPlace(node, false)),
  )
}

/** A concept whose cycles are spent comes after the others. */
function behind(study: Study, nodeId: string): Study {
  const last = Math.max(...study.map.nodes.map(({ sequence }) => sequence ?? 0))
  return withNodes(
    study,
    study.map.nodes
      .filter(({ id }) => id === nodeId)
      .map((node) => ({ ...node, sequence: last + 1 })),
  )
}

const NO_WORDS = { questions: [], asked: 0 }

function lessonOn(study: Study, nodeId: string, at: number): Lesson {
  const lapse = study.lapsed.find((one) => one.nodeId === nodeId)
  const quizFirst = lapse?.begin === 'quiz' ? 'lapse' : null
  return {
    nodeId,
    cycle: study.eased.includes(nodeId) ? restartEased(startCycles()) : startCycles(),
    startedAt: at,
    stage: quizFirst ? 'quiz' : 'explain',
    explained: null,
    easier: null,
    quiz: null,
    errors: [],
    refresher: false,
    quizFirst,
    mixed: false,
  }
}

function contextOf({ rules, dayMs }: Study, at: number, inCycle: boolean): ResponseContext {
  const { learningSteps, scheduler, maxInterval, fsrs } = rules
  return { at, dayMs, learningSteps, scheduler, maxInterval, inCycle, ...(fsrs && { fsrs }) }
}

const historyOf = ({ histories }: Study, { id }: MindMapNode) => histories[id] ?? emptyHistory()

function withNode(study: Study, node: MindMapNode, history?: NodeHistory): Study {
  const histories = history ? { ...study.histories, [node.id]: history } : study.histories
  return { ...withNodes(study, [node]), histories }
}

function withNodes(study: Study, changed: readonly MindMapNode[]): Study {
  const byId = new Map(changed.map((node) => [node.id, node]))
  const nodes = study.map.nodes.map((node) => byId.get(node.id) ?? node)
  return { ...study, map: { ...study.map, nodes } }
}
