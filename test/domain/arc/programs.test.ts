import { describe, expect, it, test } from 'vitest'
import type { ProgramVerdict } from '../../../src/domain/answers/program.ts'
import { wantedSteps } from '../../../src/domain/arc/view.ts'
import { programCourse } from '../../support/program-course.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'

/** An arc whose open question asks for a program: the last one of its first quiz. */
function asked(verdict?: ProgramVerdict): SimulatedArc {
  const arc = new SimulatedArc(programCourse(), { rules: { skipDiagnosis: true } })
  if (verdict) arc.verdictOn = () => verdict
  arc.turn()
  for (let answers = 0; arc.arc.question?.format !== 'program'; answers += 1) {
    if (answers > 10) throw new Error('no program was asked for')
    arc.say(arc.answerText())
  }
  return arc
}

const failed: ProgramVerdict = {
  verdict: 'failed',
  failed: { fault: { kind: 'timed-out', line: null }, input: 'add_one(1, 2)', hidden: false },
}

describe('a question that asks for a program', () => {
  it('is the last one of a quiz, and the only one', () => {
    const arc = asked()
    const quiz = arc.asked.filter(({ kind }) => kind === 'quiz')
    expect(quiz.map(({ question }) => question.format === 'program')).toEqual([false, false, true])
    expect(
      arc.asked.filter(({ kind }) => kind !== 'quiz').map(({ question }) => question.format),
    ).not.toContain('program')
  })

  it('has the program tested by a step that no mind answers', () => {
    const arc = new SimulatedArc(programCourse(), { rules: { skipDiagnosis: true } })
    arc.verdictOn = () => {
      expect(wantedSteps(arc.arc)).toMatchObject([{ queue: 'meno' }])
      return { verdict: 'passed' }
    }
    arc.turn()
    while (arc.arc.question?.format !== 'program') arc.say(arc.answerText())
    arc.say('x = 1')
    expect(arc.wanted.at(-1)).not.toBe(undefined)
    expect(arc.wanted).toContain('run-program: Adding numbers')
  })

  it('is passed by a program that passes', () => {
    const arc = asked()
    arc.say(arc.answerText())
    expect(arc.responses.at(-1)?.quality).toBe(5)
    expect(arc.phrases).toContain('cycle-passed')
  })

  it('goes the way of a wrong answer with one that fails, and names the case', () => {
    const arc = asked(failed)
    arc.say('def add_one(a, b):\n    while True: pass')
    expect(arc.said.join('\n')).toContain('did not finish within 2 seconds')
    expect(arc.said.join('\n')).toContain('add_one(1, 2)')
    expect(arc.phrases).toContain('wrong-once')
  })

  it('stays open for what Python cannot read, and counts nothing', () => {
    const arc = asked({ verdict: 'unreadable', message: "expected ':'", line: 1 })
    const { id } = arc.state.question ?? {}
    const before = arc.responses.length
    arc.say('def add_one(a, b)')
    expect(arc.state.question?.id).toBe(id)
    expect(arc.state.question?.attempt).toBe(1)
    expect(arc.responses.length).toBe(before)
    expect(arc.said.at(-1)).toContain("expected ':'")
  })

  test.each([
    ['what does return do?', 0],
    ['I have no clue what to write', 0],
    ['# a question?\nprint(1)', 1],
    ['print(1)', 1],
    ['hint', 0],
    ['skip', 0],
  ])('takes %j for a program: %i', (text, runs) => {
    const arc = asked({ verdict: 'unreadable', message: '', line: 1 })
    arc.say(text)
    expect(arc.wanted.filter((label) => label.startsWith('run-program')).length).toBe(runs)
  })

  it('is replaced where programs cannot be run, and the quiz ends as it would have', () => {
    const arc = asked({ verdict: 'unavailable' })
    const before = arc.responses.length
    const { id } = arc.state.question ?? {}
    arc.say('print(1)')
    expect(arc.phrases).toContain('program-unavailable')
    expect(arc.state.question).toMatchObject({ kind: 'quiz' })
    expect(arc.state.question?.id).not.toBe(id)
    expect(arc.arc.question?.format).not.toBe('program')
    expect(arc.responses.length).toBe(before)
    arc.say(arc.answerText())
    expect(arc.responses.length).toBe(before + 1)
    expect(arc.phrases).toContain('cycle-passed')
  })

  it('is replaced as well where the step has no answer', () => {
    const arc = asked()
    arc.arc.tutor = 'anthropic'
    arc.say('print(1)')
    const [step] = wantedSteps(arc.arc)
    arc.decide({
      type: 'no-answer',
      key: step?.key ?? '',
      fault: 'unavailable',
      reason: 'lost',
      retryAfterMs: null,
    })
    expect(arc.phrases).toContain('program-unavailable')
    expect(arc.state.blocked).toBeNull()
    arc.answerSteps()
    expect(arc.arc.question?.format).not.toBe('program')
  })
})
