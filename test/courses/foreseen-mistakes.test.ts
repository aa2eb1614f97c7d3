import path from 'node:path'
import { expect, it } from 'vitest'
import { loadCourses } from '../../src/courses/load.ts'
import type { AnswerKey } from '../../src/domain/answers/answer-key.ts'
import { readReply } from '../../src/domain/arc/reply.ts'
import { chooseQuestions } from '../../src/tutor/offline/question-choice.ts'

/** Ways in which people write an answer of that kind. */
function spellings(answer: string, type: AnswerKey['type']): string[] {
  const said = [answer, `I got ${answer}`, `${answer} `]
  if (type === 'choice' || type === 'text' || type === 'code') return [answer]
  said.push(`= ${answer}`, `i think its ${answer}`)
  if (answer.includes('-')) said.push(answer.replaceAll('-', '−'))
  const [, top, bottom] = /^(-?\d+)\/(\d+)$/.exec(answer) ?? []
  if (type === 'number' && top && bottom) said.push(String(Number(top) / Number(bottom)))
  if (type === 'set' && answer.includes(',')) {
    said.push(
      answer.split(/,\s*/).reverse().join(', '),
      answer
        .split(/,\s*/)
        .map((x) => `x = ${x}`)
        .join(' or '),
    )
  }
  return said
}

it('at least 95 of 100 spellings of foreseen mistakes are met by their remedy', async () => {
  const courses = await loadCourses(path.resolve('courses'))
  const missed: string[] = []
  let tried = 0
  for (const unit of courses.flatMap((course) => course.units)) {
    const all = Array.from({ length: unit.questions.length }, () => 'medium' as const)
    for (const question of chooseQuestions(unit, [], all, 0)) {
      const { key, text, options, mistakes, source } = question
      if (!key || key.type === 'program') continue
      for (const mistake of mistakes) {
        for (const said of spellings(mistake.answer, key.type)) {
          tried += 1
          const open = { id: 'q', text, options, key, mistakes }
          const reply = readReply({ text: said, action: null, questionId: 'q', open })
          const isMet =
            reply.kind === 'judged' && reply.verdict === 'wrong' && reply.mistake?.instead
          if (!isMet) missed.push(`${source}: ${said} (${mistake.answer})`)
        }
      }
    }
  }
  const share = 1 - missed.length / tried
  console.log(`${tried} spellings of foreseen mistakes, ${(100 * share).toFixed(1)} % met`)
  expect(tried).toBeGreaterThan(1_152)
  expect(share, missed.slice(0, 40).join('\n')).toBeGreaterThanOrEqual(0.95)
})
