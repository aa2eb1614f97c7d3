import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'
import { problem, type StubApi, startStubApi } from './stub-api.ts'
import { ARC_ID, arcView, asked, probe, reviewQuestion, shortQuestion } from './stub-world.ts'

vi.setConfig(PATIENCE)

let browser: Browser
let stub: StubApi
let page: Page
let errors: string[]

beforeAll(async () => {
  browser = await sharedChromium()
})
beforeEach(async () => {
  stub = await startStubApi()
})
afterEach(async () => {
  await page.context().close()
  await stub.stop()
  expect(errors).toEqual([])
})

async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  ;({ page, errors } = await openPage(browser, {
    // It reads for itself, once; here it is counted what the page reads.
    serviceWorkers: 'block',
    ...options,
  }))
  await page.goto(stub.url + path)
}

/** Opens the arc with a question waiting, and the stream established. */
async function openArc(question = probe): Promise<void> {
  stub.arc = arcView({ pendingQuestion: question })
  stub.messages = []
  stub.say('Welcome! First a few questions.')
  stub.say(question.text, asked(question))
  await open(`/arcs/${ARC_ID}`)
  await page.getByTestId('question').waitFor()
  await soon(() => stub.streams.length).toBeGreaterThan(0)
}

const log = () => page.getByRole('log')
const answerField = () => page.getByRole('textbox', { name: 'Your answer' })
const messagesPosted = () => stub.posted.filter(({ path }) => path.endsWith('/messages'))

/** The learner's message comes back as the server stored it. */
function echo(body: Record<string, unknown>): void {
  stub.say(String(body.text), {
    id: String(body.messageId),
    role: 'learner',
    ...(body.questionId ? { questionId: String(body.questionId) } : {}),
  })
}

describe('the first screen', () => {
  it('starts an arc from a course, once however often it is clicked', async () => {
    stub.onPost = ({ path }) =>
      path === '/api/arcs' ? Response.json({ arcId: ARC_ID }, { status: 201 }) : undefined
    await open('/')
    await page.getByRole('heading', { name: 'What would you like to learn?' }).waitFor()
    await page.getByRole('button', { name: /^Algebra basics/ }).click()
    await page.getByRole('textbox', { name: 'Goal (optional)' }).fill('the test in June')
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('switch', { name: 'Skip the level check' }).check()
    await page.getByRole('button', { name: 'Start learning' }).click()
    await page.waitForURL(`**/arcs/${ARC_ID}`)
    expect(stub.posted[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
    expect(stub.posted.map(({ body }) => body)).toEqual([
      {
        topic: 'Algebra basics',
        goal: 'the test in June',
        courseId: 'algebra-basics',
        settings: { level: 'unknown', skipDiagnosis: true },
      },
    ])
    await page.getByRole('heading', { level: 1, name: 'Algebra basics' }).waitFor()
    await page.getByText('Offline tutor: teaches from a course pack').waitFor()
  })

  it('shows why a topic cannot be started, and the courses there are', async () => {
    const detail = 'No installed course covers “weaving”.'
    stub.onPost = () => problem(422, 'The request is not valid', detail)
    await open('/')
    await page.getByRole('textbox', { name: 'Topic' }).fill('weaving')
    await page.keyboard.press('Enter')
    await soon(() => page.getByRole('alert').textContent()).toContain(detail)
    await page.getByRole('button', { name: /^Algebra basics/ }).click()
    await soon(() => page.getByRole('alert').count()).toBe(0)
  })

  it('puts an arc with a due review first', async () => {
    const due = arcView({
      topic: 'Poetry',
      nextReviewAt: new Date(Date.now() - 1000).toISOString(),
    })
    stub.arcs = [arcView({ arcId: crypto.randomUUID() }), { ...due, phase: 'REVIEWING' }]
    await open('/')
    const cards = page.getByRole('article')
    await cards.nth(1).waitFor()
    await soon(() => cards.first().textContent()).toContain('Review due now')
  })

  it('says so when an arc does not exist', async () => {
    await open(`/arcs/${crypto.randomUUID()}`)
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  })
})

describe('a question', () => {
  it('is answered with the mouse, and the next one takes its place', async () => {
    await openArc()
    const radio = page.getByRole('radio', { name: /14/ })
    // The styles of the kit that a part of a part needs are there too: the words stand beside the button.
    const [button, words] = [
      await radio.boundingBox(),
      await page
        .locator('label', { has: page.locator('.katex') })
        .nth(1)
        .boundingBox(),
    ]
    expect(Math.abs((button?.y ?? 0) - (words?.y ?? Number.NaN))).toBeLessThan(20)
    await radio.check()
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await soon(() => messagesPosted().length).toBe(1)
    const { body } = messagesPosted()[0] ?? { body: {} }
    expect(body).toMatchObject({ text: 'b', questionId: probe.id })
    await log().locator('[data-from="learner"]').waitFor()

    stub.arc = arcView({ pendingQuestion: shortQuestion })
    echo(body)
    stub.say('Right.')
    stub.say(shortQuestion.text, asked(shortQuestion))
    stub.emit('question', shortQuestion)
    await page.getByTestId('question').getByText('Quiz question').waitFor()
    await log().getByText('Right.').waitFor()
    await soon(() => log().locator('[data-from="learner"]').count()).toBe(1)
    await soon(() => log().getByText('Your answer').count()).toBe(1)
  })

  it('is answered by keyboard alone', async () => {
    await openArc()
    await page.keyboard.press('2')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await soon(() => messagesPosted()[0]?.body).toMatchObject({ text: 'c' })
  })

  it('takes a short answer with Enter, a new line with Shift and Enter', async () => {
    await openArc(shortQuestion)
    await soon(() => answerField().and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.type('x = 2')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('I think')
    expect(messagesPosted()).toEqual([])
    await page.keyboard.press('Enter')
    await soon(() => messagesPosted()[0]?.body).toMatchObject({
      text: 'x = 2\nI think',
      questionId: shortQuestion.id,
    })
    await page.keyboard.press('Escape')
    await soon(() => log().and(page.locator(':focus')).count()).toBe(1)
  })

  it.each([
    ['I don’t know', { action: 'dont_know' }],
    ['Show me', { action: 'show' }],
    ['Skip', { action: 'skip' }],
    ['Hint (2 left)', { action: 'hint' }],
  ])('can be met with “%s”', async (name, expected) => {
    await openArc(shortQuestion)
    await page.getByTestId('question').getByRole('button', { name, exact: true }).click()
    await soon(() => messagesPosted()[0]?.body).toMatchObject(expected)
  })

  it('is not repeated: an answer the server refuses waits for a word of the learner', async () => {
    await openArc(shortQuestion)
    stub.onPost = () => problem(409, 'Not now', 'This topic is closed.')
    await answerField().fill('2')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Not sent. This topic is closed.').waitFor()
    await page.reload()
    await page.getByRole('alert').getByText('Not sent. This topic is closed.').waitFor()
    expect(messagesPosted()).toHaveLength(1)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.reload()
    await page.getByTestId('question').waitFor()
    await soon(() => log().locator('[data-from="learner"]').count()).toBe(0)
  })

  it('shows the learner’s words as they were typed', async () => {
    await openArc(shortQuestion)
    await answerField().fill('2*3*4 is __init__, or $x^2$')
    await page.keyboard.press('Enter')
    const said = log().locator('[data-from="learner"]')
    await said.locator('.katex').waitFor()
    await soon(() => said.innerText()).toContain('2*3*4 is __init__, or')
  })

  it('keeps what was begun over a reload, a choice as well as words', async () => {
    await openArc(shortQuestion)
    await answerField().fill('x = 2, because')
    await page.reload()
    await soon(() => answerField().inputValue()).toBe('x = 2, because')
    await page.goto(`${stub.url}/`)
    await page.goto(`${stub.url}/arcs/${ARC_ID}`)
    await soon(() => answerField().inputValue()).toBe('x = 2, because')
    await answerField().fill('')
    stub.arc = arcView({ pendingQuestion: probe })
    await page.reload()
    await page.getByRole('radio', { name: /14/ }).check()
    await page.reload()
    await soon(() => page.getByRole('radio', { name: /14/ }).isChecked()).toBe(true)
  })

  it('lets a quiz grade be contested until something else is said', async () => {
    stub.arc = arcView({ phase: 'QUIZZING' })
    await openArc(shortQuestion)
    stub.arc = arcView({ phase: 'QUIZZING', pendingQuestion: reviewQuestion })
    const said = { role: 'learner', questionId: shortQuestion.id } as const
    stub.say('3', said)
    stub.say('Not right.', { card: { type: 'CONTESTABLE' } })
    stub.emit('question', reviewQuestion)
    await page.getByRole('button', { name: 'Contest this grade' }).click()
    await soon(() => messagesPosted()[0]?.body).toMatchObject({ action: 'contest' })
    await soon(() => page.getByRole('button', { name: 'Contest this grade' }).count()).toBe(0)
    // There is nothing to contest in what was right.
    stub.say('2', said)
    stub.say('**Right.**')
    await page.getByText('Right.', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Contest this grade' }).count()).toBe(0)
  })

  it('keeps an answer that cannot be sent, and sends it again under the same id', async () => {
    await openArc(shortQuestion)
    stub.onPost = () => problem(429, 'Too many requests', 'Please wait a moment.')
    await answerField().fill('2')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Please wait a moment.').waitFor()
    stub.onPost = () => undefined
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByTestId('state').getByText('Sent').waitFor()
    const bodies = messagesPosted().map(({ body }) => JSON.stringify(body))
    expect(bodies.length).toBeGreaterThan(1)
    expect(new Set(bodies).size).toBe(1)
  })
})

describe('the stream', () => {
  it('shows text while it is written, and the stored message in its place', async () => {
    await openArc(shortQuestion)
    const delta = { turnId: '7', attempt: 1 }
    stub.delta({ ...delta, offset: 0, text: 'A first attempt' })
    await log().getByTestId('draft').getByText('A first attempt').waitFor()
    stub.delta({ turnId: '7', attempt: 2, offset: 0, text: 'An **equation** such as ' })
    stub.delta({ turnId: '7', attempt: 2, offset: 24, text: '$x + 3 = 5$ says' })
    const draft = log().getByTestId('draft')
    await draft.locator('.katex').waitFor()
    expect(await draft.locator('strong').textContent()).toBe('equation')
    await soon(() => log().getByText('A first attempt').count()).toBe(0)
    stub.say('An **equation** such as $x + 3 = 5$ says that both sides are equal.')
    await log().getByText('both sides are equal').waitFor()
    await soon(() => draft.count()).toBe(0)
    await soon(() => log().getByText('equation', { exact: true }).count()).toBe(1)
  })

  it('goes on after a cut where it was, losing and repeating nothing', async () => {
    await openArc(shortQuestion)
    for (const text of ['one', 'two', 'three']) stub.say(`Sentence ${text}.`)
    await log().getByText('Sentence three.').waitFor()
    const last = String(stub.messages.length)
    stub.cut()
    for (const text of ['four', 'five']) stub.say(`Sentence ${text}.`)
    await soon(() => stub.streams.at(-1)).toBe(last)
    await log().getByText('Sentence five.').waitFor()
    const sentences = (await log().textContent())?.match(/Sentence \w+/g)
    expect(sentences).toEqual(['one', 'two', 'three', 'four', 'five'].map((n) => `Sentence ${n}`))
  })

  it('shows a whole turn from what it is told, reading nothing again', async () => {
    await openArc(shortQuestion)
    // What happened between the first reading and the stream's opening is in no event: all is read twice at first;
    // proposals, which are made at night, once.
    await soon(() => stub.reads.length).toBe(7)
    stub.reads.length = 0
    await answerField().fill('2')
    await page.keyboard.press('Enter')
    await soon(() => messagesPosted().length).toBe(1)
    echo(messagesPosted()[0]?.body ?? {})
    stub.say('Right.')
    stub.emit('node', { ...stub.mindMap.nodes[2], masteryStatus: 'mastered', masteryScore: 1 })
    stub.emit('phase', { phase: 'REVIEWING', subPhase: null })
    stub.say(reviewQuestion.text, asked(reviewQuestion))
    stub.emit('question', { ...reviewQuestion, nodeId: 'n2' })
    await page.getByTestId('question').getByText('Review question').waitFor()
    await log().getByText('Right.').waitFor()
    const progress = page.getByRole('region', { name: 'Progress' })
    await soon(() => progress.textContent()).toMatch(/3 learned.*2 in memory.*2 mastered.*of 5/)
    const map = page.getByRole('region', { name: 'Mind map' })
    await map.getByText('List', { exact: true }).click()
    await map.getByRole('button', { name: /^Like terms.*Mastered/ }).waitFor()
    await page.waitForTimeout(500)
    expect(stub.reads).toEqual([])
  })

  it('reads everything again when it is told to', async () => {
    await openArc(shortQuestion)
    stub.arc = arcView({ pendingQuestion: null, phase: 'COMPLETED', topic: 'Algebra, done' })
    stub.emit('reset', {})
    await page.getByRole('heading', { level: 1, name: 'Algebra, done' }).waitFor()
    await page.getByText('You have mastered this topic.').waitFor()
    await soon(() => page.getByTestId('question').count()).toBe(0)
  })
})

describe('what stands in between', () => {
  it('offers a review that is due and opens it', async () => {
    const nextReviewAt = new Date(Date.now() - 60_000).toISOString()
    stub.arc = arcView({
      phase: 'REVIEWING',
      nextReviewAt,
      mastery: { mastered: 1, total: 5, pct: 20 },
    })
    await open(`/arcs/${ARC_ID}`)
    await soon(() => stub.streams.length).toBeGreaterThan(0)
    await page.getByText('Review due now').waitFor()
    await page.getByRole('button', { name: 'Review now' }).click()
    await soon(() => stub.posted.map(({ path }) => path)).toEqual([
      `/api/arcs/${ARC_ID}/reviews/start`,
    ])
    stub.arc = { ...stub.arc, pendingQuestion: reviewQuestion }
    stub.emit('review', { nodeIds: ['n2'] })
    stub.emit('question', reviewQuestion)
    await page.getByTestId('question').getByText('Review question').waitFor()
    await page.getByText('A review is open').waitFor()
  })

  it('says why it is blocked and tries again when asked', async () => {
    const since = new Date().toISOString()
    const retryAt = new Date(Date.now() + 240_000).toISOString()
    stub.arc = arcView({ blocked: { reason: 'The model is not answering.', since, retryAt } })
    await open(`/arcs/${ARC_ID}`)
    const notice = page.getByTestId('blocked')
    await notice.getByText('The model is not answering.').waitFor()
    await notice.getByText(/Next try: in 4 minutes/).waitFor()
    await notice.getByRole('button', { name: 'Try now' }).click()
    await soon(() => stub.posted.map(({ path }) => path)).toEqual([`/api/arcs/${ARC_ID}/resume`])
  })

  it('opens a menu by keyboard when it is first asked for, and gives the focus back', async () => {
    await openArc()
    const button = page.getByRole('button', { name: 'More about this topic' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('menuitem').count()).toBe(0)
    const focused = () => page.locator(':focus').getAttribute('aria-label')
    await soon(focused).toBe('More about this topic')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Keyboard' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('dialog').count()).toBe(0)
  })

  it('closes an arc only once the word is typed', async () => {
    await openArc()
    await page.getByRole('button', { name: 'More about this topic' }).click()
    await page.getByRole('menuitem', { name: 'Close this topic' }).click()
    const dialog = page.getByRole('dialog')
    const close = dialog.getByRole('button', { name: 'Close for good' })
    expect(await close.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: /Reason/ }).fill('too easy')
    await dialog.getByRole('textbox', { name: /Type/ }).fill('close')
    await close.click()
    await soon(() => stub.posted.at(-1)).toMatchObject({
      path: `/api/arcs/${ARC_ID}/abandon`,
      body: { reason: 'too easy' },
    })
  })

  it('shows the same concepts as a map and as a list, and a card for each', async () => {
    await openArc()
    const map = page.getByRole('region', { name: 'Mind map' })
    await map.getByRole('button', { name: /^Like terms.*Learning.*40%/ }).waitFor()
    await map.getByText('List', { exact: true }).click()
    const rows = map.getByRole('listitem')
    await soon(() => rows.count()).toBe(5)
    await soon(() => rows.last().textContent()).toContain('after Inverse operations, Brackets')
    await map.getByRole('button', { name: /^Inverse operations/ }).click()
    const card = page.getByRole('dialog')
    await card.getByText('In review', { exact: true }).waitFor()
    await card.getByText(/tomorrow|in 24 hours/).waitFor()
    await card.getByRole('button', { name: 'Linear equations: Not started' }).click()
    await page
      .getByRole('dialog', { name: 'Linear equations' })
      .getByText(/inferred/)
      .waitFor()
  })
})
