import type { Browser, Page } from '@playwright/test'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SnapshotLite, TutorCard, TutorMessage } from '../../src/contracts/course-tutor.ts'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { problem, type StubApi, startStubApi } from './stub-api.ts'
import { ARC_ID, arcView } from './stub-world.ts'

vi.setConfig(PATIENCE)

const THREAD = '6a1c6f0e-33c1-4a39-9d54-4a4f0f6d2a77'
const UNIT = 'ENTRY-00'
const HOUR_MS = 3_600_000

const snapshot: SnapshotLite = {
  focus: { unitId: UNIT, title: 'Numbers', masteryTier: 'bronze' },
  prereqNudge: { unitId: 'ENTRY-01', title: 'Counting' },
  revisit: { lockedCount: 2, nextEligibleAt: null, nextQuestionId: null },
  progress: { bronze: 3, silver: 1, gold: 1, total: 16 },
}

const concept: TutorCard = {
  type: 'CONCEPT',
  unitId: UNIT,
  keyIdeas: ['A number on the left is **smaller**.', '$-3 < 1$'],
  workedExample: { problemLatex: '-3 + 5', finalAnswerLatex: '2' },
}
const drill: TutorCard = {
  type: 'DRILL',
  unitId: UNIT,
  prompt: 'Add.',
  questionLatex: '-3 + 5',
  token: 'sealed',
}
const exam: TutorCard = {
  type: 'EXAM',
  unitId: UNIT,
  questionId: 'EX-1',
  tier: 'bronze',
  questionLatex: 'What is $-7 + 3$?',
  options: [
    { id: 'a', text: '$-4$' },
    { id: 'b', text: '$-10$' },
  ],
  status: 'available',
}

let browser: Browser
let stub: StubApi
let page: Page
let errors: string[]
let messages: TutorMessage[]

beforeAll(async () => {
  browser = await sharedChromium()
})
beforeEach(async () => {
  stub = await startStubApi()
  messages = []
})
afterEach(async () => {
  await page.context().close()
  await stub.stop()
  expect(errors).toEqual([])
})

function message(text: string, more: Partial<TutorMessage> = {}): TutorMessage {
  const createdAt = new Date().toISOString()
  const id = crypto.randomUUID()
  return { id, threadId: THREAD, role: 'assistant', text, latex: null, createdAt, ...more }
}

const DEAF = 'window.SpeechRecognition = window.webkitSpeechRecognition = undefined'

/** A browser that hears these words, whatever is said. */
const hearing = (words: string) => `
  window.SpeechRecognition = class {
    start() {
      setTimeout(() => {
        this.onresult({ results: [[{ transcript: ${JSON.stringify(words)} }]] })
        this.onend()
      })
    }
    stop() {}
    abort() {}
  }`

async function openThread(card: TutorCard, options = {}, script = ''): Promise<void> {
  const thread = { threadId: THREAD, courseId: 'algebra-basics', title: 'Before the test' }
  const times = { createdAt: new Date().toISOString(), lastMessageAt: null }
  stub.answers.set('/api/tutor/threads', { items: [{ ...thread, ...times }] })
  stub.answers.set(`/api/tutor/threads/${THREAD}`, { ...thread, ...times, snapshotLite: snapshot })
  messages.push(message('help', { role: 'user' }), message('Look at this.', { card }))
  stub.answers.set(`/api/tutor/threads/${THREAD}/messages`, { items: messages })
  ;({ page, errors } = await openPage(browser, options))
  await page.addInitScript(script)
  await page.goto(`${stub.url}/tutor/${THREAD}`)
  await page.getByTestId(`${card.type.toLowerCase()}-card`).waitFor()
}

/** Answers turns with one message of the tutor, everything else with `verdict`. */
function answerWith(card: TutorCard | undefined, verdict: object = {}): void {
  stub.onPost = ({ path }) =>
    Response.json(
      path.endsWith('/turn')
        ? {
            turnId: 't1',
            messages: [message('Here you are.', card ? { card } : {})],
            snapshotLite: snapshot,
          }
        : { ...verdict, snapshotLite: snapshot },
    )
}

const posted = (end: string) => stub.posted.filter(({ path }) => path.endsWith(end))
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('the course tutor', () => {
  it('opens a session in a course', async () => {
    stub.answers.set('/api/tutor/threads', { items: [] })
    stub.onPost = () => {
      const thread = { threadId: THREAD, courseId: 'algebra-basics', title: null }
      const createdAt = new Date().toISOString()
      stub.answers.set('/api/tutor/threads', {
        items: [{ ...thread, createdAt, lastMessageAt: null }],
      })
      stub.answers.set(`/api/tutor/threads/${THREAD}/messages`, { items: [] })
      stub.answers.set(`/api/tutor/threads/${THREAD}`, { snapshotLite: snapshot })
      return Response.json({ threadId: THREAD }, { status: 201 })
    }
    ;({ page, errors } = await openPage(browser))
    await page.goto(`${stub.url}/tutor`)
    await page.getByRole('button', { name: /Algebra basics/ }).click()
    await button('Start session').click()
    await page.waitForURL(`**/tutor/${THREAD}`)
    expect(stub.posted[0]?.body).toEqual({ courseId: 'algebra-basics' })
    await page.getByRole('heading', { level: 1, name: 'Algebra basics' }).waitFor()
  })

  it('leads from a concept to a drill, or to the field for a question', async () => {
    await openThread(concept)
    answerWith(drill)
    await button('Ask follow-up').click()
    const field = page.getByRole('textbox', { name: 'Message to the tutor' })
    await soon(() => field.and(page.locator(':focus')).count()).toBe(1)
    await button('Try a Drill').click()
    await page.getByTestId('drill-card').waitFor()
    expect(posted('/turn')[0]?.body).toMatchObject({
      clientEvent: { type: 'REQUEST_DRILL', unitId: UNIT },
    })
    await soon(() => button('Try a Drill').count()).toBe(0)
    const info = page.getByTestId('snapshot')
    await soon(() => info.textContent()).toMatch(/Numbers.*Bronze.*“Counting” comes before/)
    await soon(() => info.textContent()).toContain('2 exam questions are locked')
  })

  it('shows who comes back where they stand', async () => {
    await openThread(concept)
    const info = page.getByTestId('snapshot')
    await soon(() => info.textContent()).toMatch(/Numbers.*Bronze.*“Counting” comes before/)
    expect(stub.posted).toEqual([])
  })

  it('listens, shows the formula it heard, and sends what is confirmed', async () => {
    await openThread(concept, {}, hearing('solve two x plus three equals eleven'))
    answerWith(undefined)
    await button('Speak').click()
    const dialog = page.getByRole('dialog', { name: 'Is this what you said?' })
    await dialog.waitFor()
    const formula = dialog.getByRole('textbox', { name: 'Formula (LaTeX)' })
    expect(await formula.inputValue()).toBe('2x + 3 = 11')
    expect(await axeFindings(page)).toEqual([])
    await formula.fill('2x + 3 = 10')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Here you are.').waitFor()
    expect(posted('/turn')[0]?.body).toEqual({
      courseId: 'algebra-basics',
      voiceTranscript: 'solve two x plus three equals eleven',
      messageLatex: '2x + 3 = 10',
    })
  })

  it('offers no voice where the browser cannot listen', async () => {
    await openThread(concept, {}, DEAF)
    await button('Send').waitFor()
    expect(await button('Speak').count()).toBe(0)
  })

  it('grades a drill in its card and goes on from there', async () => {
    await openThread(drill)
    const verdict = { isCorrect: false, feedbackText: 'Count up from −3.', commonMistakeTag: null }
    answerWith(undefined, verdict)
    await page.getByRole('textbox', { name: 'Your answer' }).fill('-8')
    await button('Check Answer').click()
    await page.getByText('Incorrect', { exact: true }).waitFor()
    await page.getByText('Count up from −3.').waitFor()
    expect(posted('/drill/grade')[0]?.body).toEqual({
      courseId: 'algebra-basics',
      unitId: UNIT,
      drill: { prompt: 'Add.', question_latex: '-3 + 5', token: 'sealed' },
      studentAnswer: '-8',
    })
    await button('Try another').waitFor()
    expect(await axeFindings(page)).toEqual([])
    // The verdict is told once: it is there again after a reload, with what was answered.
    const told = await page.getByRole('status').filter({ hasText: 'answer' }).innerText()
    await page.reload()
    await soon(() => page.getByRole('status').filter({ hasText: 'answer' }).innerText()).toBe(told)
    await button('Continue').click()
    await soon(() => posted('/turn')[0]?.body).toMatchObject({
      clientEvent: { type: 'DRILL_CONTINUE', unitId: UNIT, lastResult: 'incorrect' },
    })
  })

  it('repeats a turn that failed under its key, and says that one is stuck', async () => {
    await openThread(drill)
    stub.onPost = () => problem(503, 'Unavailable', 'The tutor cannot answer at the moment.')
    await button('I’m stuck').click()
    await page.getByText('The tutor cannot answer at the moment.').waitFor()
    answerWith(undefined)
    await button('Try again').click()
    await page.getByText('Here you are.').waitFor()
    const [first, second] = posted('/turn')
    expect(first?.body).toMatchObject({ clientEvent: { type: 'DRILL_STUCK', unitId: UNIT } })
    expect(first?.idempotencyKey).toBeTruthy()
    expect(second).toEqual(first)
  })

  it('locks an exam question that was answered wrongly, and counts down', async () => {
    await openThread(exam)
    const lockedUntil = new Date(Date.now() + 18.2 * HOUR_MS).toISOString()
    const verdict = { isCorrect: false, status: 'locked', lockedUntil, masteryTier: 'none' }
    answerWith(undefined, verdict)
    await page.getByRole('radio', { name: /10/ }).check()
    await button('Submit').click()
    await page.getByText(/locked for 24h/).waitFor()
    await page.getByText(/Available in 18h 1\dm/).waitFor()
    expect(await button('Submit').isDisabled()).toBe(true)
    expect(await page.getByRole('radio', { name: /10/ }).isDisabled()).toBe(true)
    expect(posted('/exam/mcq-submit')[0]?.body).toMatchObject({
      questionId: 'EX-1',
      selectedOptionId: 'b',
    })
    await button('Continue').click()
    await soon(() => posted('/turn')[0]?.body).toMatchObject({
      clientEvent: { type: 'EXAM_CONTINUE', questionId: 'EX-1', result: 'locked' },
    })
  })

  it('opens a lock that has run out by itself, and shows a memo', async () => {
    const past = new Date(Date.now() - 1000).toISOString()
    await openThread({ ...exam, status: 'locked', lockedUntil: past })
    const verdict = { supportType: 'memo', text: 'Start at −7.', status: 'passed' }
    answerWith(undefined, verdict)
    await soon(() => page.getByRole('radio', { name: /10/ }).isDisabled()).toBe(false)
    await button('View Memo').click()
    await button('Keep trying').click()
    expect(posted('/exam/support-viewed')).toEqual([])
    await button('View Memo').click()
    await button('Lock it and show the memo').click()
    await page.getByText('Start at −7.').waitFor()
    await page.getByText('Passed', { exact: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(posted('/exam/support-viewed')[0]?.body).toMatchObject({ supportType: 'memo' })
  })

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('has no finding against WCAG 2.2 AA in %s, %i wide', async (colorScheme, width) => {
    const viewport = { width, height: 800 }
    messages = [message('An idea.', { card: concept }), message('A drill.', { card: drill })]
    const lockedUntil = new Date(Date.now() + HOUR_MS).toISOString()
    await openThread({ ...exam, status: 'locked', lockedUntil }, { colorScheme, viewport })
    await page.locator('.katex').first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    if (width === 1280) return
    await button('Where you stand').click()
    await page.getByRole('dialog').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })
})

describe('an arc', () => {
  it('stops what is being written, and has it written again', async () => {
    stub.arc = arcView({ tutor: 'anthropic', phase: 'REVIEWING' })
    stub.say('A first try.', { id: 'm1', nodeId: 'n1', card: { type: 'WRITTEN' } })
    ;({ page, errors } = await openPage(browser))
    await page.goto(`${stub.url}/arcs/${ARC_ID}`)
    await button('Write again').waitFor()
    await soon(() => stub.streams.length).toBeGreaterThan(0)
    stub.delta({ turnId: '4', attempt: 1, offset: 0, text: 'Once upon' })
    await button('Stop writing').click()
    await soon(() => posted('/stop')[0]?.body).toEqual({ turnId: '4' })
    stub.say('Once upon', { id: 'm2', card: { type: 'WRITTEN' } })
    stub.onPost = () => problem(409, 'Conflict', 'Only the last lesson is written again.')
    await button('Write again').click()
    await page.getByText('Only the last lesson is written again.').waitFor()
    expect(posted('/regenerate')[0]?.body).toEqual({ messageId: 'm2' })
    stub.say('A second try.', { replaces: 'm1' })
    await page.getByText('A second try.').waitFor()
    await soon(() => page.getByText('A first try.').count()).toBe(0)
    await button('Earlier version').click()
    await page.getByText('A first try.').waitFor()
  })
})
