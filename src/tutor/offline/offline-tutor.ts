import type { Course, Unit } from '../../contracts/course-pack.ts'
import { courseGraph, courseInventory } from '../../courses/course-graph.ts'
import { matchTopic } from '../../courses/match.ts'
import { looksLikeQuestion } from '../../domain/answers/commands.ts'
import type { StepKind } from '../../domain/arc/model-step.ts'
import { rankInventory } from '../../domain/diagnosis/inventory.ts'
import { learnerLevel, prerequisiteGaps, recommendations } from '../../domain/diagnosis/summary.ts'
import {
  type StepContext,
  type StepOutputs,
  type Tutor,
  TutorFailure,
  type TutorQuestion,
} from '../tutor.ts'
import { aboutUnit, lessonOnErrors, workedExample } from './explanations.ts'
import { mistakeFeedback } from './mistake-feedback.ts'
import { chooseQuestions, sameAgain, unitByLabel } from './question-choice.ts'

type Difficulty = TutorQuestion['difficulty']
type Step<K extends StepKind> = (
  context: StepContext<K>,
) => StepOutputs[K] | Promise<StepOutputs[K]>

const QUIZ: Difficulty[] = ['easy', 'medium', 'hard']

/** The tutor that needs no key: lessons, questions and answers come from the course pack, and nothing is made up. */
export function createOfflineTutor(): Tutor {
  return {
    name: 'offline',
    async run(context) {
      const step = STEPS[context.kind] as unknown as Step<typeof context.kind>
      const output = await step(context)
      return { output, model: 'offline', inputTokens: 0, outputTokens: 0 }
    },
  }
}

const STEPS: { [K in StepKind]: Step<K> } = {
  inventory: (context) => ({ concepts: courseInventory(courseOf(context), context.goalUnitIds) }),

  probe: (context) => {
    const unit = unitByLabel(courseOf(context), context.input.label)
    return { questions: unit ? chooseQuestions(unit, context.asked, ['medium'], context.seed) : [] }
  },

  summary: (context) => {
    const diagnosis = {
      concepts: rankInventory(courseInventory(courseOf(context), context.goalUnitIds)),
      probes: context.input.probes,
      depth: 'standard' as const,
    }
    return {
      learner_level: learnerLevel(diagnosis),
      prerequisite_gaps: prerequisiteGaps(diagnosis),
      recommendations: recommendations(diagnosis),
    }
  },

  graph: (context) => {
    const graph = courseGraph(courseOf(context), context.goalUnitIds)
    return {
      root: graph.root,
      nodes: graph.nodes.map((node) => ({
        label: node.label,
        description: node.description ?? '',
        effortMinutes: node.effortMinutes,
        unitId: node.unitId ?? null,
      })),
      edges: graph.edges,
      goalLabels: graph.goalLabels ?? [],
    }
  },

  lesson: (context) => {
    const unit = unitOf(context)
    const { cycle, errors } = context.input
    return {
      explanation: cycle === 1 ? unit.lesson : lessonOnErrors(unit, errors),
      example: workedExample(unit),
      questions: chooseQuestions(unit, context.asked, ['easy'], context.seed),
    }
  },

  quiz: (context) => {
    const unit = unitOf(context)
    const { count, easier } = context.input
    const again = context.questions
      .flatMap(({ source }) => (source ? (sameAgain(unit, source) ?? []) : []))
      .slice(0, count)
    const levels = easier ? QUIZ.map(() => 'easy' as const) : QUIZ
    const fresh = chooseQuestions(
      unit,
      context.asked,
      levels.slice(0, count - again.length),
      context.seed,
      again.flatMap(({ source }) => source ?? []),
    )
    return { questions: [...again, ...fresh] }
  },

  review: (context) => ({
    questions: chooseQuestions(unitOf(context), context.asked, ['medium'], context.seed),
  }),

  grade: () => ({ quality: null, is_correct: false, feedback_text: '' }),

  feedback: (context) => mistakeFeedback(context, unitOf(context)),

  replan: () => ({ nodes: [], edges: [], explanation: '' }),

  path: (context) => {
    const ahead = context.concepts.filter(({ status }) => status !== 'mastered')
    const [next] = context.frontier
    const names = ahead.slice(0, 6).map(({ label }, i) => `${i + 1}. ${label}`)
    const needs = context.concepts.find(({ label }) => label === next?.label)?.prerequisites ?? []
    const why = needs.length > 0 ? ` because what it needs (${needs.join(', ')}) is in place` : ''
    return {
      learning_path: ahead.map(({ label }) => label),
      next_topic: next?.label ?? '',
      path_reasoning: next
        ? `Next comes **${next.label}**${why}. Your path from here:\n\n${names.join('\n')}`
        : 'Everything on your path has been taught; what remains is to review it when it is due.',
    }
  },

  route: (context) => {
    const text = context.message?.text ?? ''
    const concept = unitNamed(context, text)?.title ?? null
    const asks = /^(please\s+)?(teach|learn|explain|show)\b/i.test(text.trim())
    if (asks && concept) return { intent: 'learn', concept, reason: 'names a concept' }
    if (looksLikeQuestion(text)) {
      return { intent: 'help', ...(concept ? { concept } : {}), reason: 'asks a question' }
    }
    return context.input.questionId
      ? { intent: 'answer', reason: 'a question is open' }
      : { intent: 'help', ...(concept ? { concept } : {}), reason: 'nothing is open' }
  },

  help: (context) => {
    const course = courseOf(context)
    const named = context.input.concept ? unitByLabel(course, context.input.concept) : null
    const unit = named ?? context.unit
    if (!unit) {
      return {
        text: `I teach from the course *${course.title}* and can answer what is in it. Ask about one of its concepts, or say “plan” to see what comes next.`,
      }
    }
    return { text: aboutUnit(unit, course.title) }
  },
}

function courseOf({ course }: StepContext): Course {
  if (!course) {
    throw new TutorFailure(
      'refused',
      'This arc is taught by the offline tutor, but its course is not installed.',
    )
  }
  return course
}

function unitOf(context: StepContext): Unit {
  const { unit, concept } = context
  if (!unit) {
    throw new TutorFailure(
      'refused',
      `The course has no unit for the concept "${concept?.label ?? 'unknown'}".`,
    )
  }
  return unit
}

function unitNamed(context: StepContext, text: string): Unit | null {
  const course = courseOf(context)
  const [unitId] = matchTopic(text, [course])?.unitIds ?? []
  return course.units.find((unit) => unit.unitId === unitId) ?? null
}
