import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../../src/activities/practice/response.ts'
import type { Course, Unit } from '../../src/contracts/course-pack.ts'
import { loadCourse } from '../../src/courses/load.ts'
import { fallbackAction } from '../../src/domain/course/policy/fallback-action.ts'
import { courseWords } from '../../src/domain/course/words.ts'
import { decide } from '../../src/domain/practice/decide.ts'
import { newState, type Practice } from '../../src/domain/practice/state.ts'
import { drawDrills } from '../../src/tutor/steps/course/course-drills.ts'
import { fallbackMaterial, openingQuestions } from '../../src/tutor/steps/course/course-words.ts'
import { gradeCourseDrill, gradeMadeUpDrill } from '../../src/tutor/steps/course/drill-grading.ts'
import { judgeReply } from '../../src/tutor/steps/course/reply-judging.ts'
import { turnWords } from '../../src/tutor/steps/course/turn-words.ts'
import { problemsOfUnit } from '../../src/tutor/steps/practice/choose-problems.ts'
import { SimulatedArc } from '../support/simulated-arc.ts'

let course: Course

beforeAll(async () => {
  course = await loadCourse(path.resolve('courses/algebra-basics'))
})

/** Words that an English sentence hardly does without, and that German does not have. */
const ENGLISH =
  /\b(?:the|and|you|your|that|this|these|of|to|is|are|it|its|for|not|with|how|what|why|which|here|have|has|there|from|right|close|answer|example|step|look|take|say|common|often|one|first|another|easier|belongs)\b/iu

/** Every string that stands somewhere in a value. */
function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(stringsIn)
}

/** The pieces of texts as they may stand within others. */
const piecesOf = (value: unknown): string[] => {
  const pieces = stringsIn(value)
    .flatMap((text) => [text, ...text.split(/\n\s*\n|\*\*In short:\*\*/)])
    .map((text) => text.trim().replace(/[.\s]+$/, ''))
    .flatMap((text) => [text, text.toLowerCase()])
    .filter((text) => text.length > 3)
  return [...new Set(pieces)]
}

let ofCourse: string[] = []

/** What is left of a text without the course's own words: its texts, and what was drawn from its templates. */
function withoutContent(text: string, drawn: readonly string[]): string {
  if (ofCourse.length === 0) ofCourse = piecesOf(course)
  const known = [...drawn, ...ofCourse]
    .filter((piece) => text.includes(piece))
    .sort((a, b) => b.length - a.length)
  return known
    .reduce((left, piece) => left.replaceAll(piece, ' '), text)
    .replace(/\$\$[\s\S]*?\$\$|\$[^$]*\$|```[\s\S]*?```|`[^`]*`/g, ' ')
}

/** Nothing that code said is English. */
function expectGerman(said: readonly string[], drawn: unknown): void {
  const pieces = piecesOf(drawn)
  const left = [...new Set(said)].map((text) => withoutContent(text, pieces).trim())
  expect(left.filter((text) => ENGLISH.test(text))).toEqual([])
}

const inUnit = (unitId: string): Unit => {
  const unit = course.units.find((each) => each.unitId === unitId)
  if (!unit) throw new Error('the unit is gone')
  return unit
}

it('the check finds English that code has said, and leaves the course its own words', () => {
  const unit = inUnit('ALG-01')
  const of = (words: string) => `${words} ${unit.workedExample.problem}`
  expect(ENGLISH.test(withoutContent(of('**Worked example.** Take this one:'), []))).toBe(true)
  expect(ENGLISH.test(withoutContent(of('**Beispiel, Schritt für Schritt.**'), []))).toBe(false)
})

const WORDS = [
  ...['erklär das nochmal', 'ich verstehe das nicht', 'noch ein Beispiel bitte'],
  ...['erklär das nochmal', 'noch ein Beispiel', 'erklär es anders'],
  ...['was ist ein coefficient?', 'was ist eine parabola?', 'warum brackets und equations?'],
  ...['wie wird das Wetter heute?', 'Tipp', 'Tipp', 'Tipp', 'Tipp', 'Tipp', 'Tipp', 'Plan'],
  ...['danke', 'das ist blöd', 'weiß ich schon lange nicht mehr so genau'],
]

describe('an arc with a learner who speaks German', () => {
  const begun = (skipDiagnosis: boolean) => {
    const arc = new SimulatedArc(course, { rules: { skipDiagnosis, language: 'de' } })
    arc.turn()
    return arc
  }

  it('is German beside every kind of question', () => {
    for (const kind of ['diagnostic', 'teach', 'quiz', 'review']) {
      const arc = begun(kind !== 'diagnostic')
      while (arc.state.question?.kind !== kind) {
        if (arc.state.question) arc.say(arc.answerText())
        else arc.sleep()
      }
      for (const words of WORDS) arc.say(words)
      expect(arc.said.length).toBeGreaterThan(WORDS.length)
      expectGerman(arc.said, arc.asked)
    }
  })

  it('is German through wrong answers, their remedies, feedback, and the lesson once more', () => {
    const arc = begun(true)
    let remedies = 0
    for (let turns = 0; turns < 60; turns += 1) {
      const { question } = arc.arc
      if (!question) {
        arc.sleep()
        continue
      }
      const foreseen = question.mistakes.find(({ instead }) => instead)?.answer
      if (foreseen) remedies += 1
      // The first wrong answers bring feedback and the lesson once more; then it goes on.
      arc.say(turns < 45 ? (foreseen ?? arc.answerText(false)) : arc.answerText())
    }
    expect(remedies).toBeGreaterThan(5)
    const said = arc.said.join('\n')
    expect(said).toContain('Vielleicht hast du gedacht: ')
    expect(said).toContain('Diese Frage hattest du: ')
    expect(said).toMatch(/Das ist mir an deinen Antworten aufgefallen|Sieh dir das Beispiel noch/)
    expectGerman(arc.said, arc.asked)
  })
})

describe('practice with a student who speaks German', () => {
  const talk = (unitId: string, seed: number, words: readonly string[]) => {
    const problems = problemsOfUnit(course, inUnit(unitId), [], seed)
    const ways = { hasModel: false, delivers: false, isOfArc: true, hasTeacher: false }
    const language = { set: 'de', spoken: 'de' }
    const state = newState(problems, false, 0)
    let practice: Practice = { sessionId: 's', ...ways, language, problems, state }
    const said = words.map((text, place) => {
      const payload = { text, problem: null }
      const input = { type: 'message', id: `m${place}`, position: place + 1, payload }
      const decided = decide(
        practice,
        { type: 'input', input: { ...input, receivedAt: place * 1_000 } },
        place * 1_000,
      )
      practice = decided.practice
      const ended = decided.effects.find(({ type }) => type === 'turn-ended')
      if (ended?.type !== 'turn-ended') throw new Error('the turn has not ended')
      return answerOf(practice, 's', ended).response.output
    })
    return { said, problems }
  }

  it.each(['ENTRY-00', 'ALG-00', 'ALG-01', 'ALG-02'])('is German in %s', (unitId) => {
    for (const seed of [1, 2, 3]) {
      const stuck = talk(
        unitId,
        seed,
        Array.from({ length: 5 }, () => 'ich komme nicht weiter'),
      )
      expectGerman(stuck.said, stuck.problems)
      const wrong = talk(unitId, seed, ['987654', '987655', '987656', '987657', '987658'])
      expectGerman(wrong.said, wrong.problems)
      const [first] = stuck.problems
      for (const { answer } of first?.help?.mistakes ?? []) {
        const foreseen = talk(unitId, seed, [answer])
        expectGerman(foreseen.said, foreseen.problems)
      }
    }
  })
})

describe('the course tutor with a student who speaks German', () => {
  it('grades drills in German', () => {
    for (const unit of course.units) {
      for (const drill of drawDrills(unit, 3, 6)) {
        const answers = [
          '987654',
          'ich weiß es nicht',
          ...drill.question.mistakes.map((m) => m.answer),
        ]
        for (const answer of answers) {
          const code = gradeCourseDrill(course, unit, drill, answer, 'de')
          if (code.decided) expectGerman([code.grade.feedbackText], drill)
        }
      }
    }
    const code = gradeMadeUpDrill({ type: 'number', value: '4' }, 'Work out $2+2$.', '5', 'de')
    expect(code.decided && code.grade.feedbackText).toBe('Das stimmt nicht.')
  })

  it('judges replies in German, and has German questions where a model cannot be used', () => {
    for (const unit of course.units) {
      const questions = openingQuestions(unit, 1, turnWords('de'))
      for (const { asks } of questions) {
        for (const said of ['a', 'b', '987654']) {
          const judged = judgeReply(course, asks, said, 'de')
          if (judged) expectGerman([judged.text], null)
        }
      }
      const policy = { allowedActions: ['SOCRATIC_QUESTION'], focusUnitId: unit.unitId } as never
      const material = fallbackMaterial(unit, 1, 'de')
      for (const turnNumber of [0, 1]) {
        const given = { policy, material, words: courseWords('de'), turnNumber }
        expectGerman([fallbackAction(given).tutorText], null)
        const bare = { ...material, socraticQuestions: [] }
        expectGerman([fallbackAction({ ...given, material: bare }).tutorText], null)
      }
    }
  })
})
