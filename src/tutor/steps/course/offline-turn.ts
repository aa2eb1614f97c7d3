import type { z } from 'zod'
import type { Course, Unit } from '../../../contracts/course-pack.ts'
import type { LlmTutorResponse } from '../../../contracts/course-tutor.ts'
import { expectedAnswer } from '../../../courses/asked-question.ts'
import { shownAs } from '../../../domain/course/drills/drill-grade.ts'
import { MAX_KEY_IDEAS } from '../../../domain/course/policy/policy-validation.ts'
import { TARGET_CONFIDENCE } from '../../../domain/course/policy/tutor-policy.ts'
import type { AskedQuestion } from '../../../domain/course/turn/asked-question.ts'
import {
  EARLIER_CONFIDENCE_FACTOR,
  type StudentIntent,
} from '../../../domain/course/units/mapped-units.ts'
import type { Language } from '../../../domain/language/languages.ts'
import { isAside } from '../../../domain/talk/asides.ts'
import { TutorFailure } from '../../mind.ts'
import { definitionFor } from '../../offline/definitions.ts'
import { passageFor, workedExample } from '../../offline/explanations.ts'
import { subjectWords } from '../../offline/subject-words.ts'
import { drawDrills, drillFrom } from './course-drills.ts'
import { conceptWithin, openingQuestions, putAsQuestion } from './course-words.ts'
import { explanations } from './explaining.ts'
import { type MessageKind, messageKind } from './message-kind.ts'
import { judgeReply } from './reply-judging.ts'
import type { TurnContext } from './turn.ts'
import { type TurnWords, turnWords } from './turn-words.ts'

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
  language: Language
  words: TurnWords
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
  const language = brief.spoken ?? 'en'
  const {
    move,
    drillSource = null,
    asks = null,
  } = chooseMove({
    ...{ brief, course, focus, said, kind, language },
    words: turnWords(language),
  })
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
  const { brief, course, focus, said, kind, language, words } = turn
  const { asked } = brief
  const isSmallTalk =
    SMALL_TALK[kind] !== undefined ||
    isAside(kind) ||
    ['stuck', 'farewell', 'distress'].includes(kind)
  const judged = asked && !isSmallTalk ? judgeReply(course, asked, said, language) : null
  if (judged) return judged.isRight ? goOn(turn, judged.text) : ask(turn, judged.text)
  const smallTalk = SMALL_TALK[kind]
  if (smallTalk) return offer(turn, 'exercise', smallTalk(words, focus))
  if (isAside(kind)) return offer(turn, 'exercise', words.asides[kind])
  switch (kind) {
    case 'farewell':
      return say(focus, words.farewell)
    case 'distress':
      return say(focus, words.distress)
    case 'tired':
      return say(focus, words.tired)
    case 'easy':
      return drill(turn, words.showMe)
    case 'practice':
      return drill(turn)
    case 'yes':
      if (asked?.kind === 'offer' && asked.of === 'unit') return ask(turn)
      return goOn(turn, words.good)
    case 'no':
      return say(focus, words.leaveIt(focus.title))
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

const SMALL_TALK: Partial<Record<MessageKind, (words: TurnWords, focus: Unit) => string>> = {
  greeting: (words, { title }) => words.greeting(title),
  thanks: (words) => words.thanks,
  understood: (words) => words.understood,
  upset: (words) => words.upset,
  'about-the-tutor': (words, { title }) => words.aboutTheTutor(title),
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
function offer({ focus, words }: Turn, of: 'exercise' | 'unit', lead: string): Choice {
  const question =
    of === 'exercise' ? words.offerExercise(focus.title) : words.offerUnit(focus.title)
  const asks = { kind: 'offer' as const, unitId: focus.unitId, of }
  return { ...say(focus, [lead, question].filter(Boolean).join('\n\n')), asks }
}

/** Below this confidence a unit is not worth asking about. */
const NEAR = 0.3

/** Who names nothing we know is asked what they mean, with the nearest units to choose from. */
function clarify(turn: Turn): Choice {
  const { brief, course, focus, words } = turn
  const inScope = brief.policy.scopedUnitIds
  const near = brief.mappedUnits
    .filter(({ unitId, confidence }) => inScope.includes(unitId) && confidence >= NEAR)
    .slice(0, 2)
    .flatMap(({ unitId }) => course.units.find((unit) => unit.unitId === unitId) ?? [])
  const [first, second] = near
  if (!first || !second) return offer(turn, 'unit', words.notUnderstood)
  const text = words.doYouMean(first.title, second.title)
  return { ...say(focus, text), asks: { kind: 'units', unitIds: near.map(({ unitId }) => unitId) } }
}

/** A question on the unit that was not asked lately; who came for a unit that needs this one first is told so. */
function ask(turn: Turn, lead: string | null = null): Choice {
  const { brief, course, focus, words } = turn
  const said = brief.context.recentMessages.map(({ text }) => text).join('\n')
  const fresh = openingQuestions(focus, brief.seed, words).find(({ text }) => !said.includes(text))
  if (!fresh) return drill(turn, lead)
  const { prereqBlockingUnitId, primaryTargetUnitId } = brief.policy
  const target = course.units.find(({ unitId }) => unitId === primaryTargetUnitId)
  const before =
    lead === null && prereqBlockingUnitId !== null && target
      ? words.before(target.title, focus.title)
      : lead
  const text = [before, putAsQuestion(fresh, words)].filter(Boolean).join('\n\n')
  return { ...say(focus, text), asks: fresh.asks }
}

/** A question of more words than "but why is that?" names what it is about. */
const POINTED_WORDS = 4
/** Below this confidence a question that names its subject is about nothing the course knows. */
const FAR = 0.35

/** Whether a question names something that neither the course speaks of nor the talk before was surely about. */
function isStrange({ brief, course, focus, said, language }: Turn): boolean {
  const confidence = brief.mappedUnits[0]?.confidence ?? 0
  if (confidence > EARLIER_CONFIDENCE_FACTOR || subjectWords(said).length === 0) return false
  return passageFor(course, focus, said, language) === null
}

const EXAMPLE = /\b(?:example|beispiel)\b/i
const ASKS_HOW =
  /\bhow (?:do|can|should|would|to)\b|^(?:please )?(?:solve|work out|calculate|simplify|expand|factor|show)/i

/** A question is answered with what the course says to it; then an exercise is offered on what comes first. */
function explain(turn: Turn): Choice {
  const { brief, course, focus, said, language, words } = turn
  const meaning = definitionFor(course, said, focus, language)
  if (meaning) return offer(turn, 'exercise', meaning)
  const isPointed = said.trim().split(/\s+/).length > POINTED_WORDS
  const confidence = brief.mappedUnits[0]?.confidence ?? 0
  if ((isPointed && confidence < FAR) || isStrange(turn)) {
    return offer(turn, 'exercise', words.nothingFound)
  }
  const wanted = EXAMPLE.test(said) ? 'example' : ASKS_HOW.test(said) ? 'method' : 'words'
  const [found] = explanations(brief, focus, wanted)
  if (!found) {
    return wanted === 'example'
      ? offer(turn, 'exercise', words.noOtherExample)
      : ask(turn, words.allSaid)
  }
  const isBefore = found.unit !== focus
  const then = isBefore ? `\n\n${words.comesBefore(focus.title)}` : ''
  const near = isPointed && !isSure(brief) ? `${words.nearest}\n\n` : ''
  return offer(turn, 'exercise', `${near}${found.text}${then}`)
}

/** Who is stuck gets a hint to the exercise on the screen, the concept where it may be shown, else another explanation. */
function helpOn(turn: Turn): Choice {
  if (isAfter(turn, 'DRILL_CARD')) return hint(turn)
  const { allowedActions } = turn.brief.policy
  if (allowedActions.includes('CONCEPT_CARD') && !isAfter(turn, 'CONCEPT_CARD')) {
    return concept(turn, null)
  }
  const [found] = explanations(turn.brief, turn.focus, 'method')
  return found ? offer(turn, 'exercise', `${turn.words.stepByStep}\n\n${found.text}`) : ask(turn)
}

function check(turn: Turn): Choice {
  return turn.brief.openDrill
    ? say(turn.focus, turn.words.toTheCard)
    : offer(turn, 'exercise', turn.words.canCheck)
}

/** An answer to nothing that the tutor has asked in words. */
function answerUnasked(turn: Turn): Choice {
  if (isAfter(turn, 'DRILL_CARD')) return say(turn.focus, turn.words.toTheCard)
  return offer(turn, 'exercise', turn.words.unasked)
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
  return next ? say(unit, `${next}\n\n${turn.words.toTheCard}`) : explainUnit(turn, unit)
}

/** How a unit's exercises are done; who has seen that is told what "I don't know" does. */
function explainUnit({ brief, language, words }: Turn, unit: Unit): Choice {
  const example = workedExample(unit, language)
  const wasShown = brief.context.recentMessages.some(({ text }) => text.includes(example))
  return say(unit, wasShown ? words.allTheHelp : example)
}

function drill({ brief, focus, words }: Turn, lead: string | null = null): Choice {
  const shown = new Set(brief.openDrill ? [shownAs(brief.openDrill)] : [])
  const [drawn] = drawDrills(focus, brief.seed, 1, shown)
  if (!drawn) throw new TutorFailure('refused', 'the unit has no drill')
  const text = words.exercise(focus.title)
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

function concept({ brief, focus, words }: Turn, lead: string | null): Choice {
  const { keyIdeas, workedExample } = conceptWithin(focus, brief.policy.constraints, MAX_KEY_IDEAS)
  return {
    move: {
      action: 'CONCEPT_CARD',
      target_unit_id: focus.unitId,
      tutor_text: [lead, words.onceMore(focus.title)].filter(Boolean).join('\n\n'),
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
  const { brief, focus, words } = turn
  const [candidate] = brief.context.examCandidates
  if (!candidate) return drill(turn, lead)
  const { desiredExamTier } = brief.policy
  const text = words.exam(desiredExamTier, focus.title)
  return {
    move: {
      action: 'EXAM_BLOCK',
      target_unit_id: focus.unitId,
      tutor_text: [lead, text].filter(Boolean).join('\n\n'),
      exam_suggestion: { question_id: candidate.questionId, difficultyTier: desiredExamTier },
    },
  }
}
