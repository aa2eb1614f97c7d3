import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { axeFindings, openPage, PATIENCE, sharedChromium, soon } from './browser-page.ts'

vi.setConfig(PATIENCE)

let meno: MenoProcess
let browser: Browser
let arcId: string

beforeAll(async () => {
  ;[meno, browser] = await Promise.all([startMenoProcess(), sharedChromium()])
  const body = { topic: 'Algebra basics', settings: { skipDiagnosis: true } }
  const begun = await fetch(`${meno.url()}/api/arcs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  arcId = ((await begun.json()) as { arcId: string }).arcId
})
afterAll(async () => {
  await meno?.remove()
})

interface Marked {
  dataset: { entry: string }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${meno.url()}${path}`, { headers })

async function assets(): Promise<string[]> {
  const page = await (await get('/')).text()
  return [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name = '']) => name)
}

describe('what is delivered', () => {
  it('is compressed when the browser can read that, and kept for ever where the name holds the content', async () => {
    const files = await assets()
    expect(files.length).toBeGreaterThan(2)
    for (const name of files) {
      const answer = await get(name, { 'accept-encoding': 'br' })
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const { byteLength } = await answer.arrayBuffer()
      if (byteLength > 1_000) expect(answer.headers.get('content-encoding')).toBe('br')
    }
    const gone = await get('/assets/of-an-earlier-release.js')
    expect(gone.status).toBe(404)
    expect(gone.headers.get('cache-control') ?? '').not.toContain('immutable')
  })

  it.each(['/', '/arcs/anything', '/service-worker.js', '/manifest.webmanifest'])(
    '%s is asked for again at every visit, and not sent again unchanged',
    async (path) => {
      const first = await get(path)
      expect(first.status).toBe(200)
      expect(first.headers.get('cache-control')).toBe('no-cache')
      const mark = first.headers.get('etag') ?? ''
      expect(mark).not.toBe('')
      expect((await get(path, { 'if-none-match': mark })).status).toBe(304)
    },
  )

  it.each([
    ['/', 'topic'],
    ['/arcs/anything', 'home'],
  ])(
    '%s names the files of its screen along with the page, none of another, and they are what the screen loads',
    async (path, other) => {
      const link = (await get(path)).headers.get('link') ?? ''
      const named = [...link.matchAll(/<([^>]+)>/g)].map(([, name = '']) => name)
      expect(named.length).toBeGreaterThan(2)
      expect(named.filter((name) => name.startsWith(`/assets/${other}-`))).toEqual([])
      const { page } = await openPage(browser)
      const loaded: string[] = []
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
      const unused: string[] = []
      page.on('console', (message) => {
        if (/preload/i.test(message.text())) unused.push(message.text())
      })
      await page.goto(meno.url() + path.replace('anything', arcId))
      await page.locator('#main a, #main button').first().waitFor()
      // The browser complains of what was fetched for nothing some seconds after the page is there.
      await page.waitForTimeout(4_000)
      expect(unused).toEqual([])
      for (const name of named) expect(loaded.filter((one) => one === name)).toEqual([name])
      await page.context().close()
    },
  )

  it('a topic is read, and what sets its formulas fetched, while its code is on the way', async () => {
    const { page, errors } = await openPage(browser)
    const early = [`/api/arcs/${arcId}`, `/api/arcs/${arcId}/messages`, '/assets/formula-']
    const asked = early.map((path) =>
      page.waitForRequest((request) => new URL(request.url()).pathname.startsWith(path)),
    )
    let isHeld = true
    await page.route(/\/assets\/page-.*\.js/, async (route) => {
      await Promise.all(asked)
      isHeld = false
      await route.continue()
    })
    const read: string[] = []
    page.on('request', (request) => {
      if (!isHeld) read.push(new URL(request.url()).pathname)
    })
    await page.goto(`${meno.url()}/arcs/${arcId}`)
    await page.getByTestId('question').locator('.katex').first().waitFor()
    expect(read).not.toContain('/api/learners/me')
    expect(errors).toEqual([])
    await page.context().close()
  })

  it('marks what the API says, for nobody but the reader, and leaves streams alone', async () => {
    const first = await get('/api/courses', { 'accept-encoding': 'gzip' })
    expect(first.headers.get('content-encoding')).toBe('gzip')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const mark = first.headers.get('etag') ?? ''
    const again = await get('/api/courses', { 'if-none-match': mark })
    expect(again.status).toBe(304)
    const stream = await get(`/api/arcs/${arcId}/events`, { 'accept-encoding': 'gzip' })
    expect(stream.headers.get('content-encoding')).toBeNull()
    expect(stream.headers.get('etag')).toBeNull()
    const told = await stream.body?.getReader().read()
    expect(new TextDecoder().decode(told?.value)).toContain('listening')
  })

  it('says what a page may do, and of everything that it is what it says', async () => {
    for (const path of ['/', '/arcs/anything', '/docs']) {
      const { headers } = await get(path)
      expect(headers.get('x-frame-options'), path).toBe('DENY')
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy, path).toContain("default-src 'none'")
      expect(policy.match(/script-src[^;]*/)?.[0], path).toBe("script-src 'self'")
    }
    for (const path of ['/', '/docs', '/healthz', '/api/courses', '/api/nothing', '/favicon.svg']) {
      const { headers } = await get(path)
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    }
  })
})

it('no screen breaks the policy of the page', async () => {
  const { page, errors } = await openPage(browser)
  const broken: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) broken.push(message.text())
  })
  for (const path of ['/', `/arcs/${arcId}`, '/tutor', '/teaching', '/docs']) {
    await page.goto(meno.url() + path)
    await page.waitForLoadState('load')
    await page.waitForTimeout(700)
  }
  expect(broken).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})

it('the API can be tried from its page', async () => {
  const { page, errors } = await openPage(browser)
  await page.goto(`${meno.url()}/docs`)
  expect(await axeFindings(page)).toEqual([])
  const entry = page.locator('#getArc')
  await entry.locator('summary').first().click()
  await entry.getByLabel('arcId').fill(arcId)
  await entry.getByRole('button', { name: 'Send' }).click()
  await soon(() => entry.locator('output').textContent()).toContain(`"arcId": "${arcId}"`)
  expect(errors).toEqual([])
  await page.context().close()
})

describe('a conversation of 1,000 messages', () => {
  beforeAll(async () => {
    await meno.rows(
      `insert into arc_messages (arc_id, id, role, text, phase, created_at)
       select $1::uuid, 'old-' || n, case when n % 2 = 0 then 'learner' else 'tutor' end,
         'Message ' || n || ' of long ago, about $x^2 + ' || n || '$.', 'TEACHING',
         now() - interval '1 day' + n * interval '1 second'
       from generate_series(1, 1000) as n`,
      [arcId],
    )
  })

  const first = (page: Page) => page.getByRole('log').locator('[data-entry]').first()
  const topOf = (page: Page, text: string) =>
    page
      .getByText(text)
      .first()
      .boundingBox()
      .then((box) => box?.y ?? Number.NaN)

  it('shows the last ones, and older ones on the way up without a jump', async () => {
    const { page, errors } = await openPage(browser)
    const read: string[] = []
    page.on('request', (request) => {
      if (/\/messages\?/.test(request.url())) read.push(request.url())
    })
    await page.goto(`${meno.url()}/arcs/${arcId}`)
    await page.getByText('Message 1000 of long ago').waitFor()
    expect(await page.getByRole('log').locator('[data-entry]').count()).toBeLessThan(60)
    await page.waitForTimeout(1_000)
    const known = (await first(page).getAttribute('data-entry')) ?? ''
    const log = page.getByRole('log')
    const scrollTo = (top: number) =>
      log.evaluate((element, top) => Object.assign(element, { scrollTop: top }), top)
    await log.hover()
    await scrollTo(500)
    await page.waitForTimeout(100)
    const text = (await page.locator(`[data-entry="${known}"]`).innerText()).match(/Message \d+ of/)
    const before = await topOf(page, text?.[0] ?? '')
    await soon(() => first(page).getAttribute('data-entry')).not.toBe(known)
    await page.waitForTimeout(500)
    expect(Math.abs((await topOf(page, text?.[0] ?? '')) - before)).toBeLessThan(60)
    const upwards = async () => {
      await scrollTo(300)
      return page.getByText('Message 840 of').count()
    }
    await expect.poll(upwards, { interval: 150, timeout: 120_000 }).toBe(1)
    const ids = await log
      .locator('[data-entry]')
      .evaluateAll((all) => (all as unknown as Marked[]).map(({ dataset }) => dataset.entry))
    const old = ids.map((id) => Number(id?.replace('old-', ''))).filter(Number.isFinite)
    expect(old).toEqual([...old].sort((a, b) => a - b))
    expect(errors).toEqual([])
    await page.context().close()
  })
})
