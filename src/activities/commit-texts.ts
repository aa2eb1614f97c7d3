import { sql } from 'kysely'
import type { ArcCommit, Effect, Say } from '../domain/arc/commit.ts'
import type { CommitTexts, QuestionToStore } from '../store/commit-events.ts'
import { type Db, queryTogether } from '../store/database.ts'
import { stepsByKey } from '../store/model-steps.ts'
import { phrase } from '../tutor/phrases.ts'
import type { TutorQuestion } from '../tutor/steps/arc/context.ts'
import type { StepOutputs } from '../tutor/steps.ts'

/** Finds every text that the effects of a commit point to: phrases, parts of model steps, parts of questions. */
export async function commitTexts(db: Db, commit: ArcCommit): Promise<CommitTexts> {
  const { effects } = commit
  const says = effects.filter((effect) => effect.type === 'say')
  const stepKeys = new Set<string>()
  const questionIds = new Set<string>()
  for (const part of says.flatMap((effect) => effect.say)) {
    if ('step' in part) stepKeys.add(part.step)
    if ('questionId' in part) questionIds.add(part.questionId)
  }
  for (const effect of effects) {
    if ('step' in effect && effect.step) stepKeys.add(effect.step)
  }
  const [stepRows, questionRows] = await queryTogether(
    db,
    stepsByKey(db, [...stepKeys]).compile(),
    questionTexts(db, [...questionIds]),
  )
  const steps = new Map(stepRows.map((row) => [row.step_key, row.output]))
  const questions = new Map(questionRows.map((row) => [row.id, row]))

  const texts: CommitTexts = {
    say: new Map(),
    question: new Map(),
    descriptions: new Map(),
    facts: [],
    diagnosis: null,
  }
  for (const effect of effects) {
    if (effect.type === 'say') {
      const parts = effect.say.map((part) => sayText(part, steps, questions))
      texts.say.set(effect, parts.filter((part) => part !== '').join('\n\n'))
    }
    if (effect.type === 'ask') texts.question.set(effect, questionOf(effect, steps))
    if (effect.type === 'plan' || effect.type === 'extend') describeNodes(effect, steps, texts)
    if (effect.type === 'remember') {
      const feedback = steps.get(effect.step) as StepOutputs['feedback'] | undefined
      texts.facts.push(...(feedback?.facts_to_remember ?? []))
    }
    if (effect.type === 'diagnosis' && effect.step) {
      const summary = steps.get(effect.step) as StepOutputs['summary'] | undefined
      if (summary) {
        texts.diagnosis = {
          level: summary.learner_level,
          gaps: summary.prerequisite_gaps,
          recommendations: summary.recommendations,
        }
      }
    }
  }
  return texts
}

function questionOf(
  ask: Extract<Effect, { type: 'ask' }>,
  steps: Map<string, unknown>,
): QuestionToStore {
  const output = steps.get(ask.step) as { questions?: TutorQuestion[] } | undefined
  const question = output?.questions?.[ask.index]
  if (!question) throw new Error(`step ${ask.step} has no question ${ask.index}`)
  return question
}

function describeNodes(
  effect: Extract<Effect, { type: 'plan' | 'extend' }>,
  steps: Map<string, unknown>,
  texts: CommitTexts,
): void {
  const output = steps.get(effect.step ?? '') as Partial<StepOutputs['graph']> | undefined
  const byLabel = new Map(
    (output?.nodes ?? []).map((node) => [node.label.trim().toLowerCase(), node.description]),
  )
  for (const node of effect.map.nodes) {
    const description = byLabel.get(node.label.trim().toLowerCase())
    if (description) texts.descriptions.set(node.id, description)
  }
}

interface QuestionTexts {
  text: string
  expected: string
  solution: string | null
  hints: string[]
}

function questionTexts(db: Db, ids: string[]) {
  return db
    .selectFrom('arc_questions')
    .select(['id', 'text', 'expected', 'solution', 'hints'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .compile()
}

function sayText(
  part: Say,
  steps: Map<string, unknown>,
  questions: Map<string, QuestionTexts>,
): string {
  if ('phrase' in part) return phrase(part)
  if ('step' in part) {
    const value = (steps.get(part.step) as Record<string, unknown> | undefined)?.[part.part]
    return typeof value === 'string' ? value : ''
  }
  const question = questions.get(part.questionId)
  if (!question) return ''
  if (part.part === 'hint') return question.hints[part.n ?? 0] ?? phrase('no-hint')
  if (part.part === 'expected') return `**Answer:** ${question.expected}`
  return question[part.part] ?? ''
}
