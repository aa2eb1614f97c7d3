import path from 'node:path'
import type { Course } from '../src/contracts/course-pack.ts'
import { loadCourses } from '../src/courses/load.ts'
import { seededRandom } from '../src/domain/random/seeded-random.ts'
import { SimulatedArc } from '../test/support/simulated-arc.ts'

const COURSE = 'algebra-basics'
const SEEDS = 200
const DAY_MS = 86_400_000
/** More answers than anybody would give. */
const MOST = 5_000

/** Whether a question is answered right, by the concept it is about and how often the learner was set right on it. */
type Learner = (asked: {
  concept: string
  kind: string
  attempt: number
  corrections: number
  random: () => number
}) => boolean

interface Life {
  answers: number
  lessons: number
  /** The most often that one concept's whole lesson was shown. */
  mostOfOne: number
  days: number
}

/**
 * How many answers simulated learners give until Algebra basics is mastered, by the rules of an arc and the offline tutor
 * alone: answers come 40 s apart, sleeps are skipped. Every reply counts, probes and second tries included. The ratio is
 * to a course without a diagnosis, where nothing is known beforehand.
 */
export async function run(): Promise<void> {
  const courses = await loadCourses(path.join(import.meta.dirname, '..', 'courses'))
  const course = courses.find(({ courseId }) => courseId === COURSE)
  if (!course) throw new Error(`the course ${COURSE} is not installed`)
  const units = course.units.map(({ title }) => title)
  const firstHalf = new Set(units.slice(0, units.length / 2))
  const plain = live(course, () => true, 1, { skipDiagnosis: true })
  console.log(`\nAnswers until ${course.title} is mastered (${course.units.length} concepts)`)
  console.log('learner                            median    mean ± s.e.   ratio  lessons  days')
  row('knows everything', [live(course, () => true, 1)], plain)
  row('knows the first half', [live(course, knows(firstHalf), 1)], plain)
  row('no mistakes, nothing known', [live(course, knows(new Set()), 1)], plain)
  const slips = Array.from({ length: SEEDS }, (_, seed) => live(course, misses, seed + 1))
  row(`misses 1 in 3, learns (${SEEDS} seeds)`, slips, plain)
  const most = Math.max(...slips.map(({ mostOfOne }) => mostOfOne))
  console.log(`the most often that a concept's full lesson was shown to one of them: ${most}`)
}

/** Right on what is known from the start; what is not known is missed in the level check alone, and then learned at once. */
const knows =
  (known: ReadonlySet<string>): Learner =>
  ({ concept, kind }) =>
    kind !== 'diagnostic' || known.has(concept)

/** Misses a new question with chance 1/3, × 0.8 after each correction on the concept; a second try is right 6 times of 10. */
const misses: Learner = ({ attempt, corrections, random }) =>
  attempt === 2 ? random() < 0.6 : random() >= (1 / 3) * 0.8 ** corrections

function live(
  course: Course,
  learner: Learner,
  seed: number,
  rules: { skipDiagnosis?: boolean } = {},
): Life {
  const random = seededRandom(seed)
  const arc = new SimulatedArc(course, { rules })
  const begun = arc.now
  const corrections = new Map<string, number>()
  let answers = 0
  arc.turn()
  while (arc.state.phase !== 'COMPLETED') {
    const { question } = arc.state
    if (!question) {
      arc.sleep()
      continue
    }
    arc.now += 40_000
    if (question.kind === 'choice') {
      arc.say('go_on')
      continue
    }
    answers += 1
    if (answers > MOST) throw new Error('the arc does not end')
    const { label: concept, kind, attempt } = question
    const isRight = learner({
      ...{ concept, kind, attempt },
      corrections: corrections.get(concept) ?? 0,
      random,
    })
    if (!isRight) corrections.set(concept, (corrections.get(concept) ?? 0) + 1)
    arc.say(arc.answerText(isRight))
  }
  const lessons = arc.lessons
  return {
    answers,
    lessons: lessons.length,
    mostOfOne: Math.max(0, ...count(lessons).values()),
    days: Math.round((arc.now - begun) / DAY_MS),
  }
}

function count(labels: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return counts
}

function row(name: string, lives: readonly Life[], plain: Life): void {
  const answers = lives.map((life) => life.answers).sort((a, b) => a - b)
  const median = answers[Math.floor(answers.length / 2)] ?? 0
  const mean = average(answers)
  const spread = average(answers.map((each) => (each - mean) ** 2))
  const error = answers.length > 1 ? Math.sqrt(spread / (answers.length - 1)) : 0
  const cells = [
    name.padEnd(33),
    String(median).padStart(7),
    `${mean.toFixed(1)} ± ${error.toFixed(1)}`.padStart(15),
    (median / plain.answers).toFixed(2).padStart(7),
    average(lives.map(({ lessons }) => lessons))
      .toFixed(1)
      .padStart(8),
    average(lives.map(({ days }) => days))
      .toFixed(0)
      .padStart(5),
  ]
  console.log(cells.join(' '))
}

const average = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length
