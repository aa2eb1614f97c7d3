import { spawn } from 'node:child_process'
import { findOnPath } from './run-command.ts'

/**
 * Opens the page in the person's browser, if there is a person: never under `CI` or `BROWSER=none`,
 * and on Linux only with a display. Never throws; returns whether it tried.
 */
export function openBrowser(url: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const hasDisplay = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  const isRefused = Boolean(env.CI && env.CI !== 'false') || env.BROWSER === 'none'
  const opener = findOnPath(process.platform === 'darwin' ? 'open' : 'xdg-open', env.PATH)
  if (isRefused || !hasDisplay || !opener) return false
  const child = spawn(opener, [url], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
  return true
}
