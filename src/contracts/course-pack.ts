/**
 * A course pack: one folder under `courses/`, written in YAML and Markdown so that a teacher can read and change it.
 *
 * ```
 * courses/<courseId>/course.yml                 the course itself
 * courses/<courseId>/pictures/<name>.svg        a picture that a lesson shows; a course may have none
 * courses/<courseId>/units/<unitId>/unit.yml    title, prerequisites, anchor, key ideas, worked example, misconceptions
 * courses/<courseId>/units/<unitId>/lesson.md   the explanation, Markdown with $LaTeX$
 * courses/<courseId>/units/<unitId>/questions.yml   the question bank and the parametrised templates
 * courses/<courseId>/units/<unitId>/programs.yml   questions that ask for a program; a unit may have none
 * courses/<courseId>/units/<unitId>/exams.yml   multiple-choice exam questions by tier, with memos
 * ```
 */
import { z } from 'zod'
import type { ProgramQuestion } from './course-programs.ts'
import type { Picture } from './picture.ts'

const text = z.string().trim().min(1)
const tag = z.string().regex(/^[a-z0-9]+(_[a-z0-9]+)*$/, 'a tag is lower snake case')

const ConceptDifficulty = z.enum(['beginner', 'intermediate', 'expert'])
const QuestionDifficulty = z.enum(['easy', 'medium', 'hard'])
export const ExamTier = z.enum(['bronze', 'silver', 'gold'])

/** How code judges an answer; the Zod mirror of the domain's `AnswerKey`. */
export const AnswerKeySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('choice'), correct: text }),
  z.strictObject({
    type: z.literal('number'),
    value: text,
    unit: text.optional(),
    tolerance: z.number().positive().optional(),
    exact: z.literal(true).optional(),
  }),
  z.strictObject({
    type: z.literal('expression'),
    value: text,
    form: z.enum(['any', 'expanded', 'factored', 'simplified']).optional(),
  }),
  z.strictObject({ type: z.literal('equation'), value: text }),
  z.strictObject({ type: z.literal('set'), values: z.array(text).min(1) }),
  z.strictObject({ type: z.literal('inequality'), value: text }),
  z.strictObject({
    type: z.literal('pair'),
    value: text,
    names: z
      .array(z.string().regex(/^[a-zA-Z]$/))
      .min(2)
      .max(3)
      .optional(),
  }),
  z.strictObject({ type: z.literal('code'), value: text }),
  z.strictObject({
    type: z.literal('text'),
    accepted: z.array(text).min(1),
    pattern: z.string().optional(),
  }),
])

const Option = z.strictObject({ id: z.string().regex(/^[a-z]$/), text })

/** A wrong answer that gives a misconception away: the answer as a learner would write it, and the tag of the unit's misconception. */
const TellingMistake = z.strictObject({ answer: text, tag })

/** A template's mistake; its tag may be drawn: `{{tag}}`. */
const TemplateMistake = z.strictObject({
  answer: text,
  tag: z.union([tag, z.string().regex(/^\{\{\w+\}\}$/)]),
})

const questionBody = {
  difficulty: QuestionDifficulty,
  /** Markdown with `$LaTeX$`. */
  text,
  format: z.enum(['multiple_choice', 'short_answer']),
  options: z.array(Option).min(3).max(6).optional(),
  answer: AnswerKeySchema,
  /** Further ways to write the right answer that must be accepted; checked like the key itself. */
  accepted: z.array(text).default([]),
  /** From a nudge to nearly the method; never the answer itself. */
  hints: z.array(text).min(2).max(4),
  /** One or two sentences shown after the answer: why it is right. */
  solution: text,
  mistakes: z.array(TellingMistake).default([]),
}

/** `find_mistake`: somebody's work is shown, and what is wrong with it is asked for. */
const TemplateKind = z.enum(['exercise', 'word_problem', 'find_mistake'])

export const BankQuestion = z.strictObject({ id: text, ...questionBody })

/**
 * A parametrised question. `params` are drawn with a seeded generator, `derived` are arithmetic expressions over them
 * (evaluated in the order written; `a > b ? a : b` chooses), `where` are conditions that must hold or the draw is repeated.
 * In every text `{{a}}` is replaced by the value and `{{+a}}` by the value with its sign and a space: `+ 3`, `- 3`.
 */
export const QuestionTemplate = z.strictObject({
  id: text,
  ...questionBody,
  mistakes: z.array(TemplateMistake).default([]),
  kind: TemplateKind.default('exercise'),
  /**
   * What the right answer has to fulfil, found in another way than the key was: a relation of mathjs over the
   * parameters and `key` (the number; each value of a set; the value of an expression, or of an equation's right side,
   * where its letters have the values that they have in the relation; else the text of the key). Checked, never asked.
   */
  check: text.optional(),
  params: z.record(
    z.string().regex(/^[a-z]\w*$/),
    z.union([
      z.strictObject({
        from: z.int(),
        to: z.int(),
        not: z.array(z.int()).default([]),
      }),
      z.strictObject({ pick: z.array(z.union([z.number(), z.string()])).min(2) }),
    ]),
  ),
  derived: z.record(z.string().regex(/^[a-z]\w*$/), text).default({}),
  where: z.array(text).default([]),
})

export const QuestionBank = z.strictObject({
  questions: z.array(BankQuestion).min(8),
  templates: z.array(QuestionTemplate).min(2),
})

export const ExamQuestion = z.strictObject({
  questionId: text,
  tier: ExamTier,
  questionLatex: text,
  options: z.array(Option).min(4).max(5),
  correct: z.string().regex(/^[a-z]$/),
  /** The worked solution a student may look at; looking at it locks the question. */
  memo: text,
  /** Where a video explanation can be watched; absolute, or relative to the course folder. */
  videoUrl: z.string().optional(),
  tags: z.array(tag).default([]),
})

export const ExamBank = z.strictObject({ exams: z.array(ExamQuestion).min(6) })

/**
 * What a wrong answer must look like beside the key, where that can be computed. `negated`: the key with the other
 * sign, of a set every value. `reversed`: the inequality turned around. `boundary`: the same inequality with a boundary
 * wrongly in or out. `incomplete`: some of the solutions.
 */
const MistakeEffect = z.enum(['negated', 'reversed', 'boundary', 'incomplete'])

const Misconception = z.strictObject({
  tag,
  /** What the learner believes, in one sentence that can be read behind "You may have thought that …". */
  description: text,
  /** What is so instead, and why; addressed to the learner. */
  remedy: text,
  /** Every mistake of this tag is checked for it. */
  effect: MistakeEffect.optional(),
})

const WorkedExample = z.strictObject({
  problem: text,
  steps: z.array(text).min(2),
  answer: text,
})

/** An example whose last step is left to the learner: `steps` are shown, `question` asks for what follows. */
const FadedExample = z.strictObject({
  problem: text,
  steps: z.array(text).min(1),
  question: text,
  answer: AnswerKeySchema,
  /** Shown after the answer: the last step, and why it is right. */
  solution: text,
})

export const UnitFile = z.strictObject({
  unitId: z.string().regex(/^[A-Z]+-\d{2}$/),
  title: text,
  prerequisites: z.array(z.string()),
  difficulty: ConceptDifficulty,
  effortMinutes: z.int().positive(),
  /** Two to four sentences that say what the unit is about; used to find it. */
  anchor: text,
  keyIdeas: z.array(text).min(2).max(5),
  /** Words and phrases a learner may use for this unit. */
  aliases: z.array(text).default([]),
  tags: z.array(tag).min(1),
  /** What of Python the unit teaches: `for`, `list_comprehension`, `len()`, `.append()`; the programs of a course use nothing else. */
  teaches: z
    .array(z.string().regex(/^(\.?[a-z]+\(\)|[a-z]+(_[a-z]+)*)$/, 'no name of a feature'))
    .optional(),
  workedExample: WorkedExample,
  /** Further examples, for whoever comes back to the lesson. */
  workedExamples: z.array(WorkedExample).default([]),
  fadedExample: FadedExample.optional(),
  misconceptions: z.array(Misconception).min(2),
})

export const CourseFile = z.strictObject({
  courseId: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  title: text,
  description: text,
  language: z.string().default('en'),
  entryUnitId: text,
  /** `course`: units of one depth are taught in the order of `units`; unless it is set, the quicker ones come first. */
  order: z.enum(['course']).optional(),
  /** Topics that mean this whole course. */
  aliases: z.array(text).default([]),
  /** Unit ids in the order a teacher would list them; each has a folder of that name. */
  units: z.array(text).min(1),
})

/** What a word of the course means, in a sentence or two, with an example. */
export const GlossaryTerm = z.strictObject({
  /** In the singular, as the course writes it. */
  term: text,
  /** Other words for it, and what belongs to it. */
  also: z.array(text).default([]),
  /** The unit that teaches it. */
  unit: z.string(),
  means: text,
})

export const Glossary = z.array(GlossaryTerm)

export type GlossaryTerm = z.infer<typeof GlossaryTerm>
export type BankQuestion = z.infer<typeof BankQuestion>
export type QuestionTemplate = z.infer<typeof QuestionTemplate>
export type ExamQuestion = z.infer<typeof ExamQuestion>
export type ExamTier = z.infer<typeof ExamTier>
export type TemplateKind = z.infer<typeof TemplateKind>
export type WorkedExample = z.infer<typeof WorkedExample>
export type FadedExample = z.infer<typeof FadedExample>
export type Misconception = z.infer<typeof Misconception>
export type UnitFile = z.infer<typeof UnitFile>
export type CourseFile = z.infer<typeof CourseFile>

/** A unit with everything in its folder. */
export interface Unit extends UnitFile {
  /** Its pictures are named by where the API has them. */
  lesson: string
  questions: BankQuestion[]
  templates: QuestionTemplate[]
  exams: ExamQuestion[]
  programs?: ProgramQuestion[]
}

/** A whole pack in memory; `prereqEdges` are `[prerequisite, unit]`. */
export interface Course extends Omit<CourseFile, 'units'> {
  units: Unit[]
  prereqEdges: [string, string][]
  glossary?: GlossaryTerm[]
  pictures?: Picture[]
}
