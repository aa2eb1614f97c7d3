import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { judgeLine } from '../../src/courses/judge-line.ts'
import { loadCourses } from '../../src/courses/load.ts'

const courses = await loadCourses(resolve(import.meta.dirname, '../../courses'))
const bank = courses.flatMap(({ units }) => units.flatMap(({ questions }) => questions))

/** What is said around any answer, around a name, and around what a program prints. */
const AROUND = [
  ...['I think it is …', 'idk maybe …', '…, right?', 'I am guessing …', 'not sure, but …'],
  ...[
    'ich glaube …',
    'keine Ahnung, vielleicht …',
    '…, oder?',
    'das ist … denke ich',
    '… glaub ich',
  ],
]
const AROUND_NAMES = [
  ...['use …', 'it should be …', 'the missing word is …', 'you need …', 'with …', 'I would use …'],
  ...['nimm …', 'man benutzt …', 'da fehlt …', 'mit …', 'das fehlende Wort ist …'],
]
const AROUND_OUTPUT = [
  ...['it prints …', 'The output is …', '… is printed', 'output: …', 'the program prints …'],
  ...['die Ausgabe ist …', 'es gibt … aus', '… wird ausgegeben', 'da steht …', 'Ausgabe: …'],
]
const NO_ANSWERS = [
  ...['let me think', 'it depends', 'you are wrong', 'this is wrong', 'I need more time', 'yes'],
  ...['we did not learn this', 'that makes no sense', 'my friend told me', 'no'],
  ...['lass mich nachdenken', 'kommt drauf an', 'das stimmt nicht', 'nur Bahnhof', 'ja', 'nein'],
  ...['das hatten wir nie', 'mach mal weiter', 'da bin ich nicht sicher', 'hab ich vergessen'],
]

const written = bank.filter(({ answer }) => answer.type === 'text' || answer.type === 'code')

describe.each(written.map((question) => [question.id, question] as const))('%s', (_, question) => {
  const { answer: key, mistakes = [] } = question
  const isName = key.type === 'text' && /^\w+$/.test(key.accepted[0] ?? '')
  const right = key.type === 'text' ? (key.accepted[0] ?? '') : key.type === 'code' ? key.value : ''
  const around = [
    ...AROUND,
    ...(isName ? AROUND_NAMES : []),
    ...(key.type === 'code' ? AROUND_OUTPUT : []),
  ]

  test('is answered right in whatever words', () => {
    const missed = around
      .map((words) => words.replace('…', () => right))
      .filter((said) => judgeLine(question, said).verdict !== 'right')
    expect(missed).toEqual([])
  })

  test('is answered right by no foreseen mistake in whatever words', () => {
    const accepted = mistakes
      .flatMap(({ answer }) => around.map((words) => words.replace('…', () => answer)))
      .filter((said) => judgeLine(question, said).verdict === 'right')
    expect(accepted).toEqual([])
    const passed = mistakes.filter(({ answer }) => judgeLine(question, answer).verdict !== 'wrong')
    expect(passed).toEqual([])
  })

  test('is graded by nobody where nothing is said', () => {
    const graded = NO_ANSWERS.filter((said) =>
      ['right', 'close', 'wrong'].includes(judgeLine(question, said).verdict),
    )
    expect(graded).toEqual([])
  })
})
