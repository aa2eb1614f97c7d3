import type { Browser, BrowserContextOptions, Page, Request } from '@playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type {
  DrillGradeResponse,
  ThreadView,
  TutorMessage,
} from '../../src/contracts/course-tutor.ts'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import {
  answerExam,
  type CourseStudent,
  type PreparedWorld,
  putExam,
  shownConcept,
  startPreparedWorld,
  unlearnCourses,
} from './prepared-world.ts'

vi.setConfig(PATIENCE)

const COURSE = 'algebra-basics'
const UNIT = 'ENTRY-00'
const NUMBERS = 'Numbers, signs and order of operations'

let world: PreparedWorld
let browser: Browser
let student: CourseStudent
let page: Page
let errors: string[]
/** What the page has asked the server to do, oldest first. */
let asked: Request[]

beforeAll(async () => {
  ;[world, browser] = await Promise.all([
    startPreparedWorld({ MENO_DAY_SECONDS: '86400' }),
    sharedChromium(),
  ])
})
beforeEach(async () => {
  await unlearnCourses(world)
  student = await world.tutor()
})
afterEach(async () => {
  await page.context().close()
  expect(errors).toEqual([])
})
afterAll(() => world?.meno.remove())

async function open(
  path = `/tutor/${student.threadId}`,
  options: BrowserContextOptions = {},
  script = '',
): Promise<void> {
  ;({ page, errors } = await openPage(browser, options))
  asked = []
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(request)
  })
  await page.addInitScript(script)
  await page.goto(world.meno.url() + path)
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

/** The bodies of what was sent to an address that ends so. */
const sent = (end: string) =>
  asked.filter((request) => request.url().endsWith(end)).map((request) => request.postDataJSON())
const button = (name: string) => page.getByRole('button', { name, exact: true })
const entries = () => page.getByRole('log').locator('[data-entry]')
const said = async () =>
  (
    await world.call<{ items: TutorMessage[] }>(
      'GET',
      `/api/tutor/threads/${student.threadId}/messages`,
    )
  ).items

/** Waits until the tutor has answered in the page: with one message, or the learner's words too. */
const answered = (before: number) => soon(() => entries().count()).toBeGreaterThan(before)

it('opens a session in a course', async () => {
  await open('/tutor')
  await page.getByRole('button', { name: /Algebra basics/ }).click()
  await button('Start session').click()
  await page.waitForURL('**/tutor/*-*')
  expect(sent('/threads')).toEqual([{ courseId: COURSE }])
  await page.getByRole('heading', { level: 1, name: 'Algebra basics' }).waitFor()
  const threadId = page.url().split('/').at(-1)
  expect(await world.call('GET', `/api/tutor/threads/${threadId}`)).toMatchObject({
    courseId: COURSE,
    title: null,
  })
})

it('leads from a concept to a drill, or to the field for a question', async () => {
  await shownConcept(student)
  await student.turn({ messageText: 'linear equations' })
  await open()
  const info = page.getByTestId('snapshot')
  await soon(() => info.textContent()).toContain(`“${NUMBERS}” comes before`)
  await button('Ask follow-up').click()
  const field = page.getByRole('textbox', { name: 'Message to the tutor' })
  await soon(() => field.and(page.locator(':focus')).count()).toBe(1)
  const drills = await page.getByTestId('drill-card').count()
  await button('Try a Drill').click()
  await soon(() => page.getByTestId('drill-card').count()).toBe(drills + 1)
  expect(sent('/turn')).toEqual([
    { courseId: COURSE, clientEvent: { type: 'REQUEST_DRILL', unitId: UNIT } },
  ])
  expect((await said()).at(-1)?.card).toMatchObject({ type: 'DRILL', unitId: UNIT })
  await soon(() => button('Try a Drill').count()).toBe(0)
  // Where the learner stands is as the turn says.
  await soon(() => info.textContent()).not.toContain('comes before')
})

it('shows who comes back where they stand', async () => {
  await answerExam(world, student, await putExam(student), 'right')
  await answerExam(world, student, await putExam(student), 'wrong')
  await open()
  const info = page.getByTestId('snapshot')
  await soon(() => info.textContent()).toMatch(new RegExp(`${NUMBERS}.*Bronze`))
  await soon(() => info.textContent()).toContain('1 exam question is locked')
  await soon(() => info.textContent()).toContain('Next one opens in 24 hours')
  const counts = info.locator('dd')
  const { snapshotLite } = await world.call<ThreadView>(
    'GET',
    `/api/tutor/threads/${student.threadId}`,
  )
  const { gold, silver, bronze, total } = snapshotLite?.progress ?? {}
  expect(bronze).toBe(1)
  expect(await counts.allTextContents()).toEqual([gold, silver, bronze, total].map(String))
  expect(asked).toEqual([])
})

it('listens, shows the formula it heard, and sends what is confirmed', async () => {
  const words = 'solve two x plus three equals eleven'
  await open(undefined, {}, hearing(words))
  await button('Speak').click()
  const dialog = page.getByRole('dialog', { name: 'Is this what you said?' })
  await dialog.waitFor()
  const formula = dialog.getByRole('textbox', { name: 'Formula (LaTeX)' })
  expect(await formula.inputValue()).toBe('2x + 3 = 11')
  expect(await axeFindings(page)).toEqual([])
  await formula.fill('2x + 3 = 10')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await soon(() => entries().count()).toBe(2)
  await soon(async () => (await said()).length).toBe(2)
  expect(sent('/turn')).toEqual([
    { courseId: COURSE, voiceTranscript: words, messageLatex: '2x + 3 = 10' },
  ])
  expect((await said())[0]).toMatchObject({ role: 'user', text: words, latex: '2x + 3 = 10' })
})

it('offers no voice where the browser cannot listen', async () => {
  await open(undefined, {}, DEAF)
  await button('Send').waitFor()
  expect(await button('Speak').count()).toBe(0)
})

it('grades a drill in its card and goes on from there', async () => {
  const drill = await student.drill()
  if (drill?.type !== 'DRILL') throw new Error('there is no drill')
  await open()
  await page.getByRole('textbox', { name: 'Your answer' }).fill('-987654')
  const graded = page.waitForResponse('**/drill/grade')
  await button('Check Answer').click()
  await page.getByText('Incorrect', { exact: true }).waitFor()
  const verdict = page.getByRole('status').filter({ hasText: 'answer' })
  const { feedbackText } = (await (await graded).json()) as DrillGradeResponse
  const [firstWords = ''] = feedbackText.split('$')
  expect(await verdict.innerText()).toContain(firstWords.trim())
  const { prompt, questionLatex: question_latex, token } = drill
  expect(sent('/drill/grade')).toEqual([
    {
      ...{ courseId: COURSE, unitId: UNIT, studentAnswer: '-987654' },
      drill: { prompt, question_latex, token },
    },
  ])
  await button('Try another').waitFor()
  expect(await axeFindings(page)).toEqual([])
  // The verdict is told once: it is there again after a reload, with what was answered.
  const told = await verdict.innerText()
  expect(told).toContain('-987654')
  await page.reload()
  await soon(() => verdict.innerText()).toBe(told)
  const before = await entries().count()
  await button('Continue').click()
  await answered(before)
  expect(sent('/turn')).toEqual([
    {
      courseId: COURSE,
      clientEvent: { type: 'DRILL_CONTINUE', unitId: UNIT, lastResult: 'incorrect' },
    },
  ])
})

it('keeps a drill open whose answer nobody could read, with what was typed', async () => {
  await student.drill()
  await open()
  const field = page.getByRole('textbox', { name: 'Your answer' })
  await field.fill('its something around there you know')
  await button('Check Answer').click()
  await page.getByText('nothing was counted', { exact: false }).waitFor()
  expect(await page.getByText('Incorrect', { exact: true }).count()).toBe(0)
  expect(await field.inputValue()).toBe('its something around there you know')
  await field.fill('-987654')
  await button('Check Answer').click()
  await page.getByText('Incorrect', { exact: true }).waitFor()
  expect(await field.count()).toBe(0)
})

it('repeats a turn whose answer was lost under its key, and says that one is stuck', async () => {
  await student.drill()
  await open(undefined, { serviceWorkers: 'block' })
  await button('I’m stuck').waitFor()
  const before = (await said()).length
  const detail = 'The tutor cannot answer at the moment.'
  await page.route('**/turn', async (route) => {
    await route.fetch()
    const body = JSON.stringify({ type: 'about:blank', title: 'Unavailable', status: 503, detail })
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body })
  })
  await button('I’m stuck').click()
  await page.getByText(detail).waitFor()
  await page.unroute('**/turn')
  const shown = await entries().count()
  await button('Try again').click()
  await answered(shown)
  await soon(() => page.getByText(detail).count()).toBe(0)
  const [first, second] = sent('/turn')
  expect(first).toEqual({
    courseId: COURSE,
    clientEvent: { type: 'DRILL_STUCK', unitId: UNIT },
  })
  expect(second).toEqual(first)
  const keys = asked.flatMap((request) => request.headers()['idempotency-key'] ?? [])
  expect(keys).toHaveLength(2)
  expect(keys[1]).toBe(keys[0])
  // It was answered once, with a hint.
  expect((await said()).length).toBe(before + 1)
})

it('locks an exam question that was answered wrongly, and counts down', async () => {
  const exam = await putExam(student)
  await open()
  const option = page.locator(`input[value="${exam.wrong}"]`)
  await option.check()
  await button('Submit').click()
  await page.getByText(/locked for 24h/).waitFor()
  await page.getByText(/Available in (24h 0|23h 59)m/).waitFor()
  expect(await button('Submit').isDisabled()).toBe(true)
  expect(await option.isDisabled()).toBe(true)
  const { questionId } = exam
  expect(sent('/exam/mcq-submit')).toEqual([
    { courseId: COURSE, questionId, selectedOptionId: exam.wrong },
  ])
  await world.meno.rows(
    `update course_snapshots set locks = jsonb_set(locks, array[$1, 'lockedUntil'],
       to_jsonb(to_char(now() at time zone 'UTC' + interval '18 hours 12 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))`,
    [questionId],
  )
  await page.reload()
  await page.getByText(/Available in 18h 1\dm/).waitFor()
  const before = await entries().count()
  await button('Continue').click()
  await answered(before)
  expect(sent('/turn')).toEqual([
    {
      courseId: COURSE,
      clientEvent: { type: 'EXAM_CONTINUE', unitId: UNIT, questionId, result: 'locked' },
    },
  ])
})

it('opens a lock that has run out by itself', async () => {
  const exam = await putExam(student)
  await answerExam(world, student, exam, 'wrong')
  ;({ page, errors } = await openPage(browser))
  await page.clock.install()
  await page.goto(`${world.meno.url()}/tutor/${student.threadId}`)
  await page.getByText(/Available in/).waitFor()
  const option = page.locator(`input[value="${exam.right}"]`)
  expect(await option.isDisabled()).toBe(true)
  await page.clock.fastForward('24:00:01')
  await soon(() => option.isDisabled()).toBe(false)
})

it('shows a memo to who wants it at the price of a lock', async () => {
  const exam = await putExam(student)
  await open()
  await button('View Memo').click()
  await button('Keep trying').click()
  expect(sent('/exam/support-viewed')).toEqual([])
  await button('View Memo').click()
  await button('Lock it and show the memo').click()
  await page.getByText(exam.memo.split('$')[0] ?? '', { exact: false }).waitFor()
  await page.getByText(/Available in (24h 0|23h 59)m/).waitFor()
  expect(await page.locator(`input[value="${exam.right}"]`).isDisabled()).toBe(true)
  expect(await axeFindings(page)).toEqual([])
  expect(sent('/exam/support-viewed')).toEqual([
    { courseId: COURSE, unitId: UNIT, questionId: exam.questionId, supportType: 'memo' },
  ])
})

it('says that an exam question is passed, and has its memo shown without a lock then', async () => {
  const exam = await putExam(student)
  await open()
  await page.locator(`input[value="${exam.right}"]`).check()
  await button('Submit').click()
  await page.getByText('Passed', { exact: true }).waitFor()
  await button('View Memo').click()
  await page.getByText(exam.memo.split('$')[0] ?? '', { exact: false }).waitFor()
  await page.getByText('Passed', { exact: true }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  const [state] = await world.meno.rows(
    'select passed_at is not null as passed, locked_until from exam_states where question_id = $1',
    [exam.questionId],
  )
  expect(state).toEqual({ passed: true, locked_until: null })
})

it.each([
  ['light', 1280],
  ['dark', 390],
] as const)('has no finding against WCAG 2.2 AA in %s, %i wide', async (colorScheme, width) => {
  await shownConcept(student)
  await answerExam(world, student, await putExam(student), 'wrong')
  await open(undefined, { colorScheme, viewport: { width, height: 800 } })
  for (const card of ['concept', 'drill', 'exam']) {
    await page.getByTestId(`${card}-card`).last().waitFor()
  }
  await page.getByText(/Available in/).waitFor()
  await page.locator('.katex').first().waitFor()
  expect(await axeFindings(page)).toEqual([])
  if (width === 1280) return
  await button('Where you stand').click()
  await page.getByRole('dialog').waitFor()
  expect(await axeFindings(page)).toEqual([])
})
