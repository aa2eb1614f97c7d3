import { readFileSync, statSync } from 'node:fs'
import { expect, inject, test } from 'vitest'

const path = inject('workflowBundlePath')

/** The bundler names every module it takes in a comment of its own or in the source map. */
function bundledModules(): string[] {
  const code = readFileSync(path, 'utf8')
  const map = /sourceMappingURL=data:application\/json;[^,]*base64,([A-Za-z0-9+/=]+)\s*$/.exec(code)
  const { sources } = JSON.parse(Buffer.from(map?.[1] ?? '', 'base64').toString()) as {
    sources: string[]
  }
  return sources
}

test('the workflow bundle is small', () => {
  expect(statSync(path).size).toBeLessThan(3_000_000)
})

test('only contracts and workflows of ours are in it', () => {
  const ours = bundledModules().flatMap((source) => /\/(src\/[a-z-]+)\//.exec(source)?.[1] ?? [])
  const folders = new Set(ours.filter((folder) => !folder.includes('node_modules')))
  const own = bundledModules()
    .filter((source) => !source.includes('node_modules'))
    .flatMap((source) => /(?:^|\/)src\/([a-z-]+)\//.exec(source)?.[1] ?? [])
  expect(new Set(own)).toEqual(new Set(['contracts', 'workflows']))
  expect(folders.size).toBeGreaterThan(0)
})

test('no package that needs Node is in it', () => {
  const packages = bundledModules().flatMap(
    (source) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
  )
  const forbidden = ['pg', 'kysely', 'hono', '@temporalio/client', '@temporalio/worker', 'pino']
  expect(packages.filter((name) => forbidden.includes(name))).toEqual([])
})
