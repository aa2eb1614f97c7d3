import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Course, Unit } from '../../../src/contracts/course-pack.ts'
import type { MindStepKind } from '../../../src/domain/arc/steps.ts'
import { createAnthropicMind } from '../../../src/tutor/anthropic/anthropic-mind.ts'
import type { Mind } from '../../../src/tutor/mind.ts'
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { KINDS, listener, runStep, sampleContext, sampleQuestion } from './sample-context.ts'

let model: ScriptedModel
let tutor: Mind

beforeAll(async () => {
  model = await startScriptedModel()
  const models = { tutor: 'claude-opus-5-5', fast: 'claude-haiku-5-5' }
  tutor = createAnthropicMind({ apiKey: 'test', baseUrl: model.url, models })
})
afterAll(() => model.close())

const lastCall = () => {
  const call = model.calls.at(-1)
  if (!call) throw new Error('nothing was called')
  return call
}

/** What each kind of step costs at most, and on which model (the contract’s caps and the seeds’ two tiers). */
const BUDGET: Record<MindStepKind, [tier: 'tutor' | 'fast', maxTokens: number]> = {
  inventory: ['tutor', 8_000],
  graph: ['tutor', 8_000],
  replan: ['tutor', 8_000],
  probe: ['tutor', 2_000],
  lesson: ['tutor', 2_000],
  quiz: ['tutor', 2_000],
  review: ['tutor', 500],
  exercises: ['tutor', 2_000],
  explain: ['tutor', 500],
  grade: ['tutor', 500],
  feedback: ['tutor', 500],
  help: ['tutor', 500],
  summary: ['fast', 500],
  path: ['fast', 500],
  route: ['fast', 200],
}

describe('a step asked of a model', () => {
  it.each(KINDS)('is one streamed call with its own model, cap and schema (%s)', async (kind) => {
    const live = listener()
    const before = model.calls.length
    const result = await runStep(tutor, sampleContext(kind), live)
    expect(model.calls).toHaveLength(before + 1)
    const [tier, maxTokens] = BUDGET[kind]
    const { body, schema } = lastCall()
    expect(body.stream).toBe(true)
    expect(body.model).toBe(tier === 'tutor' ? 'claude-opus-5-5' : 'claude-haiku-5-5')
    expect(body.max_tokens).toBe(maxTokens)
    expect(body.system).toMatchObject([{ type: 'text', cache_control: { type: 'ephemeral' } }])
    expect(schema === null).toBe(kind === 'help')
    expect(live.tokens).toBeGreaterThan(3)
    expect(result.model).toBe(body.model)
    expect(result.inputTokens).toBeGreaterThan(100)
    expect(result.outputTokens).toBeGreaterThan(3)
  })

  it('makes the schema strict', async () => {
    await runStep(tutor, sampleContext('lesson'), listener())
    const { schema, body } = lastCall()
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(schema?.properties).toHaveProperty('check_question')
    expect(JSON.stringify(body.output_config)).not.toContain('minLength":1')
  })

  it('lets a model that always reasons do little of it, and tells another not to', async () => {
    await runStep(tutor, sampleContext('lesson'), listener())
    expect(lastCall().body).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
    })
    await runStep(tutor, sampleContext('route'), listener())
    expect(lastCall().body).toMatchObject({ thinking: { type: 'disabled' } })
    const models = { tutor: 'some-other-model', fast: 'claude-haiku-4-5' }
    const other = createAnthropicMind({ apiKey: 'test', baseUrl: model.url, models })
    for (const kind of ['help', 'route'] as const) {
      await runStep(other, sampleContext(kind), listener())
      expect(lastCall().body).not.toHaveProperty('thinking')
      expect(lastCall().body.output_config ?? {}).not.toHaveProperty('effort')
    }
  })
})

describe('what comes back', () => {
  it('is a lesson whose explanation is shown as it streams in, and nothing else of it', async () => {
    const live = listener()
    const { output } = await runStep(tutor, sampleContext('lesson'), live)
    expect(live.pieces.length).toBeGreaterThan(3)
    expect(live.pieces.join('')).toBe(output.explanation)
    expect(output.explanation).toContain('$$\na + b = b + a\n$$')
    expect(output.questions).toHaveLength(1)
    expect(output.questions[0]).toMatchObject({ concept: 'Halving', key: { type: 'number' } })
  })

  it('is not what the model thinks before it answers, though that shows that it is alive', async () => {
    const quiet = listener()
    const context = sampleContext('help', { questions: [] })
    await runStep(tutor, context, quiet)
    model.script({ kind: 'thinking', text: 'Let me see: the answer is 6.' })
    const live = listener()
    const { output } = await runStep(tutor, context, live)
    expect(live.tokens).toBe(quiet.tokens + 4)
    expect(output.text).not.toContain('Let me see')
    expect(live.pieces.join('')).toBe(output.text)
  })

  it('is help that is shown as it streams in', async () => {
    const live = listener()
    const { output } = await runStep(tutor, sampleContext('help', { questions: [] }), live)
    expect(live.pieces.length).toBeGreaterThan(1)
    expect(live.pieces.join('').trim()).toBe(output.text)
  })

  it('is help beside a question that is shown sentence by sentence, up to what tells the answer', async () => {
    const telling = 'Think of a half. Share it out.\nYou get 6. That is all.'
    model.script({ kind: 'text', text: telling })
    model.script({ kind: 'text', text: 'Share it out between two.' })
    const live = listener()
    const { output } = await runStep(tutor, sampleContext('help'), live)
    expect(live.pieces).toEqual(['Think of a half. ', 'Share it out.\n'])
    expect(lastCall().messages.at(-1)?.text).toContain('answer of the open question')
    expect(output.text).toBe('Share it out between two.')
  })

  it('is shown for lessons and help only', async () => {
    for (const kind of KINDS.filter((kind) => kind !== 'lesson' && kind !== 'help')) {
      const live = listener()
      await runStep(tutor, sampleContext(kind), live)
      expect(live.pieces).toEqual([])
    }
  })

  it('is an inventory without prerequisites, which the model does not know', async () => {
    const { output } = await runStep(tutor, sampleContext('inventory'), listener())
    expect(output.concepts.length).toBeGreaterThanOrEqual(10)
    expect(output.concepts.every(({ prerequisites }) => prerequisites.length === 0)).toBe(true)
  })

  it('is a graph whose concepts are tied to the units of the course that have their names', async () => {
    const unit = { unitId: 'WEA-01', title: ' halving', prerequisites: [] } as unknown as Unit
    const course = { units: [unit] } as unknown as Course
    const { output } = await runStep(tutor, sampleContext('graph', { course }), listener())
    const units = Object.fromEntries(output.nodes.map(({ label, unitId }) => [label, unitId]))
    expect(units).toEqual({ Weaving: null, Halving: 'WEA-01', Doubling: null })
    expect(output.nodes.every(({ effortMinutes }) => effortMinutes > 0)).toBe(true)
    expect(output.root).toBe('Weaving')
  })

  it('is as many quiz questions as were asked for', async () => {
    const input = { nodeId: 'n-2', count: 2, missed: [], easier: false }
    const { output } = await runStep(tutor, sampleContext('quiz', { input }), listener())
    expect(output.questions.map(({ format }) => format)).toEqual([
      'short_answer',
      'multiple_choice',
    ])
    expect(output.questions[1]?.key).toEqual({ type: 'choice', correct: 'b' })
  })

  it('is additions to the map', async () => {
    const { output } = await runStep(tutor, sampleContext('replan'), listener())
    expect(output.nodes).toHaveLength(1)
    expect(output.edges).toContainEqual({ parent: output.nodes[0]?.label, child: 'Halving' })
  })

  it('is feedback on the questions it was given, and on no others', async () => {
    model.script({
      kind: 'json',
      value: {
        error_patterns: [
          {
            pattern_type: 'conceptual',
            description: 'x',
            suggested_remediation: 'y',
            affected_questions: [sampleQuestion.id, 'made-up'],
          },
        ],
        feedback_text: 'Look again.',
        improvement_areas: [],
      },
    })
    const { output } = await runStep(tutor, sampleContext('feedback'), listener())
    expect(output.error_patterns[0]?.affected_questions).toEqual([sampleQuestion.id])
  })

  it('is a grade that says what its quality says', async () => {
    const value = { is_answer: true, quality: 4, is_correct: false, feedback_text: 'Right.' }
    model.script({ kind: 'json', value })
    const { output } = await runStep(tutor, sampleContext('grade'), listener())
    expect(output).toMatchObject({ quality: 4, is_correct: true })
  })
})

describe('a message to a question', () => {
  it('is no answer where the grader says so, and then it has no grade', async () => {
    const value = { is_answer: false, quality: 0, is_correct: false, feedback_text: 'Hello!' }
    model.script({ kind: 'json', value })
    const { output } = await runStep(tutor, sampleContext('grade'), listener())
    expect(output).toMatchObject({ isAnswer: false, quality: null, feedback_text: 'Hello!' })
  })
})

describe('an answer that could be better', () => {
  const few = (count: number) => ({
    concepts: Array.from({ length: count }, (_, i) => ({
      label: `Part ${i}`,
      description: '',
      difficulty: 'beginner',
    })),
  })

  it('is asked for once more with what is wrong with it, and taken as it is then', async () => {
    model.script({ kind: 'json', value: few(4) }, 2)
    const before = model.calls.length
    const { output } = await runStep(tutor, sampleContext('inventory'), listener())
    expect(model.calls).toHaveLength(before + 2)
    expect(lastCall().messages.at(-1)?.text).toContain('4 concepts, at least 10 are needed')
    expect(lastCall().messages.at(-1)?.text).toContain('no concept is intermediate or expert')
    expect(output.concepts).toHaveLength(4)
  })

  it('is better the second time', async () => {
    model.script({ kind: 'json', value: few(16) })
    const { output } = await runStep(tutor, sampleContext('inventory'), listener())
    expect(output.concepts).toHaveLength(12)
  })

  it.each([
    ['what comes then is of no use', { kind: 'text', text: 'no' }],
    ['the server is down then', { kind: 'status', status: 503 }],
  ] as const)('is taken as it is where %s', async (_, fault) => {
    model.script({ kind: 'json', value: few(5) })
    model.script(fault)
    const { output } = await runStep(tutor, sampleContext('inventory'), listener())
    expect(output.concepts).toHaveLength(5)
  })

  it('is a graph that lacks a probed concept', async () => {
    const node = { label: 'Weaving', description: 'x', effort_minutes: 10 }
    model.script({ kind: 'json', value: { root: 'Weaving', nodes: [node], edges: [] } })
    const before = model.calls.length
    const { output } = await runStep(tutor, sampleContext('graph'), listener())
    expect(model.calls).toHaveLength(before + 2)
    expect(lastCall().messages.at(-1)?.text).toContain('probed concepts are missing')
    expect(lastCall().messages.at(-1)?.text).toContain('Halving')
    expect(output.nodes.map(({ label }) => label)).toContain('Halving')
  })
})

describe('a question without hints or solution', () => {
  const bare = (n: number) => ({
    ...{ concept_name: 'Halving', format: 'short_answer', difficulty: 'easy' },
    ...{ question_text: `What is ${n} + 4?`, expected_answer: String(n + 4), scoring_criteria: '' },
  })
  it.each([
    ['lesson', { explanation: 'Halve it.', example: 'Half.', check_question: bare(1) }],
    ['quiz', { questions: [bare(1), bare(2), bare(3)] }],
    ['review', bare(1)],
  ] as const)('is asked for once more, then taken as it is (%s)', async (kind, value) => {
    model.script({ kind: 'json', value }, 2)
    const before = model.calls.length
    const { output } = await runStep(tutor, sampleContext(kind), listener())
    expect(model.calls).toHaveLength(before + 2)
    expect(lastCall().messages.at(-1)?.text).toContain('question 1 lacks hints')
    expect(output.questions[0]).toMatchObject({ hints: [], solution: null })
  })
})

describe('a lesson', () => {
  const long = (paragraphs: number) =>
    Array.from({ length: paragraphs }, () => `${'word '.repeat(49)}end.`).join('\n\n')
  const check_question = {
    ...{ concept_name: 'Halving', format: 'short_answer', difficulty: 'easy' },
    ...{ question_text: 'What is 3 + 4?', expected_answer: '7', scoring_criteria: '' },
    ...{ hints: ['Count on.'], solution: '3 + 4 = 7' },
    mistakes: [{ answer: '12', why: 'That is the product.' }],
  }
  const words = ({ explanation, example }: { explanation: string; example: string | null }) =>
    `${explanation} ${example ?? ''}`.trim().split(/\s+/).length

  it('that is too long before its question is asked for once more', async () => {
    const example = '**Worked example.** Half of 8.\n\n**Answer:** 4'
    const value = { explanation: long(3), example, check_question }
    model.script({ kind: 'json', value })
    model.script({ kind: 'json', value: { ...value, explanation: long(2) } })
    const before = model.calls.length
    const { output } = await runStep(tutor, sampleContext('lesson'), listener())
    expect(model.calls).toHaveLength(before + 2)
    expect(lastCall().messages.at(-1)?.text).toContain('at most 120')
    expect(output).toMatchObject({ explanation: long(2), example })
  })

  it.each([
    ['at the end of a paragraph', { explanation: long(4), example: 'ex '.repeat(30) }, long(2)],
    [
      'at the end of a sentence',
      { explanation: `First one. ${'word '.repeat(400)}.`, example: 'ex '.repeat(300) },
      'First one.',
    ],
  ])('that stays too long is cut %s', async (_, parts, explanation) => {
    model.script({ kind: 'json', value: { ...parts, check_question } }, 2)
    const { output } = await runStep(tutor, sampleContext('lesson'), listener())
    expect(output.explanation).toBe(explanation)
    expect(words(output)).toBeLessThanOrEqual(120)
    expect(output.questions).toHaveLength(1)
  })

  it('without an end to cut it at is cut at a word, and never within a formula that stands alone', async () => {
    const explanation = `Start here.\n\n$$\n${'a + '.repeat(70)}a\n\n= 1\n$$\n\nEnd.`
    model.script({ kind: 'json', value: { explanation, check_question } }, 2)
    const { output } = await runStep(tutor, sampleContext('lesson'), listener())
    expect(output.explanation).toBe('Start here.')
    const endless = { explanation: 'word '.repeat(600), check_question }
    model.script({ kind: 'json', value: endless }, 2)
    const cut = await runStep(tutor, sampleContext('lesson'), listener())
    expect(cut.output.explanation.startsWith('word word')).toBe(true)
    expect(words(cut.output)).toBeLessThanOrEqual(120)
  })
})

describe('what the server may keep in its cache', () => {
  /** All blocks of a call up to the last breakpoint, as they are sent. */
  function prefix() {
    const { system, messages } = lastCall().body as {
      system: object[]
      messages: { content: object[] }[]
    }
    const blocks = [...system, ...(messages[0]?.content ?? [])]
    const breakpoints = blocks.map((block) => 'cache_control' in block)
    return JSON.stringify(blocks.slice(0, breakpoints.lastIndexOf(true) + 1))
  }

  it('is the same, byte for byte, in two steps of an arc', async () => {
    await runStep(tutor, sampleContext('lesson'), listener())
    const lesson = prefix()
    await runStep(tutor, sampleContext('grade', { responses: [], facts: [] }), listener())
    expect(prefix()).toBe(lesson)
    expect(lesson).toContain('concept_map')
    expect(lesson).toContain('course_material')
  })

  it('stays below the four breakpoints that a call may have', async () => {
    await runStep(tutor, sampleContext('quiz'), listener())
    const breakpoints = JSON.stringify(lastCall().body).match(/"cache_control"/g)
    expect(breakpoints).toHaveLength(3)
  })

  it('is counted: what was read from it and what was written to it', async () => {
    model.script({ kind: 'cache', read: 4_000, written: 300 })
    const answer = await runStep(tutor, sampleContext('help'), listener())
    expect(answer).toMatchObject({ cacheReadTokens: 4_000, cacheWriteTokens: 300 })
    expect(answer.inputTokens).toBeGreaterThan(4_300)
  })
})

describe('an answer that cannot be used', () => {
  it.each([
    ['text in place of JSON', { kind: 'text', text: 'Here is your lesson.' }],
    ['half of the JSON', { kind: 'half' }],
    ['an answer cut off by its cap', { kind: 'truncated' }],
    ['a refusal', { kind: 'refusal' }],
    ['JSON of another shape', { kind: 'json', value: { explanation: 'x' } }],
    ['two hundred thousand characters', { kind: 'huge' }],
  ] as const)('is asked for once more, with what is wrong with it: %s', async (_, fault) => {
    model.script(fault)
    const before = model.calls.length
    const { output, inputTokens } = await runStep(tutor, sampleContext('lesson'), listener())
    expect(output.questions).toHaveLength(1)
    const [first, second] = model.calls.slice(before)
    expect(model.calls).toHaveLength(before + 2)
    expect(second?.messages[0]?.text.startsWith(first?.messages[0]?.text ?? '!')).toBe(true)
    expect(second?.messages.at(-1)?.role).toBe('user')
    expect(second?.messages.at(-1)?.text).toContain('cannot be used')
    const length = second?.messages.reduce((sum, { text }) => sum + text.length, 0)
    expect(length).toBeLessThan(20_000)
    expect(inputTokens).toBeGreaterThan(2 * 100)
  })

  it('is help without end, which is never passed on whole', async () => {
    model.script({ kind: 'huge' })
    const { output } = await runStep(tutor, sampleContext('help'), listener())
    expect(output.text).toContain('think of a sum')
    expect(lastCall().messages.at(-1)?.text).toContain('too long')
  })

  it('names the field that breaks the schema', async () => {
    model.script({
      kind: 'json',
      value: { is_answer: true, quality: 9, is_correct: true, feedback_text: 'x' },
    })
    await runStep(tutor, sampleContext('grade'), listener())
    expect(lastCall().messages.at(-1)?.text).toContain('- quality: ')
  })

  it('is given up after the second time', async () => {
    model.script({ kind: 'text', text: 'no' }, 2)
    const before = model.calls.length
    await expect(runStep(tutor, sampleContext('graph'), listener())).rejects.toMatchObject({
      name: 'TutorFailure',
      kind: 'malformed',
    })
    expect(model.calls).toHaveLength(before + 2)
  })

  it('may be a question that nobody can answer', async () => {
    const value = {
      concept_name: 'Halving',
      question_text: 'Which?',
      format: 'multiple_choice',
      options: ['red', 'blue'],
      expected_answer: 'green',
      scoring_criteria: '',
      difficulty: 'easy',
    }
    model.script({ kind: 'json', value })
    await runStep(tutor, sampleContext('review'), listener())
    expect(lastCall().messages.at(-1)?.text).toContain('none of the options')
  })

  it('may be a quiz with too few questions', async () => {
    model.script({ kind: 'json', value: { questions: [] } })
    await runStep(tutor, sampleContext('quiz'), listener())
    expect(lastCall().messages.at(-1)?.text).toContain('questions')
  })

  it.each(['Almost: it is 6.', 'You wrote 5; the answer is six.'])(
    'may be an explanation that gives the answer away: %s',
    async (feedback_text) => {
      model.script({ kind: 'json', value: { feedback_text } })
      const { output } = await runStep(tutor, sampleContext('explain'), listener())
      expect(lastCall().messages.at(-1)?.text).toContain('gives the answer away')
      expect(output).toEqual({ feedback_text: expect.stringContaining('Count on') })
    },
  )

  it('is not shown twice: the second asking stays unseen once something was seen', async () => {
    model.script({ kind: 'half' })
    const live = listener()
    const { output } = await runStep(tutor, sampleContext('lesson'), live)
    expect(live.pieces.length).toBeGreaterThan(0)
    expect(output.explanation.startsWith(live.pieces.join(''))).toBe(true)
    model.script({ kind: 'text', text: 'no' })
    const unseen = listener()
    const again = await runStep(tutor, sampleContext('lesson'), unseen)
    expect(unseen.pieces.join('')).toBe(again.output.explanation)
  })

  it.each([
    ['a label of 201 characters', { label: 'x'.repeat(201) }, 'longer than 200'],
    ['a description of 2,001 characters', { description: 'x'.repeat(2_001) }, 'longer than 2000'],
    ['an effort of 10,001 minutes', { effort_minutes: 10_001 }, 'from 1 to 10000'],
    ['an effort of half a minute', { effort_minutes: 0.5 }, 'from 1 to 10000'],
  ])('may be %s, which could not be stored', async (_, changes, said) => {
    const node = { label: 'Knots', description: 'Ties.', effort_minutes: 10, ...changes }
    const { effort_minutes: __, ...concept } = { ...node, difficulty: 'beginner' }
    const answers = {
      graph: { root: node.label, nodes: [node], edges: [] },
      replan: { new_nodes: [node], new_edges: [], explanation: 'x' },
      inventory: { concepts: [concept] },
    }
    const kinds = 'effort_minutes' in changes ? (['graph', 'replan'] as const) : KINDS_OF_CONCEPTS
    for (const kind of kinds) {
      model.script({ kind: 'json', value: answers[kind] })
      await runStep(tutor, sampleContext(kind), listener())
      expect(lastCall().messages.at(-1)?.text).toContain(said)
    }
  })
})

const KINDS_OF_CONCEPTS = ['graph', 'replan', 'inventory'] as const

describe('NUL or half a surrogate in a model’s text', () => {
  it('is taken out where the text is read, so that it can be stored', async () => {
    const said = 'a\0b\ud83d c\ud83c\udfaf'
    const value = { learning_path: [said], next_topic: said, path_reasoning: said }
    model.script({ kind: 'json', value })
    const { output } = await runStep(tutor, sampleContext('path'), listener())
    const kept = 'ab\ufffd c\ud83c\udfaf'
    expect(output).toEqual({ learning_path: [kept], next_topic: kept, path_reasoning: kept })
    model.script({ kind: 'text', text: 'a\0b' })
    const help = await runStep(tutor, sampleContext('help'), listener())
    expect(help.output.text).toBe('ab')
  })
})
