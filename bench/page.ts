import net, { type AddressInfo } from 'node:net'
import { type Browser, chromium } from '@playwright/test'
import { chromiumLaunchOptions, findChromium } from '../test/support/chromium.ts'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'

const RUNS = 3
const MESSAGES = 1_000
/** A slow phone: 1.6 Mbit/s, 150 ms, a quarter of this machine's speed. */
const SLOW = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000, offline: false }
const SLOWDOWN = 4
const QUIET_MS = 2_500

/**
 * What the page costs: bytes over the wire of a first visit to home and to a topic and of a second visit, how soon a slow
 * phone can use them, and how a conversation of 1,000 messages opens. Medians of three visits; the wire counts everything
 * until the network is quiet, the service worker's own reads included.
 */
export async function run(): Promise<void> {
  const meno = await startMenoProcess()
  const browser = await chromium.launch(chromiumLaunchOptions(await findChromium()))
  try {
    const arcId = await begin(meno)
    const home = { path: '/', seen: '#main a, #main button' }
    const topic = { path: `/arcs/${arcId}`, seen: '[data-testid="question"]' }
    console.log('\nThe page                          wire kB   goal')
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
    console.log(`${long.nodes} DOM nodes, long tasks ${(long.longShare * 100).toFixed(0)} % of 3 s`)
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
): Promise<number> {
  const all: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const [context, wire] = await Promise.all([
      browser.newContext({ viewport: { width: 1280, height: 800 } }),
      openWire(to),
    ])
    let before = 0
    for (const { path, seen } of visits) {
      before = wire.bytes
      const page = await context.newPage()
      await page.goto(wire.url + path)
      await page.locator(seen).first().waitFor()
      await page.waitForTimeout(QUIET_MS)
      await page.close()
    }
    all.push(wire.bytes - before)
    await context.close()
    wire.close()
  }
  return median(all)
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
    await page.addInitScript(`
      globalThis.longMs = 0
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longMs += duration
      }).observe({ type: 'longtask', buffered: true })`)
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

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const kilo = (bytes: number) => (bytes / 1_000).toFixed(0)

const wireRow = (name: string, bytes: number, goal: number) =>
  console.log(`${name.padEnd(33)}${kilo(bytes).padStart(8)}${String(goal).padStart(7)}`)

const slowRow = (name: string, seconds: number) =>
  console.log(`${name.padEnd(33)}${seconds.toFixed(1).padStart(8)}      3`)
