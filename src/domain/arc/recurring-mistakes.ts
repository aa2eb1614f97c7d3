import type { ForeseenMistake } from '../answers/foreseen-mistake.ts'
import type { Verdict } from '../mastery/quality.ts'
import type { Arc } from './arc.ts'

/** Met so often, a mistake is remembered of the learner; avoided so often since, it is forgotten. */
const TIMES = 3

/**
 * Takes note of an answer where its question foresees mistakes: one met three times is remembered as a fact, which three
 * right answers withdraw (rules, §5). With a model the feedback role remembers.
 */
export function noteMistakes(arc: Arc, verdict: Verdict, mistake: ForeseenMistake | null): void {
  const { question } = arc
  const label = arc.state.question?.label
  if (arc.tutor !== 'offline' || !question || label === undefined) return
  if (mistake) meet(arc, mistake, label)
  else if (verdict === 'correct') {
    for (const tag of new Set(question.mistakes.map((foreseen) => foreseen.tag))) {
      if (tag !== undefined) avoid(arc, tag)
    }
  }
}

/** Takes note of a mistake that was made elsewhere, on a concept of the arc. */
export function noteMistake(
  arc: Arc,
  mistake: Pick<ForeseenMistake, 'tag' | 'belief'>,
  label: string,
) {
  if (arc.tutor === 'offline') meet(arc, mistake, label)
}

function meet(
  arc: Arc,
  { tag, belief }: Pick<ForeseenMistake, 'tag' | 'belief'>,
  label: string,
): void {
  if (tag === undefined || belief === undefined) return
  const seen = arc.state.mistakes?.[tag] ?? { met: 0, avoided: 0, fact: null }
  const met = seen.met + 1
  const isNew = seen.fact === null && met >= TIMES
  const fact = isNew ? `${label}: ${belief}` : seen.fact
  if (isNew && fact) arc.record({ type: 'remember', facts: [fact], source: 'mistake' })
  arc.state.mistakes = { ...arc.state.mistakes, [tag]: { met, avoided: 0, fact } }
}

function avoid(arc: Arc, tag: string): void {
  const { [tag]: seen, ...others } = arc.state.mistakes ?? {}
  if (!seen) return
  const avoided = seen.avoided + 1
  if (avoided < TIMES) {
    arc.state.mistakes = { ...others, [tag]: { ...seen, avoided } }
    return
  }
  if (seen.fact) arc.record({ type: 'forget', fact: seen.fact })
  arc.state.mistakes = others
}
