import type { Diagnosis, InventoryConcept } from '../diagnosis/diagnosis.ts'
import { DIFFICULTIES, rankInventory } from '../diagnosis/inventory.ts'
import { inferMastery } from '../diagnosis/mastery-inference.ts'
import { nextProbe } from '../diagnosis/probes.ts'
import { learnerLevel } from '../diagnosis/summary.ts'
import { prerequisiteGraph } from '../mind-map/graph.ts'
import type { MindMapNode } from '../mind-map/mind-map.ts'
import { bySequence } from '../mind-map/node-order.ts'
import type { Arc, Part } from './arc.ts'
import { planAgain } from './planning.ts'
import type { Question } from './question.ts'
import { newSitting } from './state.ts'
import type { StepOutputs } from './steps.ts'

/** No more concepts are probed at a time: the model of what a learner may know grows with each. */
const CONCEPTS_PROBED = 15

/** PENDING: greets, and begins the diagnosis or leaves it out as the settings say. */
export function begin(arc: Arc): void {
  arc.moveTo('DIAGNOSING')
  arc.hear(`${arc.topic}. ${arc.goal ?? ''}`)
  // The title of a course is written in the course's language, whatever the learner's is.
  const isTitle = arc.courseId !== null && arc.goal === null
  if (isTitle && arc.state.language === 'en') delete arc.state.language
  const aside: Part[] = arc.courseId !== null && arc.language !== 'en' ? ['course-in-english'] : []
  if (arc.tutor === 'offline') {
    arc.say({ phrase: 'welcome-offline', params: { course: arc.courseId } }, ...aside)
  } else {
    arc.say({ phrase: 'welcome-model', params: { topic: arc.topic } }, ...aside)
  }
  arc.state.diagnosed = arc.rules.skipDiagnosis
}

/** DIAGNOSING: asks for the next probe, or ends the diagnosis when enough is known. */
export function diagnose(arc: Arc) {
  const { state } = arc
  if (state.diagnosed) return endDiagnosis(arc)
  arc.handTo('diagnostic', 'to find out what the learner knows')
  if (!state.diagnosis) return arc.ask('inventory', {}, 'list the concepts')
  const probe = nextProbe(state.diagnosis)
  if (!probe) return endDiagnosis(arc)
  arc.ask('probe', { label: probe.label }, probe.label)
}

/** Where the learner's own word about their level has the first probe begin. */
function startOf({ rules: { level } }: Arc): Pick<Diagnosis, 'start'> {
  return level === 'beginner' || level === 'intermediate' || level === 'advanced'
    ? { start: level }
    : {}
}

/** The concepts are listed. */
export function takeInventory(arc: Arc, { concepts }: StepOutputs['inventory']): void {
  arc.state.diagnosis = {
    concepts: rankInventory(
      concepts.map(({ label, difficulty, prerequisites }) => ({
        label,
        difficulty,
        prerequisites,
      })),
    ),
    probes: [],
    depth: arc.rules.diagnosisDepth,
    ...startOf(arc),
  }
  arc.say('diagnosis-start')
}

/** The probe is written: it is put to the learner. */
export function putProbe(arc: Arc, label: string, question: Question | null): void {
  if (question) arc.put('diagnostic', question, { label })
  // A concept that nobody can ask about counts as not known.
  else arc.state.diagnosis?.probes.push({ label, quality: 0 })
}

/** A probe was answered, or abstained from with quality 0. */
export function answerProbe(arc: Arc, quality: number): void {
  const { question, diagnosis } = arc.state
  if (!question || !diagnosis) return
  diagnosis.probes.push({ label: question.label, quality })
  arc.closeQuestion(quality)
}

/**
 * The learner wants to be tested again: the open question is withdrawn, and the concepts that are not begun yet are probed
 * anew. Where none is left it is said, and the arc stays where it is.
 */
export function diagnoseAgain(arc: Arc) {
  const { state, map } = arc
  const open = map.nodes
    .filter((node) => node.masteryStatus === 'unseen' || node.masteryStatus === 'diagnosed')
    .sort(bySequence)
  const isHere = ['TEACHING', 'QUIZZING', 'REVIEWING'].includes(state.phase)
  if (!isHere || open.length === 0) {
    arc.say('diagnose-nothing')
    return arc.leadBack()
  }
  arc.closeQuestion(null)
  arc.setLesson(null)
  state.batch = []
  state.sitting = newSitting()
  state.diagnosed = false
  state.checkSkipped = false
  state.diagnosis = againOn(arc, open)
  arc.moveTo('DIAGNOSING')
  arc.say('diagnosis-again')
}

/** A diagnosis of concepts of the map, in its order: the easiest third first. */
function againOn({ map, rules }: Arc, nodes: MindMapNode[]): Diagnosis {
  const { parents } = prerequisiteGraph(map)
  const labels = new Map(map.nodes.map(({ id, label }) => [id, label]))
  const concepts = nodes.slice(0, CONCEPTS_PROBED).map(
    ({ id, label }, index, all): InventoryConcept => ({
      label,
      difficulty: DIFFICULTIES[Math.floor((index * DIFFICULTIES.length) / all.length)] ?? 'expert',
      prerequisites: (parents.get(id) ?? []).flatMap((parent) => labels.get(parent) ?? []),
    }),
  )
  return {
    concepts: rankInventory(concepts),
    probes: [],
    depth: rules.diagnosisDepth,
  }
}

function endDiagnosis(arc: Arc): void {
  const { state } = arc
  state.diagnosed = true
  const probes = state.diagnosis?.probes ?? []
  if (probes.length > 0) arc.ask('summary', { probes }, 'sum up the diagnosis')
  else goToPlanning(arc)
}

/** The diagnosis is summed up, or nobody could: it is stored, and the plan comes next. */
export function concludeDiagnosis(arc: Arc, summary: StepOutputs['summary'] | null): void {
  const { diagnosis } = arc.state
  if (diagnosis) {
    arc.record({
      type: 'diagnosis',
      inventory: diagnosis.concepts.map((concept) => concept.label),
      probes: inferMastery(diagnosis).flatMap(({ label, measured, inferred }) =>
        measured === null ? [] : [{ label, quality: measured, inferred }],
      ),
      summary: summary && {
        level: summary.learner_level,
        gaps: summary.prerequisite_gaps,
        recommendations: summary.recommendations,
      },
    })
    // Whoever left the check has been told that the beginning comes next, whatever was answered so far.
    if (!arc.state.checkSkipped) {
      arc.say({ phrase: 'diagnosis-done', params: { level: learnerLevel(diagnosis) } })
    }
  }
  goToPlanning(arc)
}

/** On to the plan; in the middle of an arc the map is there and only what is known of it changes. */
function goToPlanning(arc: Arc): void {
  arc.moveTo('PLANNING')
  if (arc.hasMap) planAgain(arc)
}
