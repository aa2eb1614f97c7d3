import { describe, expect, test } from 'vitest'
import type { Course } from '../../src/contracts/course-pack.ts'
import { checkStructure } from '../../src/courses/check-structure.ts'
import { loadCourses } from '../../src/courses/load.ts'
import { definitionFor } from '../../src/tutor/offline/definitions.ts'

const courses = await loadCourses('courses')
const byId = (id: string) => courses.find(({ courseId }) => courseId === id) as Course
const algebra = byId('algebra-basics')
const python = byId('python-fundamentals')

test.each([
  [algebra, 'whats a fraction', 'A fraction is'],
  [algebra, 'What is a coefficient?', 'A coefficient is'],
  [algebra, 'ok but what are like terms again??', 'Like terms have'],
  [algebra, 'what does distribute mean', 'To expand, or distribute,'],
  [algebra, 'what do you mean by "surd"', 'A surd is'],
  [algebra, 'sorry, what’s the y-intercept', 'The $y$-intercept is'],
  [algebra, 'meaning of discriminant pls', 'The discriminant is'],
  [algebra, 'i dont know what an inequality is', 'An inequality says'],
  [algebra, 'was ist ein term', 'A term is'],
  [python, 'whats a loop', 'A loop carries out'],
  [python, 'what does == mean?', '`==` asks'],
  [python, 'what does return do', '`return` ends'],
  [python, 'what is `print()`', '`print` shows'],
])('%# a word of the course is explained where somebody asks “%s”', (course, asked, begins) => {
  expect(definitionFor(course, asked, null, 'en')).toMatch(
    new RegExp(`^${begins.replace(/[$`.]/g, '\\$&')}`),
  )
})

test.each([
  'what does that mean',
  'what is 3+4',
  'what is the answer',
  'what?',
  'what is the coefficient of x in 5x + 3',
  'explain again',
  'explain',
  'a fraction',
])('“%s” asks for no word', (asked) => {
  expect(definitionFor(algebra, asked, null, 'en')).toBeNull()
})

describe.each(courses)('$courseId', (course) => {
  const words = (course.glossary ?? []).flatMap(({ term, also, means }) =>
    [term, ...also].map((word) => [word, means] as const),
  )

  test('explains every word of its glossary, however it is asked for', () => {
    expect(words.length).toBeGreaterThan(40)
    for (const [word, means] of words) {
      for (const asked of [`whats a ${word}`, `What is the ${word}?`, `what does ${word} mean`]) {
        expect(definitionFor(course, asked, null, 'en'), asked).toContain(means)
      }
    }
  })

  test('says where there is more on it, but in the unit that teaches it', () => {
    const { term = '', unit: id = '' } = course.glossary?.at(-1) ?? {}
    const unit = course.units.find(({ unitId }) => unitId === id) ?? null
    expect(definitionFor(course, `what is a ${term}`, null, 'en')).toContain(`**${unit?.title}**`)
    expect(definitionFor(course, `what is a ${term}`, unit, 'en')).not.toContain('There is more')
  })

  test('takes no question of its own for one about a word', () => {
    const asked = course.units.flatMap(({ questions }) => questions.map(({ text }) => text))
    const taken = asked.filter((text) => definitionFor(course, text, null, 'en') !== null)
    expect(asked.length).toBeGreaterThan(100)
    expect(taken).toEqual([])
  })
})

test('a glossary of a unit that does not exist, or with a word twice, is refused by name', () => {
  const [first] = algebra.glossary ?? []
  if (!first) throw new Error('no glossary')
  const twice = { ...algebra, glossary: [first, { ...first, unit: 'ALG-99' }] }
  expect(checkStructure(twice).join('\n')).toMatch(/ALG-99[\s\S]*"number" more than once/)
})
