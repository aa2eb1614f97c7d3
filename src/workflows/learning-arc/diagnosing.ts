import { rankInventory } from '../../domain/diagnosis/inventory.ts'
import { inferMastery } from '../../domain/diagnosis/mastery-inference.ts'
import { nextProbe } from '../../domain/diagnosis/probes.ts'
import { learnerLevel } from '../../domain/diagnosis/summary.ts'
import type { Arc } from './arc.ts'
import { Malformed, type ModelSteps, questionsOf } from './model-steps.ts'

/** PENDING: greets, and begins the diagnosis or leaves it out as the settings say. */
export function begin(arc: Arc): void {
  arc.moveTo('DIAGNOSING')
  if (arc.tutor === 'offline') {
    arc.say({ phrase: 'welcome-offline', params: { course: arc.courseId } })
  } else {
    arc.say({ phrase: 'welcome-model', params: { topic: arc.topic } })
  }
  arc.flow.diagnosed = arc.rules.skipDiagnosis
}

/** DIAGNOSING: puts the next probe, or ends the diagnosis when enough is known. */
export async function diagnose(arc: Arc, steps: ModelSteps): Promise<void> {
  const { flow } = arc
  if (flow.diagnosed) return endDiagnosis(arc, steps)
  arc.handTo('diagnostic', 'to find out what the learner knows')
  if (!flow.diagnosis) {
    const { digest } = await steps.run('inventory', 'topic', {}, 'list the concepts')
    flow.diagnosis = {
      concepts: rankInventory(digest.concepts),
      probes: [],
      depth: arc.rules.diagnosisDepth,
    }
    arc.say('diagnosis-start')
  }
  const probe = nextProbe(flow.diagnosis)
  if (!probe) return endDiagnosis(arc, steps)
  const step = await steps.run('probe', probe.label, { label: probe.label }, probe.label)
  const [question] = questionsOf(step)
  if (question) arc.ask('diagnostic', question, { label: probe.label })
  // A concept nobody can ask about counts as not known.
  else flow.diagnosis.probes.push({ label: probe.label, quality: 0 })
}

/** A probe was answered, or abstained from with quality 0. */
export function answerProbe(arc: Arc, quality: number): void {
  const { flow } = arc
  if (!flow.question || !flow.diagnosis) return
  flow.diagnosis.probes.push({ label: flow.question.label, quality })
  arc.closeQuestion(quality)
}

async function endDiagnosis(arc: Arc, steps: ModelSteps): Promise<void> {
  const { flow } = arc
  flow.diagnosed = true
  if (flow.diagnosis && flow.diagnosis.probes.length > 0) {
    const { probes } = flow.diagnosis
    const level = learnerLevel(flow.diagnosis)
    const key = await summarise(steps, probes)
    arc.record({
      type: 'diagnosis',
      inventory: flow.diagnosis.concepts.map((concept) => concept.label),
      probes: inferMastery(flow.diagnosis).flatMap(({ label, measured, inferred }) =>
        measured === null ? [] : [{ label, quality: measured, inferred }],
      ),
      step: key,
    })
    arc.say({ phrase: 'diagnosis-done', params: { level } })
  }
  arc.moveTo('PLANNING')
}

async function summarise(
  steps: ModelSteps,
  probes: { label: string; quality: number }[],
): Promise<string | null> {
  try {
    return (await steps.run('summary', 'diagnosis', { probes }, 'sum up the diagnosis')).key
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}
