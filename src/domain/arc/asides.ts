import { probesLeft } from '../diagnosis/probes.ts'
import { isMet } from '../mind-map/frontier.ts'
import { prerequisiteGraph } from '../mind-map/graph.ts'
import { isSkipped } from '../mind-map/mind-map.ts'
import { bySequence } from '../mind-map/node-order.ts'
import type { Aside } from '../talk/asides.ts'
import type { Arc } from './arc.ts'
import type { PhraseParams } from './phrase.ts'

/** So many of the concepts that a concept leads to are named. */
const NAMED = 3

/** A question about the learning is answered from what code knows of the way: what is left, what comes of it, when. */
export function answerAside(arc: Arc, aside: Aside) {
  switch (aside) {
    case 'time':
      return arc.say({ phrase: 'talk-time', params: timeLeft(arc) })
    case 'use':
      return arc.say({ phrase: 'talk-use', params: outlook(arc) })
    case 'exam':
      return arc.say({ phrase: 'talk-exam', params: outlook(arc) })
    case 'schedule':
      return arc.say({ phrase: 'talk-schedule', params: { at: arc.nextReviewAt, now: arc.at } })
    default:
      return arc.say(`talk-${aside}`)
  }
}

function timeLeft(arc: Arc): PhraseParams['talk-time'] {
  const { state } = arc
  if (state.phase === 'DIAGNOSING' && state.diagnosis) {
    return { topic: arc.topic, ofCheck: probesLeft(state.diagnosis), inHand: null, minutes: 0 }
  }
  const open = arc.map.nodes.filter(
    (node) => !(isMet(node, arc.rules.unlockAt) || isSkipped(node) || node.metadata.optional),
  )
  const minutes = open.reduce((total, { effortMinutes }) => total + effortMinutes, 0)
  return { topic: arc.topic, ofCheck: null, inHand: inHand(arc), minutes }
}

/** The concept whose quiz is open, and how many of its questions are to be answered yet. */
function inHand({ state }: Arc): PhraseParams['talk-time']['inHand'] {
  const { question, lesson } = state
  const quiz = lesson?.quiz
  if (!quiz || question?.kind !== 'quiz') return null
  return { label: question.label, questions: quiz.questions.length - quiz.asked + 1 }
}

/** What can be learned once the concept in hand is. */
function outlook(arc: Arc): PhraseParams['talk-use'] {
  const { question, lesson } = arc.state
  const id = question?.nodeId ?? lesson?.nodeId ?? null
  const node = arc.map.nodes.find((one) => one.id === id)
  if (!node) return { topic: arc.topic, label: null, leadsTo: [] }
  const below = prerequisiteGraph(arc.map).children.get(node.id) ?? []
  const leadsTo = arc.map.nodes
    .filter((one) => below.includes(one.id))
    .sort(bySequence)
    .slice(0, NAMED)
    .map(({ label }) => label)
  return { topic: arc.topic, label: node.label, leadsTo }
}
