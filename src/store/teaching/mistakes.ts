import type { Course } from '../../contracts/course-pack.ts'
import type { Mistake } from '../../contracts/teaching.ts'
import type { AnswerKey } from '../../domain/answers/answer-key.ts'
import { foreseenMistake } from '../../domain/answers/foreseen-mistake.ts'
import { ARITHMETIC_MISTAKES, NO_KNOWN_MISTAKE } from '../../domain/practice/misconception.ts'
import { optionText } from '../arc/records.ts'
import type { DbOrTrx } from '../database.ts'
import type { PupilRow } from './pupils.ts'

/** How many wrong answers are looked at, the latest first. */
const LOOKED_AT = 500
const EXAMPLES = 3
const PASSING = 3

interface WrongAnswer {
  tag: string
  courseId: string | null
  unitId: string | null
  example: Mistake['examples'][number]
}

/**
 * What the wrong answers of those pupils looked like, the most frequent first, what shows no pattern last: in sessions as it was stored, in arcs by
 * the mistakes that the question's author foresaw.
 */
export async function readMistakes(
  db: DbOrTrx,
  pupils: readonly PupilRow[],
  courses: readonly Course[],
): Promise<Mistake[]> {
  if (pupils.length === 0) return []
  const wrong = await Promise.all([ofSessions(db, pupils), ofArcs(db, pupils)])
  const groups = new Map<string, Mistake>()
  for (const answer of wrong.flat().sort((a, b) => b.example.at.localeCompare(a.example.at))) {
    const named = describe(answer, courses)
    const key = `${named.tag}\n${named.text}`
    const group = groups.get(key) ?? { ...named, count: 0, examples: [] }
    group.count += 1
    group.examples.push(answer.example)
    groups.set(key, group)
  }
  return [...groups.values()]
    .map((group) => ({ ...group, examples: fewOf(group.examples) }))
    .sort((a, b) => weight(b) - weight(a) || b.count - a.count)
}

/** What has a name comes before what has none, however often that is. */
const weight = ({ kind }: Mistake): number => (kind === 'course' || kind === 'arithmetic' ? 1 : 0)

/** The latest of different pupils, then further ones of the same. */
function fewOf(examples: Mistake['examples']): Mistake['examples'] {
  const seen = new Set<string>()
  const [firsts, others]: [Mistake['examples'], Mistake['examples']] = [[], []]
  for (const example of examples) {
    if (seen.has(example.studentId)) others.push(example)
    else firsts.push(example)
    seen.add(example.studentId)
  }
  return [...firsts, ...others].slice(0, EXAMPLES)
}

function describe(
  { tag, courseId, unitId }: WrongAnswer,
  courses: readonly Course[],
): Pick<Mistake, 'tag' | 'kind' | 'text' | 'remedy'> {
  const units = courses
    .filter((course) => courseId === null || course.courseId === courseId)
    .flatMap((course) => course.units)
  const own = units.filter((unit) => unit.unitId === unitId)
  const found = [...own, ...units]
    .flatMap(({ misconceptions }) => misconceptions)
    .find((misconception) => misconception.tag === tag)
  if (found) return { tag, kind: 'course', text: found.description, remedy: found.remedy }
  const none = { tag, text: null, remedy: null }
  if (tag === NO_KNOWN_MISTAKE) return { ...none, kind: 'other' }
  return { ...none, kind: ARITHMETIC_MISTAKES.includes(tag) ? 'arithmetic' : 'topic' }
}

async function ofSessions(db: DbOrTrx, pupils: readonly PupilRow[]): Promise<WrongAnswer[]> {
  const names = new Map(pupils.map(({ id, name }) => [id, name]))
  const rows = await db
    .selectFrom('conversation_turns as turn')
    .innerJoin('tutoring_sessions as session', 'session.session_id', 'turn.session_id')
    .innerJoin('problem_attempts as problem', (join) =>
      join
        .onRef('problem.session_id', '=', 'turn.session_id')
        .onRef('problem.problem_index', '=', 'turn.problem_index'),
    )
    .select(['turn.misconception', 'turn.student_message', 'turn.timestamp', 'problem.help'])
    .select(['session.student_id', 'session.integration_id'])
    .select(['problem.problem_text', 'problem.correct_answer'])
    .where('session.student_id', 'in', [...names.keys()])
    .where('turn.misconception', 'is not', null)
    .orderBy('turn.timestamp', 'desc')
    .limit(LOOKED_AT)
    .execute()
  return rows.map((row) => ({
    tag: row.misconception ?? NO_KNOWN_MISTAKE,
    courseId: row.help?.unit?.courseId ?? null,
    unitId: row.help?.unit?.unitId ?? null,
    example: {
      studentId: row.student_id,
      name: names.get(row.student_id) ?? row.student_id,
      question: row.problem_text,
      answer: row.student_message,
      expected: row.integration_id === null ? row.correct_answer : null,
      at: row.timestamp.toISOString(),
    },
  }))
}

async function ofArcs(db: DbOrTrx, pupils: readonly PupilRow[]): Promise<WrongAnswer[]> {
  const learners = new Map(
    pupils.flatMap((pupil) => (pupil.learnerId ? [[pupil.learnerId, pupil] as const] : [])),
  )
  if (learners.size === 0) return []
  const rows = await db
    .selectFrom('quiz_responses as response')
    .innerJoin('arcs', 'arcs.id', 'response.session_id')
    .innerJoin('arc_questions as question', 'question.id', 'response.question_id')
    .innerJoin('mind_map_nodes as node', 'node.id', 'response.node_id')
    .select(['arcs.learner_id', 'arcs.course_id', 'node.unit_id'])
    .select(['response.user_answer', 'response.responded_at', 'question.text', 'question.options'])
    .select(['question.mistakes', 'question.answer_key', 'question.expected'])
    .where('arcs.learner_id', 'in', [...learners.keys()])
    .where('response.quality', '<', PASSING)
    .where('response.user_answer', 'is not', null)
    .where('question.format', '<>', 'program')
    .where('question.answer_key', 'is not', null)
    .orderBy('response.responded_at', 'desc')
    .limit(LOOKED_AT)
    .execute()
  return rows.flatMap((row) => {
    const { options, text, mistakes, expected } = row
    const answer = row.user_answer ?? ''
    const asked = { text, ...(options ? { options } : {}) }
    const tag = foreseenMistake(mistakes, answer, row.answer_key as AnswerKey, asked)?.tag
    const pupil = learners.get(row.learner_id)
    if (tag === undefined || !pupil) return []
    const example = {
      ...{ studentId: pupil.id, name: pupil.name, question: text },
      answer: optionText(options, answer),
      expected: optionText(options, expected),
      at: row.responded_at.toISOString(),
    }
    return [{ tag, courseId: row.course_id, unitId: row.unit_id, example }]
  })
}
