import net, { type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { openDatabase } from '../src/store/database.ts'
import { announceDelta } from '../src/store/spine/events.ts'
import { chromiumLaunchOptions, findChromium } from '../test/support/chromium.ts'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'

const RUNS = 3
const MESSAGES = 1_000
/** A slow phone: 1.6 Mbit/s, 150 ms, a quarter of this machine's speed. */
const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000, offline: false }
const SLOWDOWN = 4
const QUIET_MS = 2_500

/** What an answer is streamed as: of this text, so many pieces a second. */
const ANSWER = Array.from(
  { length: 12 },
  (_, at) =>
    `Step ${at + 1}: take $x^2 + ${at}$ from **both** sides, and look at what is left of them:\n\n$$\n\\frac{x + ${at}}{2} = ${at + 3}\n$$\n\n- the left side is what it was\n- the right side is smaller by $${at}$`,
).join('\n\n')
const PIECE = 12
const PIECE_MS = 25

/**
 * What the page costs: bytes over the wire of a first visit to home and to a topic and of a second visit, how soon a slow
 * phone can use them, how a conversation of 1,000 messages opens, and what an answer that streams in asks of the browser.
 * Medians of three visits. Of the wire it tells what comes until the page shows what it is opened for, formulas set, and
 * what comes in all until the network is quiet: the map beside the conversation, fonts, the service worker and its reads.
 */
export async function run(): Promise<void> {
  const meno = await startMenoProcess()
  const browser = await chromium.launch(chromiumLaunchOptions(await findChromium()))
  try {
    const arcId = await begin(meno)
    const home = { path: '/', seen: '#main a, #main button' }
    const topic = {
      path: `/arcs/${arcId}`,
      seen: '[data-testid="question"]:not(:has([class*="waiting"]))',
    }
    console.log('\nThe page, kB over the wire      in use   in all   goal')
    for (const [name, visits, goal] of [
      ['home, first visit', [home], 230],
      ['topic, first visit', [topic], 330],
      ['topic, after home', [home, topic], 330],
      ['home, second visit', [home, home], 30],
      ['topic, second visit', [topic, topic], 30],
    ] as const) {
      wireRow(name, await counted(browser, meno.url(), visits), goal)
    }
    console.log('\nSlow phone, until it can be used        s   goal')
    slowRow('home', await slow(browser, meno.url(), home))
    slowRow('topic', await slow(browser, meno.url(), topic))
    await fill(meno, arcId)
    const long = await opened(browser, meno.url() + topic.path)
    console.log(`\nA conversation of ${MESSAGES} messages`)
    console.log(`last message there after ${long.firstMs.toFixed(0)} ms (goal 1,000)`)
    console.log(`${long.nodes} DOM nodes, long tasks ${percent(long.longShare)} of the first 3 s`)
    const streamed = await streaming(browser, meno, arcId)
    console.log(`\nAn answer of ${ANSWER.length} characters streams into it`)
    console.log(
      `long tasks ${percent(streamed.longShare)} of the time (goal 5 %), the main thread at work ${percent(streamed.workShare)}`,
    )
  } finally {
    await browser.close()
    await meno.remove()
  }
}

async function begin(meno: MenoProcess): Promise<string> {
  const response = await fetch(`${meno.url()}/api/arcs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ topic: 'Algebra basics', settings: { skipDiagnosis: true } }),
  })
  const { arcId } = (await response.json()) as { arcId: string }
  return arcId
}

async function fill(meno: MenoProcess, arcId: string): Promise<void> {
  await meno.rows(
    `insert into arc_messages (arc_id, id, role, text, phase, created_at)
     select $1::uuid, 'old-' || n, case when n % 3 = 0 then 'learner' else 'tutor' end,
       'Message ' || n || ': *two* sides are equal, $x^2 + ' || n || ' = \\frac{y}{3}$, and so on. '
         || repeat('A sentence that says a little more. ', n % 7), 'TEACHING',
       now() - interval '1 day' + n * interval '1 second'
     from generate_series(1, ${MESSAGES}) as n`,
    [arcId],
  )
}

/** The way of the browser to Meno, which counts what comes back: every byte, headers too, whoever asked for it. */
interface Wire {
  url: string
  bytes: number
  close(): void
}

async function openWire(to: string): Promise<Wire> {
  const { port, hostname } = new URL(to)
  const server = net.createServer((browser) => {
    const meno = net.connect(Number(port), hostname)
    meno.on('data', (chunk) => {
      wire.bytes += chunk.length
    })
    browser.pipe(meno).pipe(browser)
    for (const [one, other] of [[browser, meno] as const, [meno, browser] as const]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const wire: Wire = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: 0,
    close: () => server.close(),
  }
  return wire
}

/** Bytes over the wire of the last of the visits, in a browser that has seen nothing before the first. */
async function counted(
  browser: Browser,
  to: string,
  visits: readonly { path: string; seen: string }[],
): Promise<{ inUse: number; inAll: number }> {
  const all: { inUse: number; inAll: number }[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const [context, wire] = await Promise.all([
      browser.newContext({ viewport: { width: 1280, height: 800 } }),
      openWire(to),
    ])
    let before = 0
    let inUse = 0
    for (const { path, seen } of visits) {
      before = wire.bytes
      const page = await context.newPage()
      await page.goto(wire.url + path)
      await page.locator(seen).first().waitFor()
      inUse = wire.bytes - before
      await page.waitForTimeout(QUIET_MS)
      await page.close()
    }
    all.push({ inUse, inAll: wire.bytes - before })
    await context.close()
    wire.close()
  }
  return {
    inUse: median(all.map(({ inUse }) => inUse)),
    inAll: median(all.map(({ inAll }) => inAll)),
  }
}

/** Seconds until the page shows what it is opened for, on a slow phone that has not seen it before. */
async function slow(
  browser: Browser,
  to: string,
  { path, seen }: { path: string; seen: string },
): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    const begun = performance.now()
    await page.goto(to + path, { waitUntil: 'commit' })
    await page.locator(seen).first().waitFor()
    times.push((performance.now() - begun) / 1_000)
    await context.close()
  }
  return median(times)
}

async function opened(browser: Browser, url: string) {
  const runs: { firstMs: number; nodes: number; longShare: number }[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    await countLongTasks(page)
    const begun = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await page.getByText(`Message ${MESSAGES}:`).waitFor()
    const firstMs = performance.now() - begun
    await page.waitForTimeout(Math.max(0, 3_000 - firstMs))
    const nodes = await page.evaluate<number>('document.querySelectorAll("*").length')
    const longMs = await page.evaluate<number>('globalThis.longMs')
    runs.push({ firstMs, nodes, longShare: longMs / 3_000 })
    await context.close()
  }
  return {
    firstMs: median(runs.map(({ firstMs }) => firstMs)),
    nodes: median(runs.map(({ nodes }) => nodes)),
    longShare: median(runs.map(({ longShare }) => longShare)),
  }
}

/** Adds the length of every task above 50 ms up in `longMs` of the page's window. */
const countLongTasks = (page: Page) =>
  page.addInitScript(`
    globalThis.longMs = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.longMs += duration
    }).observe({ type: 'longtask', buffered: true })`)

/** What shares of the time that an answer streams in are long tasks, and the main thread's own work. */
async function streaming(browser: Browser, meno: MenoProcess, arcId: string) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await countLongTasks(page)
  await page.goto(`${meno.url()}/arcs/${arcId}`)
  await page.getByText(`Message ${MESSAGES}:`).waitFor()
  await page.waitForTimeout(QUIET_MS)
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const workMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const runs: { longShare: number; workShare: number }[] = []
  const { db, pool } = openDatabase(meno.databaseUrl(), 1)
  for (let run = 0; run < RUNS; run += 1) {
    const [longBefore, workBefore] = [
      await page.evaluate<number>('globalThis.longMs'),
      await workMs(),
    ]
    const begun = performance.now()
    const turnId = String(1_000 + run)
    for (let offset = 0; offset < ANSWER.length; offset += PIECE) {
      const text = ANSWER.slice(offset, offset + PIECE)
      await announceDelta(db, { stream: arcId, turnId, stepKey: 'bench', attempt: 1, offset, text })
      await sleep(Math.max(0, begun + (offset / PIECE + 1) * PIECE_MS - performance.now()))
    }
    await page.getByTestId('draft').getByText('Step 12:').waitFor()
    const tookMs = performance.now() - begun
    const longMs = (await page.evaluate<number>('globalThis.longMs')) - longBefore
    runs.push({ longShare: longMs / tookMs, workShare: ((await workMs()) - workBefore) / tookMs })
  }
  await pool.end()
  await context.close()
  return {
    longShare: median(runs.map(({ longShare }) => longShare)),
    workShare: median(runs.map(({ workShare }) => workShare)),
  }
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const kilo = (bytes: number) => (bytes / 1_000).toFixed(0)

const wireRow = (name: string, wire: { inUse: number; inAll: number }, goal: number) =>
  console.log(
    `${name.padEnd(29)}${kilo(wire.inUse).padStart(9)}${kilo(wire.inAll).padStart(9)}${String(goal).padStart(7)}`,
  )

const slowRow = (name: string, seconds: number) =>
  console.log(`${name.padEnd(33)}${seconds.toFixed(1).padStart(8)}      3`)
