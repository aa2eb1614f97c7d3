import { randomUUID } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'

vi.setConfig(PATIENCE)

let meno: MenoProcess
let browser: Browser

beforeAll(async () => {
  ;[meno, browser] = await Promise.all([startMenoProcess(), sharedChromium()])
})

afterAll(async () => {
  await meno?.remove()
})

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(meno.url() + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect([path, response.ok]).toEqual([path, true])
  return (await response.json()) as T
}

const say = (session: string, student: string, message: string) =>
  call('POST', '/webhook/tutor/message', { session_id: session, student_id: student, message })

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' })

it('a lone learner is shown neither desk, until they wish it or there is somebody to teach', async () => {
  const { page, errors } = await openPage(browser)
  await page.goto(meno.url())
  const teaching = navigation(page).getByRole('link', { name: 'Teaching' })
  const wish = page.getByRole('switch', { name: 'Show Teaching and Operating' })
  await wish.waitFor()
  expect(await teaching.count()).toBe(0)
  await page.goto(`${meno.url()}/teaching`)
  await page.getByRole('button', { name: 'New class' }).waitFor()
  await page.goto(meno.url())
  await wish.check()
  await teaching.waitFor()
  await navigation(page).getByRole('link', { name: 'Operating' }).waitFor()
  await page.reload()
  await teaching.waitFor()
  await wish.uncheck()
  await soon(() => teaching.count()).toBe(0)
  expect(errors).toEqual([])
  await page.context().close()
})

it('a teacher makes a class, gives it a set that had to be mended, and sees a pupil’s words as they come', async () => {
  const { page, errors } = await openPage(browser)
  await page.goto(`${meno.url()}/teaching`)
  await page.getByRole('button', { name: 'New class' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name of the class' }).fill('7b')
  const byName = dialog.getByRole('textbox', { name: /has not been here/ })
  for (const name of ['Ada', 'Ben O’Neill']) {
    await byName.fill(name)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  }
  await dialog.getByRole('button', { name: 'Make the class' }).click()
  await page.getByRole('heading', { level: 1, name: '7b' }).waitFor()
  const grid = page.getByRole('table').first()
  await grid.getByRole('rowheader', { name: 'Ada' }).waitFor()
  await soon(() => grid.getByText('Not begun yet').count()).toBe(2)

  await page.goto(`${meno.url()}/teaching/sets/new`)
  await page.getByRole('textbox', { name: 'Title' }).fill('Signs')
  const lines = page.getByRole('textbox', { name: 'Questions, one a line' })
  await lines.fill('What is -3 + 5?;2;Count up.\nWhat is -7 + 3?')
  await page.getByText('Line 2:').waitFor()
  const store = page.getByRole('button', { name: /^Store/ })
  expect(await store.isDisabled()).toBe(true)
  await lines.fill('What is -3 + 5?;2;Count up.\nWhat is -7 + 3?;-4')
  await soon(() => page.getByText('Line 2:').count()).toBe(0)
  await soon(() => page.getByText('a number').count()).toBe(2)
  await store.click()
  await dialog.getByRole('checkbox', { name: 'Ada' }).check()
  await dialog.getByRole('button', { name: 'Give to 1 pupil' }).click()
  await dialog.getByText('Given to 1 pupil.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  await page.getByRole('region', { name: 'Sessions' }).getByRole('link', { name: 'Signs' }).click()
  await page.getByText('Nothing has been said yet.').waitFor()
  const session = (await page.getByText('Session id for the platform').textContent())
    ?.split(': ')
    .at(-1)
  await say(session ?? '', 'Ada', 'is it 2*3*4 -> -2?')
  await page.getByText('is it 2*3*4 -> -2?', { exact: true }).waitFor()
  for (const message of ['-2', 'stuck', 'stuck', 'stuck']) await say(session ?? '', 'Ada', message)
  await soon(() => page.getByRole('listitem').filter({ hasText: 'asked for help' }).count()).toBe(3)
  await call('POST', `/sessions/${session}/complete`)
  await page.getByText('Not finished').waitFor()
  expect(await page.getByText('In hand').count()).toBe(0)

  await page.goto(`${meno.url()}/teaching`)
  await page.getByRole('textbox', { name: 'Note on Ada' }).first().fill('I will sit down with her')
  await page.getByRole('button', { name: 'Acknowledge' }).first().click()
  await page.getByText('1 acknowledged').click()
  await page.getByText('“I will sit down with her”').waitFor()
  await page.getByRole('link', { name: '7b' }).click()
  await page.getByText('The sign is the wrong way round').waitFor()
  expect(errors).toEqual([])

  await page.getByRole('button', { name: 'Change class' }).click()
  await dialog.getByRole('textbox', { name: 'Name of the class' }).fill('8b')
  await dialog.getByRole('checkbox', { name: 'Ben O’Neill' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: '8b' }).waitFor()
  await soon(() => grid.getByRole('rowheader').count()).toBe(1)
  await page.getByRole('button', { name: 'Remove class' }).click()
  await dialog.getByRole('button', { name: 'Remove class' }).click()
  await page.waitForURL('**/teaching')
  await soon(() => page.getByRole('link', { name: '8b' }).count()).toBe(0)
  await page.context().close()
})

it('an operator finds an arc and closes it, with a reason and a confirmation', async () => {
  const { arcId } = await call<{ arcId: string }>('POST', '/api/arcs', {
    topic: 'Algebra basics',
    learnerId: 'Sam',
  })
  const { page, errors } = await openPage(browser)
  await page.goto(`${meno.url()}/operating`)
  await page.getByText('Worker: well').waitFor()
  await page.getByRole('searchbox', { name: 'Find by learner or topic' }).fill('Sam')
  await soon(() => new URL(page.url()).searchParams.get('search')).toBe('Sam')
  const row = page.getByRole('row').filter({ hasText: 'Sam' })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Close for good' }).click()
  const dialog = page.getByRole('dialog')
  const close = dialog.getByRole('button', { name: 'Close for good' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('begun twice')
  expect(await close.isDisabled()).toBe(true)
  await dialog.getByRole('checkbox', { name: 'Close “Algebra basics” of Sam' }).check()
  await close.click()
  await dialog.waitFor({ state: 'detached' })
  const closed = async () =>
    (
      await meno.rows<{ phase: string; abandon_reason: string | null }>(
        'select phase, abandon_reason from arcs where id = $1',
        [arcId],
      )
    )[0]
  await soon(closed).toEqual({ phase: 'ABANDONED', abandon_reason: 'begun twice' })
  await soon(() => row.textContent()).toContain('Closed')
  await page.getByText('Lists in the Temporal UI').click()
  const href = await page.getByRole('link', { name: 'All topics' }).getAttribute('href')
  expect(new URL(href ?? '').searchParams.get('query')).toBe('WorkflowType="learningArc"')
  expect((await fetch(new URL(href ?? '').origin)).ok).toBe(true)
  expect(errors).toEqual([])
  await page.context().close()
})

describe('no screen of the desks has a finding against WCAG 2.2 AA', () => {
  let paths: string[] = []

  beforeAll(async () => {
    const student = 'Robin'
    const { session_id: session } = await call<{ session_id: string }>('POST', '/sessions', {
      student_id: student,
      question_set_id: 'algebra_basics_set_1',
    })
    for (const message of ['-2', 'stuck', 'stuck', 'stuck']) await say(session, student, message)
    await call('POST', '/api/arcs', { topic: 'Algebra basics', learnerId: student })
    const id = randomUUID()
    const put = { title: 'A class', studentIds: [student, 'Never there'] }
    await call('PUT', `/api/teacher/classes/${id}`, put)
    const found = await call<{ items: { id: string }[] }>(
      'GET',
      `/api/teacher/sessions?studentId=${student}`,
    )
    paths = [
      '/teaching',
      `/teaching/classes/${id}`,
      `/teaching/pupils/${student}`,
      `/teaching/sessions/${found.items[0]?.id}`,
      '/teaching/sets/new',
      '/operating',
    ]
  })

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('in %s, %i px wide', async (colorScheme, width) => {
    const { page, errors } = await openPage(browser, {
      colorScheme,
      viewport: { width, height: 844 },
    })
    const findings: Record<string, string[]> = {}
    for (const path of paths) {
      await page.goto(meno.url() + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await soon(() => page.locator('.mantine-Skeleton-root').count()).toBe(0)
      if (path.endsWith('/new')) {
        await page.getByRole('textbox', { name: 'Questions, one a line' }).fill('a;1\nb')
        await page.getByText('Line 2:').waitFor()
      }
      findings[path] = await axeFindings(page)
    }
    await page.goto(`${meno.url()}/teaching`)
    await page.getByRole('button', { name: 'New class' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Robin' }).waitFor()
    findings.dialog = await axeFindings(page)
    expect(findings).toEqual(Object.fromEntries([...paths, 'dialog'].map((path) => [path, []])))
    expect(errors).toEqual([])
    await page.context().close()
  })
})
