import type { BankQuestion, Course, ExamQuestion, Unit } from '../../src/contracts/course-pack.ts'

/** A small course without a fault: three units in a row, each a fresh copy to break. */
export function sampleCourse(): Course {
  const units = [
    sampleUnit('SUM-00', 'Adding numbers', []),
    sampleUnit('SUM-01', 'Adding brackets', ['SUM-00']),
    sampleUnit('SUM-02', 'Linear equations', ['SUM-01']),
  ]
  return {
    courseId: 'sums',
    title: 'Sums',
    description: 'Adding, for tests.',
    language: 'en',
    entryUnitId: 'SUM-00',
    aliases: ['arithmetic'],
    units,
    prereqEdges: units.flatMap((unit) =>
      unit.prerequisites.map((from): [string, string] => [from, unit.unitId]),
    ),
  }
}

export function sampleUnit(unitId: string, title: string, prerequisites: string[]): Unit {
  const difficulties = [
    'easy',
    'easy',
    'easy',
    'medium',
    'medium',
    'medium',
    'hard',
    'hard',
  ] as const
  return {
    unitId,
    title,
    prerequisites,
    difficulty: 'beginner',
    effortMinutes: 20,
    anchor: `All about ${title}.`,
    keyIdeas: ['Order does not matter: $a + b = b + a$.', 'Zero changes nothing.'],
    aliases: [],
    tags: ['sums'],
    workedExample: { problem: 'Add $1$ and $2$.', steps: ['Count on.', 'Stop.'], answer: '$3$' },
    workedExamples: [],
    misconceptions: [
      { tag: 'subtracts', description: 'Subtracts.', remedy: 'Add.' },
      { tag: 'one_off', description: 'Counts the start.', remedy: 'Begin with the next number.' },
    ],
    lesson: 'Put both heaps together:\n\n$$\n2 + 3 = 5\n$$',
    questions: difficulties.map((difficulty, index) =>
      sampleQuestion(unitId, index + 1, difficulty),
    ),
    templates: [sampleTemplate(`${unitId}-T1`), sampleTemplate(`${unitId}-T2`)],
    exams: (['bronze', 'silver', 'gold'] as const).flatMap((tier, index) => [
      sampleExam(unitId, `${index}A`, tier, 'a'),
      sampleExam(unitId, `${index}B`, tier, 'c'),
    ]),
  }
}

function sampleQuestion(
  unitId: string,
  number: number,
  difficulty: BankQuestion['difficulty'],
): BankQuestion {
  const text = `What is $100 + ${number}$?`
  const shared = { id: `${unitId}-Q${number}`, difficulty, text, accepted: [] }
  const told = { hints: ['Put them together.', 'Count on.'], solution: 'Count on.' }
  if (number > 2) {
    return {
      ...shared,
      ...told,
      format: 'short_answer',
      answer: { type: 'number', value: String(100 + number) },
      mistakes: [{ answer: String(100 - number), tag: 'subtracts' }],
    }
  }
  return {
    ...shared,
    ...told,
    format: 'multiple_choice',
    options: [
      { id: 'a', text: `$${100 - number}$` },
      { id: 'b', text: `$${100 + number}$` },
      { id: 'c', text: `$${99 + number}.5$` },
    ],
    answer: { type: 'choice', correct: 'b' },
    mistakes: [{ answer: 'a', tag: 'subtracts' }],
  }
}

function sampleTemplate(id: string): Unit['templates'][number] {
  return {
    id,
    difficulty: 'easy',
    text: 'What is $({{a}}) {{+b}}$?',
    format: 'short_answer',
    kind: 'exercise',
    params: { a: { from: 2, to: 9, not: [] }, b: { from: -9, to: 9, not: [0] } },
    derived: { sum: 'a + b', difference: 'a - b' },
    where: ['a != b'],
    answer: { type: 'number', value: '{{sum}}' },
    accepted: [],
    hints: ['Start at {{a}}.', 'A negative number leads to the left.'],
    solution: '$({{a}}) {{+b}} = {{sum}}$.',
    mistakes: [{ answer: '{{difference}}', tag: 'subtracts' }],
  }
}

function sampleExam(
  unitId: string,
  suffix: string,
  tier: ExamQuestion['tier'],
  correct: string,
): ExamQuestion {
  const options = ['a', 'b', 'c', 'd'].map((id, index) => ({
    id,
    text: id === correct ? '$5$' : `$${index + 10}$`,
  }))
  const questionId = `EX-${unitId}-${suffix}`
  return {
    questionId,
    tier,
    questionLatex: 'What is $2 + 3$?',
    options,
    correct,
    memo: '$5$',
    tags: [],
  }
}
