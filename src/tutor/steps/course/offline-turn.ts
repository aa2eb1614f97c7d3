import type { z } from 'zod'
import type { Course, Unit } from '../../../contracts/course-pack.ts'
import type { LlmTutorResponse } from '../../../contracts/course-tutor.ts'
import { expectedAnswer } from '../../../courses/asked-question.ts'
import { shownAs } from '../../../domain/course/drills/drill-grade.ts'
import { MAX_KEY_IDEAS } from '../../../domain/course/policy/policy-validation.ts'
import { TARGET_CONFIDENCE } from '../../../domain/course/policy/tutor-policy.ts'
import type { AskedQuestion } from '../../../domain/course/turn/asked-question.ts'
import type { StudentIntent } from '../../../domain/course/units/mapped-units.ts'
import { TutorFailure } from '../../mind.ts'
import { workedExample } from '../../offline/explanations.ts'
import { drawDrills, drillFrom } from './course-drills.ts'
import { conceptWithin, openingQuestions, putAsQuestion } from './course-words.ts'
import { explanations } from './explaining.ts'
import { type MessageKind, messageKind } from './message-kind.ts'
import { judgeReply } from './reply-judging.ts'
import type { TurnContext } from './turn.ts'

type Answer = z.infer<typeof LlmTutorResponse>
type Move = Pick<Answer, 'action' | 'target_unit_id' | 'tutor_text'> &
  Partial<Pick<Answer, 'concept_card' | 'drill_card' | 'exam_suggestion'>>

interface Turn {
  brief: TurnContext
  course: Course
  focus: Unit
  /** The student's words. */
  said: string
  kind: MessageKind
}

/** A move, with where its drill comes from and what it asks. */
interface Choice {
  move: Move
  drillSource?: string
  asks?: AskedQuestion
}

/**
 * The turn without a model: what the student says is answered first, from the course; then come questions that code can
 * judge, concept cards, drills and exam questions of the course pack. It obeys the same policy and is checked like any
 * other.
 * @throws TutorFailure where the course has nothing for the unit
 */
export function offlineTurn(brief: TurnContext): {
  answer: Answer
  drillSource: string | null
  asks: AskedQuestion | null
} {
  const { course, policy, student } = brief
  const focus = course.units.find(({ unitId }) => unitId === policy.focusUnitId)
  if (!focus) throw new TutorFailure('refused', 'the course has no such unit')
  const { messageText, voiceTranscript, messageLatex } = student
  const said = messageText ?? voiceTranscript ?? messageLatex ?? ''
  const kind = messageKind(said)
  const { move, drillSource = null, asks = null } = chooseMove({ brief, course, focus, said, kind })
  const answer: Answer = {
    ...move,
    mapped_units: brief.mappedUnits
      .slice(0, 3)
      .map(({ unitId, confidence }) => ({ unit_id: unitId, confidence })),
    turn_analysis: {
      student_intent: INTENT[kind] ?? 'unknown',
      understanding_signal: kind === 'stuck' ? 'confused' : 'uncertain',
      suggested_prereq_units: policy.prereqBlockingUnitId ? [policy.prereqBlockingUnitId] : [],
    },
  }
  return { answer, drillSource, asks }
}

const INTENT: Partial<Record<MessageKind, StudentIntent>> = {
  stuck: 'stuck',
  check: 'check',
  question: 'explain',
  practice: 'solve',
  answer: 'solve',
}

/** A button is followed; words are answered. */
function chooseMove(turn: Turn): Choice {
  const { clientEvent } = turn.brief.context
  switch (clientEvent.type) {
    case 'DRILL_STUCK':
      return hint(turn)
    case 'REQUEST_DRILL':
      return drill(turn)
    case 'NONE':
      return answerWords(turn)
    default:
      return goOn(turn)
  }
}

/** Where nothing was asked: an exam question that is open, the concept for who does not get on, a drill. */
function goOn(turn: Turn, lead: string | null = null): Choice {
  const { allowedActions } = turn.brief.policy
  if (allowedActions.includes('EXAM_BLOCK')) return exam(turn, lead)
  const showsConcept = allowedActions.includes('CONCEPT_CARD') && !isAfter(turn, 'CONCEPT_CARD')
  return showsConcept ? concept(turn, lead) : drill(turn, lead)
}

function isAfter({ brief }: Turn, action: string): boolean {
  const { recentMessages } = brief.context
  const before = recentMessages.findLast(({ role }) => role === 'assistant')
  return before?.action === action && before.unitId === brief.policy.focusUnitId
}

function answerWords(turn: Turn): Choice {
  const { brief, course, focus, said, kind } = turn
  const { asked } = brief
  const isSmallTalk = SMALL_TALK[kind] !== undefined || kind === 'stuck'
  const judged = asked && !isSmallTalk ? judgeReply(course, asked, said) : null
  if (judged) return judged.isRight ? goOn(turn, judged.text) : ask(turn, judged.text)
  const smallTalk = SMALL_TALK[kind]
  if (smallTalk) return offer(turn, 'exercise', smallTalk(focus))
  switch (kind) {
    case 'farewell':
      return say(focus, 'See you! Whenever you come back, we go on from here.')
    case 'practice':
      return drill(turn)
    case 'yes':
      if (asked?.kind === 'offer' && asked.of === 'unit') return ask(turn)
      return goOn(turn, 'Good.')
    case 'no':
      return say(
        focus,
        `All right. Ask me whatever you like about **${focus.title}**, or name another topic of the course.`,
      )
    case 'stuck':
      return helpOn(turn)
    case 'check':
      return check(turn)
    case 'question':
      return explain(turn)
    case 'answer':
      return answerUnasked(turn)
    default:
      return takeUpTopic(turn)
  }
}

const SMALL_TALK: Partial<Record<MessageKind, (focus: Unit) => string>> = {
  greeting: ({ title }) => `Hello! We are at **${title}**. Ask me anything about it.`,
  thanks: () => 'You are welcome!',
  understood: () => 'Good.',
  'about-the-tutor': ({ title }) =>
    `I am the tutor of this course: a program that explains, asks and checks. We are at **${title}**.`,
}

/** A topic is named: who is ready for its exam gets that, who is sure a question on it, others are asked what they mean. */
function takeUpTopic(turn: Turn): Choice {
  const { allowedActions } = turn.brief.policy
  if (allowedActions.includes('EXAM_BLOCK')) return exam(turn, null)
  if (allowedActions.includes('CONCEPT_CARD') && !isAfter(turn, 'CONCEPT_CARD')) {
    return concept(turn, null)
  }
  return isSure(turn.brief) ? ask(turn) : clarify(turn)
}

function isSure({ mappedUnits }: TurnContext): boolean {
  return (mappedUnits[0]?.confidence ?? 0) >= TARGET_CONFIDENCE
}

/** Words without a question that wants an answer. */
function say({ unitId }: Unit, text: string): Choice {
  return { move: { action: 'SOCRATIC_QUESTION', target_unit_id: unitId, tutor_text: text } }
}

/** Words that end with an offer; "yes" takes it up. */
function offer({ focus }: Turn, of: 'exercise' | 'unit', lead: string): Choice {
  const question =
    of === 'exercise'
      ? `Shall I give you an exercise on **${focus.title}**?`
      : `Shall we go on with **${focus.title}**? Say yes, or name the topic that you have in mind.`
  const asks = { kind: 'offer' as const, unitId: focus.unitId, of }
  return { ...say(focus, [lead, question].filter(Boolean).join('\n\n')), asks }
}

/** Who names nothing we know is asked what they mean, with the nearest units to choose from. */
function clarify(turn: Turn): Choice {
  const { brief, course, focus } = turn
  const inScope = brief.policy.scopedUnitIds
  const near = brief.mappedUnits
    .filter(({ unitId }) => inScope.includes(unitId))
    .slice(0, 2)
    .flatMap(({ unitId }) => course.units.find((unit) => unit.unitId === unitId) ?? [])
  const [first, second] = near
  if (!first || !second) return offer(turn, 'unit', '')
  const text = `Do you mean a) **${first.title}**, or rather b) **${second.title}**?`
  return { ...say(focus, text), asks: { kind: 'units', unitIds: near.map(({ unitId }) => unitId) } }
}

/** A question on the unit that was not asked lately; who came for a unit that needs this one first is told so. */
function ask(turn: Turn, lead: string | null = null): Choice {
  const { brief, course, focus } = turn
  const said = brief.context.recentMessages.map(({ text }) => text).join('\n')
  const fresh = openingQuestions(focus, brief.seed).find(({ text }) => !said.includes(text))
  if (!fresh) return drill(turn, lead)
  const { prereqBlockingUnitId, primaryTargetUnitId } = brief.policy
  const target = course.units.find(({ unitId }) => unitId === primaryTargetUnitId)
  const before =
    lead === null && prereqBlockingUnitId !== null && target
      ? `Before **${target.title}** let us make sure of **${focus.title}**.`
      : lead
  const text = [before, putAsQuestion(fresh)].filter(Boolean).join('\n\n')
  return { ...say(focus, text), asks: fresh.asks }
}

/** A question of more words than "but why is that?" names what it is about. */
const POINTED_WORDS = 4
/** Below this confidence a question that names its subject is about nothing the course knows. */
const FAR = 0.35

/** A question is answered with what the course says to it; then an exercise is offered on what comes first. */
function explain(turn: Turn): Choice {
  const { brief, focus, said } = turn
  const asksHow =
    /\bhow (?:do|can|should|would|to)\b|\bexample\b|^(?:please )?(?:solve|work out|calculate|simplify|expand|factor|show)/i
  const isPointed = said.trim().split(/\s+/).length > POINTED_WORDS
  const confidence = brief.mappedUnits[0]?.confidence ?? 0
  if (isPointed && confidence < FAR) {
    return offer(turn, 'exercise', 'I find nothing about that in this course.')
  }
  const [found] = explanations(brief, focus, asksHow.test(said))
  if (!found)
    return ask(
      turn,
      'I have said what the course says to that. Let us look at it from another side.',
    )
  const isBefore = found.unit !== focus
  const then = isBefore ? `\n\n**${focus.title}** comes before that.` : ''
  const near = isPointed && !isSure(brief) ? 'The nearest that the course has to that:\n\n' : ''
  return offer(turn, 'exercise', `${near}${found.text}${then}`)
}

/** Who is stuck gets a hint to the exercise on the screen, the concept where it may be shown, else another explanation. */
function helpOn(turn: Turn): Choice {
  if (isAfter(turn, 'DRILL_CARD')) return hint(turn)
  const { allowedActions } = turn.brief.policy
  if (allowedActions.includes('CONCEPT_CARD') && !isAfter(turn, 'CONCEPT_CARD')) {
    return concept(turn, null)
  }
  const [found] = explanations(turn.brief, turn.focus, true)
  return found ? offer(turn, 'exercise', `Once more, step by step.\n\n${found.text}`) : ask(turn)
}

const TO_THE_CARD =
  'Put your answer into the exercise itself and press “Check answer”: there it is checked, and there it counts.'

function check(turn: Turn): Choice {
  return turn.brief.openDrill
    ? say(turn.focus, TO_THE_CARD)
    : offer(turn, 'exercise', 'I can check answers to exercises.')
}

/** An answer to nothing that the tutor has asked in words. */
function answerUnasked(turn: Turn): Choice {
  if (isAfter(turn, 'DRILL_CARD')) return say(turn.focus, TO_THE_CARD)
  return offer(
    turn,
    'exercise',
    'That looks like an answer, but I have asked nothing that it would fit.',
  )
}

/** The next hint of the drill on the screen; after the last one how such a thing is done, and then the way on. */
function hint(turn: Turn): Choice {
  const { brief, course, focus } = turn
  const { openDrill, policy } = brief
  const unit = course.units.find(({ unitId }) => unitId === openDrill?.unitId)
  const drawn = unit && openDrill?.source ? drillFrom(unit, openDrill.source) : null
  if (!unit || !drawn || !policy.scopedUnitIds.includes(unit.unitId))
    return explainUnit(turn, focus)
  const hints = drawn.question.hints
  const said = brief.context.recentMessages.map(({ text }) => text).join('\n')
  const next = hints.slice(openDrill?.hintsGiven ?? 0).find((one) => !said.includes(one))
  return next ? say(unit, `${next}\n\n${TO_THE_CARD}`) : explainUnit(turn, unit)
}

/** How a unit's exercises are done; who has seen that is told what "I don't know" does. */
function explainUnit({ brief }: Turn, unit: Unit): Choice {
  const example = workedExample(unit)
  const wasShown = brief.context.recentMessages.some(({ text }) => text.includes(example))
  return say(
    unit,
    wasShown
      ? 'That is all the help I have for this exercise. Write “I don’t know” into it and press “Check answer”: then you see how it goes. Or take another one.'
      : example,
  )
}

function drill({ brief, focus }: Turn, lead: string | null = null): Choice {
  const shown = new Set(brief.openDrill ? [shownAs(brief.openDrill)] : [])
  const [drawn] = drawDrills(focus, brief.seed, 1, shown)
  if (!drawn) throw new TutorFailure('refused', 'the unit has no drill')
  const text = `Here is a short exercise on **${focus.title}**.`
  return {
    drillSource: drawn.source,
    move: {
      action: 'DRILL_CARD',
      target_unit_id: focus.unitId,
      tutor_text: [lead, text].filter(Boolean).join('\n\n'),
      drill_card: {
        prompt: drawn.prompt,
        question_latex: drawn.questionLatex,
        expected_answer: expectedAnswer(drawn.question),
      },
    },
  }
}

function concept({ brief, focus }: Turn, lead: string | null): Choice {
  const { keyIdeas, workedExample } = conceptWithin(focus, brief.policy.constraints, MAX_KEY_IDEAS)
  return {
    move: {
      action: 'CONCEPT_CARD',
      target_unit_id: focus.unitId,
      tutor_text: [lead, `Let us look at **${focus.title}** once more.`]
        .filter(Boolean)
        .join('\n\n'),
      concept_card: {
        key_ideas: keyIdeas,
        ...(workedExample && {
          worked_example: {
            problem_latex: workedExample.problem,
            final_answer_latex: workedExample.answer,
            steps_latex: workedExample.steps,
          },
        }),
      },
    },
  }
}

function exam(turn: Turn, lead: string | null): Choice {
  const { brief, focus } = turn
  const [candidate] = brief.context.examCandidates
  if (!candidate) return drill(turn, lead)
  const { desiredExamTier } = brief.policy
  const text = `You are ready for a ${desiredExamTier} exam question on **${focus.title}**. Take your time: a wrong answer locks it for a day.`
  return {
    move: {
      action: 'EXAM_BLOCK',
      target_unit_id: focus.unitId,
      tutor_text: [lead, text].filter(Boolean).join('\n\n'),
      exam_suggestion: { question_id: candidate.questionId, difficultyTier: desiredExamTier },
    },
  }
}
