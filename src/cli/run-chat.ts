import { createArcClient } from '../client/arc-client.ts'
import { createCall, patiently } from '../client/call.ts'
import { isPassing, isProblem } from '../client/problem.ts'
import { ConfigError, loadEnvFile, readConfig } from '../config.ts'
import { wayBack } from './arc-text.ts'
import { chat, type Outcome } from './chat.ts'
import { chooseArc, type Wish } from './choose-arc.ts'
import { NoMeno, type ReachedMeno, reachMeno } from './meno-process.ts'
import { createPipedScreen } from './piped-screen.ts'
import type { Screen } from './screen.ts'
import { createTerminalScreen } from './terminal-screen.ts'
import { harmless } from './terminal-text.ts'

const OVERDUE_MS = 1_500
const PATIENCE_MS = 60_000
const ONE_TRY_MS = 20_000

/** Runs a chat from the start of Meno, if need be, to its stop. Resolves with the exit code and never throws. */
export async function runChat(wish: Wish): Promise<Outcome> {
  const leaving = new AbortController()
  const leave = () => {
    // Asked twice: Meno ends by itself when its parent is gone.
    if (leaving.signal.aborted) process.exit(130)
    leaving.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave)
  const { stdin, stdout, stderr } = process
  stdout.on('error', () => process.exit(0))
  const screen =
    stdin.isTTY && stdout.isTTY
      ? createTerminalScreen(stdin, stdout, leave)
      : createPipedScreen(stdin, stdout, stderr)
  let meno: ReachedMeno | null = null
  try {
    loadEnvFile()
    meno = await reachMeno(
      readConfig(),
      process.env,
      (what) => screen.working(what),
      leaving.signal,
    )
    return await talk(meno, screen, wish, leaving.signal)
  } catch (error) {
    screen.quiet()
    if (leaving.signal.aborted) return 0
    screen.close()
    stderr.write(`${harmless(whyItEnded(error))}\n`)
    return 1
  } finally {
    if (meno?.wasStarted) {
      screen.working('Stopping Meno')
      await meno.stop()
    }
    screen.close()
  }
}

async function talk(
  meno: ReachedMeno,
  screen: Screen,
  wish: Wish,
  leave: AbortSignal,
): Promise<Outcome> {
  let troubleSince: number | null = null
  const call = patiently(createCall(meno.address, ONE_TRY_MS), {
    patienceMs: PATIENCE_MS,
    signal: leave,
    onTrouble: (isInTrouble) => {
      troubleSince = isInTrouble ? (troubleSince ?? Date.now()) : null
      const isOverdue = troubleSince !== null && Date.now() - troubleSince > OVERDUE_MS
      if (isOverdue) screen.working('Meno is not answering; waiting for it')
    },
  })
  const client = createArcClient(meno.address, call)
  const chosen = await chooseArc(client, screen, wish)
  if (chosen === null) {
    screen.print(`Nothing was begun. Come back with: ${wayBack('a topic')}`)
    return 0
  }
  return chat(client, screen, chosen, leave)
}

function whyItEnded(error: unknown): string {
  if (isProblem(error) && isPassing(error)) {
    return `${error.message} Your place is kept; start Meno again with: npm start`
  }
  const isExpected = error instanceof ConfigError || error instanceof NoMeno || isProblem(error)
  return isExpected ? error.message : String((error as Error)?.stack ?? error)
}
