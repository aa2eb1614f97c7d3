import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Course } from '../../../src/contracts/course-pack.ts'
import { expectedAnswer } from '../../../src/courses/asked-question.ts'
import { loadCourses } from '../../../src/courses/load.ts'
import type { SealedDrill } from '../../../src/domain/course/drills/drill-grade.ts'
import { forbiddenClaims } from '../../../src/domain/course/policy/forbidden-claims.ts'
import { markdownChunks, pageChunks, transcriptChunks } from '../../../src/retrieval/chunking.ts'
import { drawDrills, drillFrom } from '../../../src/tutor/steps/course/course-drills.ts'
import {
  conceptWithin,
  openingQuestions,
  putAsQuestion,
} from '../../../src/tutor/steps/course/course-words.ts'
import { GRADE_RULES } from '../../../src/tutor/steps/course/drill-grade.ts'
import {
  gradeCourseDrill,
  gradeMadeUpDrill,
  keyOfAnswer,
} from '../../../src/tutor/steps/course/drill-grading.ts'
import { createDrillSealer } from '../../../src/tutor/steps/course/drill-token.ts'
import { courseOutline, TURN_RULES } from '../../../src/tutor/steps/course/turn-prompt.ts'

let courses: Course[]
beforeAll(async () => {
  courses = await loadCourses(resolve('courses'))
})

describe('drills out of the courses', () => {
  it('are graded right for the right answer and never right for a foreseen mistake', () => {
    const wrong: string[] = []
    let mistakes = 0
    for (const course of courses) {
      for (const unit of course.units) {
        for (const drill of drawDrills(unit, 17, 12)) {
          const { question } = drill
          const right = gradeCourseDrill(course, unit, drill, expectedAnswer(question), 'en')
          if (!right.decided || !right.grade.isCorrect) wrong.push(`${drill.source} right`)
          for (const { answer, tag } of question.mistakes) {
            const graded = gradeCourseDrill(course, unit, drill, answer, 'en')
            if (!graded.decided) continue
            mistakes += 1
            if (graded.grade.isCorrect) wrong.push(`${drill.source} ${answer}`)
            else if (graded.grade.commonMistakeTag === null) wrong.push(`${drill.source} ${tag}`)
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(mistakes).toBeGreaterThan(200)
  })

  it('are drawn alike for the same seed and found again by their source', () => {
    const unit = courses[0]?.units[1]
    if (!unit) throw new Error('no unit')
    const [first] = drawDrills(unit, 5, 1)
    expect(drawDrills(unit, 5, 1)).toEqual([first])
    expect(drillFrom(unit, first?.source ?? '')).toEqual(first)
    expect(drillFrom(unit, 'gone#4')).toBeNull()
  })

  it('show neither key nor markup of the other kind in their question', () => {
    for (const unit of courses.flatMap(({ units }) => units)) {
      for (const { questionLatex, prompt } of drawDrills(unit, 3, 8)) {
        expect(questionLatex).not.toContain('$')
        expect(prompt.trim()).not.toBe('')
      }
    }
  })
})

describe('drills a model made up', () => {
  const grade = (expected: string, answer: string, question = 'Solve $2x+3=11$') =>
    gradeMadeUpDrill(keyOfAnswer(expected), question, answer, 'en')

  it.each([
    ['4', '4', true],
    ['x = 4', '4', true],
    ['$x=4$', 'x = 4', true],
    ['4', '5', false],
    ['3/4', '0.75', true],
    ['4', 'I don’t know', false],
  ])('with the answer %s: %s', (expected, answer, isCorrect) => {
    expect(grade(expected, answer)).toMatchObject({ decided: true, grade: { isCorrect } })
  })

  it('leave the form of an equal expression, and all words, to the model', () => {
    const expand = 'Expand $3(x+2)$'
    expect(grade('3x+6', '6+3x', expand)).toEqual({ decided: false, verdict: 'equal' })
    expect(grade('3x+6', '3x+2', expand)).toMatchObject({ decided: true })
    expect(grade('because adding is commutative', 'it just is')).toMatchObject({ decided: false })
  })
})

describe('the token of a drill', () => {
  const drill: SealedDrill = {
    id: 'd',
    threadId: 't',
    unitId: 'ALG-01',
    prompt: 'Solve for $x$',
    questionLatex: '2x+3=11',
    key: { type: 'number', value: '4' },
    expectedAnswer: '4',
    source: null,
    issuedAt: 1,
  }

  it('opens with any of the keys, and only unchanged', () => {
    const token = createDrillSealer(['old']).seal(drill)
    expect(createDrillSealer(['new', 'old']).open(token)).toEqual(drill)
    expect(createDrillSealer(['new']).open(token)).toBeNull()
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      expect(createDrillSealer(['old']).open(changed)).toBeNull()
    }
    expect(createDrillSealer(['old']).open('')).toBeNull()
  })

  it('tells nothing', () => {
    const token = createDrillSealer(['old']).seal(drill)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('ALG')
    expect(createDrillSealer(['old']).seal(drill)).not.toBe(token)
  })
})

describe('what is not the mind’s to say', () => {
  const claims = (tutorText: string) =>
    forbiddenClaims(
      { action: 'SOCRATIC_QUESTION', targetUnitId: 'U', tutorText },
      { courseTags: ['minus_bracket'], examIds: ['EX-ALG-01-B1'] },
    )

  it.each([
    'You have mastered linear equations!',
    "You've now mastered this. What next?",
    'Congratulations, bronze is yours.',
    'You earned the silver tier. Shall we go on?',
    'You have passed the exam.',
    'I have marked this unit as mastered.',
    'I will save your progress to the database.',
    'This is minus_bracket again.',
    'Try EX-2019-ALG-14.',
  ])('is found: %s', (text) => expect(claims(text)).not.toEqual([]))

  it.each([
    'To master this, what would you do first?',
    'What happens if you set $x = 2$? Have you earned more money then?',
    'Shall we try the exam question EX-ALG-01-B1?',
    'You are ready for a bronze exam question.',
    'Gold is a metal. How many grams are in 3 of these?',
    'What did you get when you completed the square?',
  ])('is not seen in: %s', (text) => expect(claims(text)).toEqual([]))
})

it('puts nothing on the line of a fence: "``` What do you get?" would be part of the program', () => {
  const program = '```python\nprint(1)\n```'
  const asks = { kind: 'question' as const, unitId: 'U', source: 'Q' }
  const put = putAsQuestion({ text: `Run this.\n\n${program}`, asks })
  expect(put).toBe(`Run this.\n\n${program}\n\nWhat do you get?`)
  expect(putAsQuestion({ text: 'Work out $2 + 3$.', asks })).toBe(
    'Work out $2 + 3$. What do you get?',
  )
  const [unit] = courses.flatMap(({ units }) => units)
  const [question] = unit?.questions.filter(({ format }) => format === 'short_answer') ?? []
  if (!unit || !question) throw new Error('no question')
  const questions = [{ ...question, difficulty: 'easy' as const, text: program }]
  const texts = openingQuestions({ ...unit, misconceptions: [], questions }, 0)
  expect(texts.map(({ text }) => text)).toEqual([`Let us see:\n\n${program}`])
})

describe('a concept card', () => {
  it('keeps within its words', () => {
    const limits = { maxConceptWords: 170, maxWorkedExamples: 1, drillMaxSteps: 2 }
    for (const unit of courses.flatMap(({ units }) => units)) {
      const { keyIdeas } = conceptWithin(unit, limits, 3)
      expect(keyIdeas.length).toBeGreaterThan(0)
      expect(conceptWithin(unit, { ...limits, maxConceptWords: 1 }, 3)).toEqual({
        keyIdeas: [],
        workedExample: null,
      })
    }
  })
})

describe('the instructions', () => {
  it.each([
    /POLICY\.allowedActions/,
    /POLICY\.scopedUnitIds/,
    /prereqBlockingUnitId/,
    /ONE question/,
    /Never say or imply that anything is mastered/,
    /never claim to write to a database/,
    /Drills are not stored/,
    /Never write an exam question/,
    /CONTEXT\.examCandidates/,
    /no confusion tags/,
    /at most 3 key_ideas and at most one worked_example/,
    /1 or 2 steps/,
    /POLICY\.desiredExamTier/,
    /"locked" or "none", never EXAM_BLOCK/,
    /Output JSON only/,
  ])('hold %s', (rule) => expect(TURN_RULES).toMatch(rule))

  it('are followed by the whole course in short, the same at every turn and long enough to be cached', () => {
    for (const course of courses) {
      const outline = courseOutline(course)
      for (const { title, keyIdeas } of course.units) {
        for (const words of [title, ...keyIdeas])
          expect(outline.replaceAll('&lt;', '<')).toContain(words)
      }
      for (const { term } of course.glossary ?? []) expect(outline).toContain(`- ${term}: `)
      // 4,096 tokens are the highest floor of a model's cache; a token of such text has four characters and a half at most.
      expect((TURN_RULES.length + outline.length) / 4.5).toBeGreaterThan(4_096)
    }
  })

  it('have the grader choose one tag of the list', () => {
    expect(GRADE_RULES).toMatch(/one tag of the list/)
    expect(GRADE_RULES).toMatch(/Output JSON only/)
  })
})

describe('chunks', () => {
  it('follow the headings of a lesson, but not those in code', () => {
    const chunks = markdownChunks('Start\n\n## One\na\n```\n# no heading\n```\n## Two\nb', 'T')
    expect(chunks.map(({ section }) => section)).toEqual(['T', 'One', 'Two'])
    expect(chunks[1]?.text).toContain('# no heading')
  })

  it('keep the page they stand on', () => {
    const chunks = pageChunks(['Basics\nOne two three.', 'More of it.\nRules\nFour.'], 'T')
    expect(chunks).toEqual([
      { section: 'Basics', page: 1, text: 'One two three.' },
      { section: 'Basics', page: 2, text: 'More of it.' },
      { section: 'Rules', page: 2, text: 'Four.' },
    ])
  })

  it('leave the times of subtitles out', () => {
    const vtt =
      'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\n<v Ann>Hello\n\n2\n00:00:02.000 --> 00:00:03.000\nthere'
    expect(transcriptChunks(vtt, 'T')).toEqual([{ section: 'T', page: null, text: 'Hello there' }])
  })

  it('are never too long, and lose no word', () => {
    const text = Array.from({ length: 900 }, (_, n) => `word${n}`).join(' ')
    const chunks = markdownChunks(text, 'T')
    expect(Math.max(...chunks.map((chunk) => chunk.text.length))).toBeLessThanOrEqual(900)
    expect(chunks.map((chunk) => chunk.text).join(' ')).toBe(text)
  })
})
