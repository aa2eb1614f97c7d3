/**
 * Steps × faults over the wire, with real waits: every kind of model step of all products meets every fault of a model
 * server, each in an entity of its own in one whole Meno. Then the server is well again, and everything has to go on.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startMenoProcess } from '../../support/meno-process.ts'
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts'
import { answerAllProducts } from '../all-products-model.ts'
import { tryArc } from './arc-trial.ts'
import { allCells, type Cell, CONCEPTS, FAULTS, isOfKind } from './cells.ts'
import { faultsOfHistories, invalidRows } from './record.ts'
import { tryCourse, tryCurriculum, tryPractice } from './session-trials.ts'
import { TOLD_WITHIN_MS, type Trial, type WireWorld } from './trial.ts'

const AT_ONCE = 40
const STAGGER_MS = 200
/** A tool's caller is a program, and waits for its plan at most so long. */
const TOOL_TOLD_WITHIN_MS = 60_000

interface Result {
  cell: Cell
  trial: Trial & { id: string }
}

/**
 * Tries every cell, or those whose name has all the words, and prints the table.
 * @returns how many cells failed
 */
export async function run(words: string[] = []): Promise<number> {
  const startedAt = Date.now()
  const cells = allCells((cell) => words.every((word) => cell.name.includes(word)))
  const model = await startScriptedModel({ concepts: CONCEPTS })
  const course: { cell: Cell | null } = { cell: null }
  script(model, cells, course)
  const meno = await startMenoProcess({
    MENO_DAY_SECONDS: '1',
    MENO_LLM_CONCURRENCY: '100',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  })
  const pool = new pg.Pool({ connectionString: meno.databaseUrl(), max: 6 })
  try {
    const world: WireWorld = { url: meno.url, pool }
    const results = await tryAll(world, cells, course)
    const [invalid, histories] = [
      await invalidRows(world),
      await faultsOfHistories(world, meno.temporalAddress()),
    ]
    for (const { trial } of results) {
      trial.faults.push(...(invalid.get(trial.id) ?? []), ...(histories.faults.get(trial.id) ?? []))
    }
    const seconds = Math.round((Date.now() - startedAt) / 1_000)
    console.log(
      `\n${cells.length} trials in ${seconds} s, ${model.calls.length} calls of the model;`,
      `${histories.workflows} workflows, ${histories.events} events,`,
      `${histories.faults.size} of them with a failed task`,
    )
    const failed = print(results)
    if (failed > 0) console.log(meno.log())
    return failed
  } finally {
    await pool.end()
    await meno.remove()
    await model.close()
  }
}

/** The model's answers where the world has none, and the faults of the cells. */
function script(model: ScriptedModel, cells: Cell[], course: { cell: Cell | null }): void {
  const byMark = new Map(cells.map((cell) => [cell.mark, cell]))
  model.fail((call) => {
    if (isOfKind(call, 'turn') || isOfKind(call, 'drill grade')) {
      return course.cell?.strike(call) ?? null
    }
    const prompt = call.messages.map(({ text }) => text).join('\n')
    const [mark = ''] = /Weaving\d{4}/.exec(prompt) ?? []
    return byMark.get(mark)?.strike(call) ?? null
  })
  answerAllProducts(model)
}

/** The cells of a course one after the other, all others side by side. */
async function tryAll(
  world: WireWorld,
  cells: Cell[],
  course: { cell: Cell | null },
): Promise<Result[]> {
  const results: Result[] = []
  const attempt = async (cell: Cell) => {
    const trial = await tryOne(world, cell).catch((error) => ({
      ...{ toldMs: null, wentOn: 'no' as const, id: '' },
      faults: [String(error)],
    }))
    results.push({ cell, trial })
    console.log(lineOf({ cell, trial }))
  }
  const inCourse = cells.filter(({ product }) => product === 'course')
  const others = cells.filter(({ product }) => product !== 'course')
  const lane = async (_: unknown, place: number) => {
    // What is tried are faults, not the rush of forty beginnings in a Meno that has just started.
    await sleep(place * STAGGER_MS)
    for (let cell = others.shift(); cell; cell = others.shift()) await attempt(cell)
  }
  await Promise.all([
    ...Array.from({ length: AT_ONCE }, lane),
    (async () => {
      for (const cell of inCourse) {
        course.cell = cell
        await attempt(cell)
      }
    })(),
  ])
  return results
}

function tryOne(world: WireWorld, cell: Cell) {
  switch (cell.product) {
    case 'arc':
      return tryArc(world, cell)
    case 'practice':
      return tryPractice(world, cell)
    case 'course':
      return tryCourse(world, cell)
    case 'curriculum':
      return tryCurriculum(world, cell)
  }
}

function isToldInTime({ cell, trial: { toldMs } }: Result): boolean {
  const within = cell.product === 'curriculum' ? TOOL_TOLD_WITHIN_MS : TOLD_WITHIN_MS
  return toldMs !== null && toldMs <= within
}

const hasPassed = (result: Result) =>
  isToldInTime(result) && result.trial.wentOn !== 'no' && result.trial.faults.length === 0

function lineOf(result: Result): string {
  const { cell, trial } = result
  const told = trial.toldMs === null ? 'told nothing' : `told after ${seconds(trial.toldMs)}`
  const state = hasPassed(result) ? 'pass' : 'FAIL'
  const went = trial.wentOn === 'no' ? 'does not go on' : `goes on ${trial.wentOn}`
  return [state, cell.name, `${cell.struck} struck, ${told}, ${went}`, ...trial.faults].join(' | ')
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** Kind × fault: the time until the learner was told, `m` where it went on at the next message. */
function print(results: Result[]): number {
  const rows: Record<string, Record<string, string>> = {}
  const kinds = [...new Set(allCells().map(({ product, kind }) => `${product}: ${kind}`))].sort()
  for (const name of kinds) {
    const of = results.filter(({ cell }) => `${cell.product}: ${cell.kind}` === name)
    if (of.length === 0) continue
    rows[name] = Object.fromEntries(
      FAULTS.map((fault) => {
        const result = of.find(({ cell }) => cell.fault === fault)
        if (!result) return [fault.name, '']
        const { toldMs, wentOn } = result.trial
        const told = toldMs === null ? '-' : seconds(toldMs)
        const how = wentOn === 'at the next message' ? ' m' : ''
        return [fault.name, `${hasPassed(result) ? '' : 'FAIL '}${told}${how}`]
      }),
    )
  }
  console.table(rows)
  const failed = results.filter((result) => !hasPassed(result))
  for (const result of failed) console.log(lineOf(result))
  console.log(`${results.length - failed.length} of ${results.length} passed`)
  return failed.length
}

if (import.meta.main) process.exit((await run(process.argv.slice(2))) === 0 ? 0 : 1)
