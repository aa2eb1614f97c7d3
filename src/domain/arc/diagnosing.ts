import { rankInventory } from '../diagnosis/inventory.ts'
import { inferMastery } from '../diagnosis/mastery-inference.ts'
import { nextProbe } from '../diagnosis/probes.ts'
import { learnerLevel } from '../diagnosis/summary.ts'
import type { Arc, Part } from './arc.ts'
import type { Question } from './question.ts'
import type { StepOutputs } from './steps.ts'

/** PENDING: greets, and begins the diagnosis or leaves it out as the settings say. */
export function begin(arc: Arc): void {
  arc.moveTo('DIAGNOSING')
  arc.hear(`${arc.topic}. ${arc.goal ?? ''}`)
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

function endDiagnosis(arc: Arc): void {
  const { state } = arc
  state.diagnosed = true
  const probes = state.diagnosis?.probes ?? []
  if (probes.length > 0) arc.ask('summary', { probes }, 'sum up the diagnosis')
  else arc.moveTo('PLANNING')
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
    arc.say({ phrase: 'diagnosis-done', params: { level: learnerLevel(diagnosis) } })
  }
  arc.moveTo('PLANNING')
}
