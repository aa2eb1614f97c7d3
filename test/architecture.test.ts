import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

/** Which folders of ours a folder may import. What is not named here may import everything: it wires the rest. */
const MAY_IMPORT: Record<string, string[]> = {
  domain: [],
  contracts: ['domain'],
  client: ['domain', 'contracts'],
  markup: ['domain', 'contracts'],
  cli: ['domain', 'contracts', 'client', 'dev', 'markup'],
  workflows: ['domain', 'contracts'],
  tutor: ['domain', 'contracts', 'courses'],
  store: ['domain', 'contracts'],
  sandbox: ['domain'],
  courses: ['domain', 'contracts', 'store', 'sandbox'],
  retrieval: ['domain', 'contracts', 'store'],
  exams: ['domain', 'contracts', 'store'],
  channels: ['domain', 'contracts', 'store', 'markup'],
  activities: [
    ...['domain', 'contracts', 'store', 'tutor', 'courses', 'retrieval', 'exams', 'channels'],
    'sandbox',
  ],
  commands: ['domain', 'contracts', 'store', 'courses', 'retrieval', 'exams'],
  telegram: ['domain', 'contracts', 'store', 'channels', 'markup', 'commands'],
  api: [
    ...['domain', 'contracts', 'store', 'courses', 'retrieval', 'exams', 'channels', 'mcp'],
    ...['commands', 'telegram'],
  ],
  mcp: [
    ...['domain', 'contracts', 'store', 'courses', 'retrieval', 'exams', 'channels', 'api'],
    'commands',
  ],
}

/** Only their types: at run time a workflow knows its activities by name. */
const TYPES_ONLY: Record<string, string[]> = { workflows: ['activities', 'store'] }

/** Files beside the folders of `src` that several folders may know. */
const SHARED_FILES: Record<string, string[]> = {
  'config.ts': ['api', 'mcp', 'activities', 'cli', 'commands'],
  'search-attributes.ts': ['api'],
  'temporal-connection.ts': ['api'],
  'temporal-dev-config.ts': ['api'],
}

/** Folders that run anywhere: in a browser, in a workflow's sandbox, in Node. */
const PURE = ['domain', 'contracts', 'workflows', 'client']

interface Import {
  file: string
  folder: string
  specifier: string
  isTypeOnly: boolean
}

const sources = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:([^'"`;]*?)\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

function importsOf(file: string): Import[] {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const [, folder = ''] = file.split('/')
  return [...source.matchAll(IMPORT)].map(([, type, clause = '', from, dynamic]) => ({
    file,
    folder,
    specifier: from ?? dynamic ?? '',
    isTypeOnly: type !== undefined || onlyTypes(clause),
  }))
}

/** `{ type A, type B }` imports nothing at run time. */
function onlyTypes(clause: string): boolean {
  const names = /^\{([^}]*)\}$/.exec(clause.trim())?.[1]
  if (names === undefined) return false
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .every((name) => name.startsWith('type '))
}

/** The folder of `src` (or the file directly in it) that a relative import leads to; null for packages. */
function target({ file, specifier }: Import): string | null {
  if (!specifier.startsWith('.')) return null
  const path = relative(ROOT, resolve(ROOT, dirname(file), specifier))
  const [top, folder] = path.split('/')
  return top === 'src' ? (folder ?? '') : (top ?? '')
}

function isAllowed(imported: Import): boolean {
  const to = target(imported)
  const { folder } = imported
  const allowed = MAY_IMPORT[folder]
  if (to === null || to === folder || allowed === undefined) return true
  if (allowed.includes(to) || SHARED_FILES[to]?.includes(folder)) return true
  return imported.isTypeOnly && (TYPES_ONLY[folder] ?? []).includes(to)
}

const all = sources('src').flatMap(importsOf)
const told = ({ file, specifier }: Import) => `${file} imports ${specifier}`

test('the imports of all sources are found', () => {
  expect(all.length).toBeGreaterThan(500)
  expect(all.filter((imported) => target(imported) !== null).length).toBeGreaterThan(300)
})

describe('directions', () => {
  test.each(Object.keys(MAY_IMPORT))('%s imports only what it may', (folder) => {
    const own = all.filter((imported) => imported.folder === folder)
    expect(own.filter((imported) => !isAllowed(imported)).map(told)).toEqual([])
  })

  test('nothing in src imports tests, benchmarks or the web app', () => {
    const outside = all.filter((imported) =>
      ['test', 'bench', 'web'].includes(target(imported) ?? ''),
    )
    expect(outside.map(told)).toEqual([])
  })

  test('the web app imports contracts, pure domain code, what reads marked-up text and the client only', () => {
    const leaving = sources('web')
      .flatMap(importsOf)
      .filter(({ specifier }) => /\/src\//.test(specifier))
    const forbidden = leaving.filter(
      ({ specifier }) => !/\/src\/(contracts|domain|markup|client)\//.test(specifier),
    )
    expect(forbidden.map(told)).toEqual([])
  })
})

/** What nobody imports: it is started, or handed to a bundler. */
const STARTED = new Set([
  ...[
    'src/main.ts',
    'src/cli.ts',
    'src/courses/check.ts',
    'src/courses/judge.ts',
    'src/workflows/index.ts',
  ],
  ...['web/main.tsx', 'web/vite.config.ts', 'web/worker/service-worker.ts'],
])

test('every file of the product is used by another one of it', () => {
  const files = [...sources('src'), ...sources('web')].filter((file) => !/\/dist\//.test(file))
  const imported = new Set(
    files
      .flatMap(importsOf)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ file, specifier }) => relative(ROOT, resolve(ROOT, dirname(file), specifier))),
  )
  // A process or a thread is started from its file.
  const startedBy = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/new URL\('(\.[^']+)'/g)].map(
      ([, to = '']) => relative(ROOT, resolve(ROOT, dirname(file), to)),
    ),
  )
  const used = new Set([...STARTED, ...imported, ...startedBy])
  expect(files.filter((file) => !used.has(file))).toEqual([])
})

test('no two folders of the web app import each other', () => {
  const pairs = sources('web')
    .flatMap(importsOf)
    .map(({ file, specifier }) => [dirname(file), join(dirname(file), dirname(specifier))])
    .filter(([from, to]) => from !== to && to?.startsWith('web/'))
    .map((pair) => pair.join(' and '))
  const known = new Set(pairs)
  const mutual = pairs.filter((pair) => known.has(pair.split(' and ').reverse().join(' and ')))
  expect(known.size).toBeGreaterThan(10)
  expect([...new Set(mutual)]).toEqual([])
})

describe('purity', () => {
  test.each(PURE)('%s imports nothing of Node', (folder) => {
    const own = all.filter((imported) => imported.folder === folder)
    expect(own.filter(({ specifier }) => specifier.startsWith('node:')).map(told)).toEqual([])
  })

  test('workflows import no other part of Temporal than the workflow side', () => {
    const temporal = all
      .filter(({ folder, isTypeOnly }) => folder === 'workflows' && !isTypeOnly)
      .filter(({ specifier }) => specifier.startsWith('@temporalio/'))
    const packages = new Set(temporal.map(({ specifier }) => specifier))
    expect([...packages].sort()).toEqual(['@temporalio/common', '@temporalio/workflow'])
  })

  test('domain code reads neither the clock nor chance', () => {
    const impure = sources('src/domain').filter((file) =>
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.test(readFileSync(join(ROOT, file), 'utf8')),
    )
    expect(impure).toEqual([])
  })
})

describe('documents', () => {
  const files = ['src', 'web', 'test', 'bench', 'courses', 'migrations'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (name) => `/${folder}/${name}`,
    ),
  )
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))

  test.each(['README.md', ...pages])('%s names files that are there', (page) => {
    const named = readFileSync(join(ROOT, page), 'utf8').matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)
    const gone = [...named].flatMap(([, name = '']) =>
      files.some((file) => file.endsWith(`/${name}`)) ? [] : [name],
    )
    expect(gone).toEqual([])
  })
})

describe('the rule itself', () => {
  const from = (file: string, specifier: string, isTypeOnly = false): Import => ({
    file,
    folder: file.split('/')[1] ?? '',
    specifier,
    isTypeOnly,
  })

  test.each([
    ['src/domain/arc/decide.ts', '../../store/arc/arcs.ts', true, false],
    ['src/workflows/learning-arc.ts', '../activities/arc/product.ts', false, false],
    ['src/workflows/learning-arc.ts', '../activities/arc/product.ts', true, true],
    ['src/workflows/learning-arc.ts', '../tutor/mind.ts', true, false],
    ['src/store/arc/arcs.ts', '../../tutor/mind.ts', false, false],
    ['src/api/app.ts', '../activities/arc/product.ts', false, false],
    ['src/tutor/mind.ts', '../domain/arc/decide.ts', false, true],
    ['src/contracts/arc.ts', 'zod', false, true],
  ])('%s importing %s (types only: %s) is allowed: %s', (file, specifier, isTypeOnly, allowed) => {
    expect(isAllowed(from(file, specifier, isTypeOnly))).toBe(allowed)
  })

  test('a mixed import counts as one at run time', () => {
    expect(onlyTypes('{ type A, b }')).toBe(false)
    expect(onlyTypes('{ type A, type B }')).toBe(true)
    expect(onlyTypes('* as a')).toBe(false)
  })
})
