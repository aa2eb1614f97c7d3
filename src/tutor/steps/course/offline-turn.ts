import type { z } from 'zod'
import type { Course, Unit } from '../../../contracts/course-pack.ts'
import type { LlmTutorResponse } from '../../../contracts/course-tutor.ts'
import { shownAs } from '../../../domain/course/drills/drill-grade.ts'
import { MAX_KEY_IDEAS } from '../../../domain/course/policy/policy-validation.ts'
import { TARGET_CONFIDENCE } from '../../../domain/course/policy/tutor-policy.ts'
import type { StudentIntent } from '../../../domain/course/units/mapped-units.ts'
import { TutorFailure } from '../../mind.ts'
import { expectedAnswer } from '../../offline/question-choice.ts'
import { drawDrills, drillFrom } from './course-drills.ts'
import { conceptWithin, openingQuestions } from './course-words.ts'
import type { TurnContext } from './turn.ts'

type Answer = z.infer<typeof LlmTutorResponse>
type Move = Pick<Answer, 'action' | 'target_unit_id' | 'tutor_text'> &
  Partial<Pick<Answer, 'concept_card' | 'drill_card' | 'exam_suggestion'>>

interface Turn {
  brief: TurnContext
  course: Course
  focus: Unit
  intent: StudentIntent
}

/**
 * The turn without a model: clarifying questions, concept cards, drills drawn from the course's templates and its exam
 * questions, all from the course pack. It obeys the same policy and is checked like any other.
 * @throws TutorFailure where the course has nothing for the unit
 */
export function offlineTurn(brief: TurnContext): { answer: Answer; drillSource: string | null } {
  const { course, policy, student } = brief
  const focus = course.units.find(({ unitId }) => unitId === policy.focusUnitId)
  if (!focus) throw new TutorFailure('refused', 'the course has no such unit')
  const intent = intentOf(student.messageText ?? student.voiceTranscript ?? '')
  const { move, drillSource = null } = chooseMove({ brief, course, focus, intent })
  const answer: Answer = {
    ...move,
    mapped_units: brief.mappedUnits
      .slice(0, 3)
      .map(({ unitId, confidence }) => ({ unit_id: unitId, confidence })),
    turn_analysis: {
      student_intent: intent,
      understanding_signal: intent === 'stuck' ? 'confused' : 'uncertain',
      suggested_prereq_units: policy.prereqBlockingUnitId ? [policy.prereqBlockingUnitId] : [],
    },
  }
  return { answer, drillSource }
}

const INTENTS: [StudentIntent, RegExp][] = [
  ['stuck', /\b(stuck|lost|confus\w*|no idea|(don'?t|do not) (get|understand|know)|hint)\b/i],
  ['check', /\b(is (it|this|that) (right|correct)|check|did i)\b/i],
  [
    'explain',
    /\b(explain|what (is|are|does|do)|why|how (does|do|come)|mean|tell me about|teach)\b/i,
  ],
  [
    'solve',
    /\b(solve|work out|calculate|simplify|expand|factor\w*|find|exercise|drill|practi[cs]e)\b/i,
  ],
]

function intentOf(text: string): StudentIntent {
  return INTENTS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'unknown'
}

interface Choice {
  move: Move
  drillSource?: string
}

/** What to do next: a hint that was asked for, an exam that is open, help for who is stuck, a clarifying question, a drill. */
function chooseMove(turn: Turn): Choice {
  const { brief } = turn
  const { clientEvent, recentMessages } = brief.context
  const { allowedActions, focusUnitId } = brief.policy
  const before = recentMessages.findLast(({ role }) => role === 'assistant')
  const isAfter = (action: string) => before?.action === action && before.unitId === focusUnitId
  const asksDrill = clientEvent.type === 'REQUEST_DRILL' || asksForPractice(brief)
  if (clientEvent.type === 'DRILL_STUCK') return hint(turn)
  if (asksDrill) return drill(turn)
  const allows = (action: 'EXAM_BLOCK' | 'CONCEPT_CARD') => allowedActions.includes(action)
  const wantsMore = clientEvent.type !== 'NONE' || !['stuck', 'explain'].includes(turn.intent)
  if (allows('EXAM_BLOCK') && wantsMore) return exam(turn)
  if (allows('CONCEPT_CARD') && !isAfter('CONCEPT_CARD')) return concept(turn)
  if (clientEvent.type !== 'NONE') return drill(turn)
  if (isAfter('SOCRATIC_QUESTION') || isAfter('CONCEPT_CARD')) return drill(turn)
  if (!isSure(brief)) return clarify(turn)
  return isAfter('DRILL_CARD') ? drill(turn) : socratic(turn)
}

function asksForPractice({ student }: TurnContext): boolean {
  return /\b(drill|exercise|practi[cs]e|another one|try one|quiz me|test me)\b/i.test(
    student.messageText ?? student.voiceTranscript ?? '',
  )
}

function isSure({ mappedUnits }: TurnContext): boolean {
  return (mappedUnits[0]?.confidence ?? 0) >= TARGET_CONFIDENCE
}

function ask(target: string, text: string): Choice {
  return { move: { action: 'SOCRATIC_QUESTION', target_unit_id: target, tutor_text: text } }
}

/** Who names nothing we know is asked what they mean, with the nearest units to choose from. */
function clarify({ brief, course, focus }: Turn): Choice {
  const inScope = brief.policy.scopedUnitIds
  const titles = brief.mappedUnits
    .filter(({ unitId }) => inScope.includes(unitId))
    .slice(0, 2)
    .flatMap(({ unitId }) => course.units.find((unit) => unit.unitId === unitId)?.title ?? [])
  const [first, second] = titles
  const question = second
    ? `Do you mean **${first}**, or rather **${second}**?`
    : `We could go on with **${focus.title}**. Is that what you need, or which topic is it about?`
  return ask(focus.unitId, question)
}

/** An opening question on the unit; who came for a unit that needs this one first is told so. */
function socratic({ brief, course, focus }: Turn): Choice {
  const questions = openingQuestions(focus)
  const question = questions[brief.seed % questions.length] ?? ''
  const { prereqBlockingUnitId, primaryTargetUnitId } = brief.policy
  const target = course.units.find(({ unitId }) => unitId === primaryTargetUnitId)
  const lead =
    prereqBlockingUnitId !== null && target
      ? `Before **${target.title}** let us make sure of **${focus.title}**. `
      : ''
  return ask(focus.unitId, lead + question)
}

/** The next hint of the drill on the screen, and no more than that. */
function hint(turn: Turn): Choice {
  const { brief, course } = turn
  const { openDrill, policy } = brief
  const unit = course.units.find(({ unitId }) => unitId === openDrill?.unitId)
  const drawn = unit && openDrill?.source ? drillFrom(unit, openDrill.source) : null
  const hints = drawn?.question.hints ?? []
  const given = hints[Math.min(openDrill?.hintsGiven ?? 0, hints.length - 1)]
  if (!unit || given === undefined || !policy.scopedUnitIds.includes(unit.unitId)) {
    return socratic(turn)
  }
  return ask(unit.unitId, `${given} What would you try now?`)
}

function drill({ brief, focus }: Turn): Choice {
  const shown = new Set(brief.openDrill ? [shownAs(brief.openDrill)] : [])
  const [drawn] = drawDrills(focus, brief.seed, 1, shown)
  if (!drawn) throw new TutorFailure('refused', 'the unit has no drill')
  return {
    drillSource: drawn.source,
    move: {
      action: 'DRILL_CARD',
      target_unit_id: focus.unitId,
      tutor_text: `Here is a short exercise on **${focus.title}**.`,
      drill_card: {
        prompt: drawn.prompt,
        question_latex: drawn.questionLatex,
        expected_answer: expectedAnswer(drawn.question),
      },
    },
  }
}

function concept({ brief, focus }: Turn): Choice {
  const { keyIdeas, workedExample } = conceptWithin(focus, brief.policy.constraints, MAX_KEY_IDEAS)
  return {
    move: {
      action: 'CONCEPT_CARD',
      target_unit_id: focus.unitId,
      tutor_text: `Let us look at **${focus.title}** once more.`,
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

function exam(turn: Turn): Choice {
  const { brief, focus } = turn
  const [candidate] = brief.context.examCandidates
  if (!candidate) return drill(turn)
  const { desiredExamTier } = brief.policy
  return {
    move: {
      action: 'EXAM_BLOCK',
      target_unit_id: focus.unitId,
      tutor_text: `You are ready for a ${desiredExamTier} exam question on **${focus.title}**. Take your time: a wrong answer locks it for a day.`,
      exam_suggestion: { question_id: candidate.questionId, difficultyTier: desiredExamTier },
    },
  }
}
