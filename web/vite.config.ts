import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'
import { formulaFonts } from './formula-fonts.ts'

const API = 'http://127.0.0.1:3000'
const SOURCE = import.meta.dirname

/** Files that get smaller; pictures and woff2 are compressed as they are. */
const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest)$/
const WORTH_BYTES = 1_000

/**
 * What every screen needs comes in one file, and so does the rest of the two screens that are opened most: each further
 * file costs a slow line a round trip, and is compressed by itself. What these two share stands beside them, so that
 * neither brings the other along.
 */
const CHUNKS = [
  { name: 'page', tags: ['$initial' as const], priority: 3 },
  {
    name: 'common',
    test: /@mantine\/hooks|lucide-react|\/web\/(?:topics|shell|progress|keys)\/(?!.*(?:-dialog|entry-menu|answer-keys))|\/(?:Badge|Collapse|InlineInput|InputsGroupFieldset|SegmentedControl|Skeleton|Stack|TextInput)(?:\.module)?\.mjs/,
    minShareCount: 2,
    priority: 2,
  },
  { name: 'home', test: /\/today\/today-screen/, priority: 1 },
  { name: 'topic', test: /\/arc\/arc-screen/, priority: 1 },
  { name: 'map', test: /\/mind-map\/(?:mind-map-panel|concept-button)/, priority: 1 },
  { name: 'markdown', test: /\/markdown\/markdown-renderer/, priority: 1 },
]

export default defineConfig({
  plugins: [
    usedStyles(),
    react(),
    formulaFonts(),
    formulaFiles(),
    serviceWorker(),
    precompressed(),
  ],
  build: {
    target: 'es2022',
    // light-dark() is left to the browser: compiled away it would not follow the scheme that is set at run time.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 750,
    // A picture or font in the text of a style would be fetched by every page, and is no "self" to the page's policy.
    assetsInlineLimit: 0,
    manifest: 'assets.json',
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: { port: 5173, proxy: { '/api': API, '/webhook': API, '/sessions': API } },
})

const KIT = path.join(SOURCE, '../node_modules/@mantine/core')

/** Of the component kit's styles only those of components that the page uses, in the kit's own order. */
function usedStyles(): Plugin {
  return {
    name: 'meno:used-styles',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith('@mantine/core/styles.layer.css')) return null
      const whole = await readFile(path.join(KIT, 'styles.css'), 'utf8')
      const names = await usedComponents()
      const parts = await Promise.all(
        ['baseline', 'default-css-variables', 'global', ...names].map(async (name) => {
          const file = path.join(KIT, 'styles', `${name}.css`)
          return (await readFile(file, 'utf8').catch(() => '')).trim()
        }),
      )
      const placed = parts.filter(Boolean).map((css) => ({ css, at: whole.indexOf(css) }))
      if (placed.some(({ at }) => at < 0)) throw new Error('the kit’s styles are not its parts')
      const inOrder = placed.sort((one, other) => one.at - other.at).map(({ css }) => css)
      return `@layer mantine {\n${inOrder.join('\n')}\n}`
    },
  }
}

/** The names of styles that the components need which the sources name: of all modules that these are made of. */
async function usedComponents(): Promise<Set<string>> {
  const files = (await readdir(SOURCE, { recursive: true })).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith('dist'),
  )
  const sources = await Promise.all(files.map((file) => readFile(path.join(SOURCE, file), 'utf8')))
  const named = sources.flatMap((source) =>
    [...source.matchAll(/import\s*\{([^}]*)\}\s*from '@mantine\/[\w-]+'/g)].flatMap(
      ([, list = '']) => list.split(/[\s,]+/),
    ),
  )
  const modules = new Set<string>()
  const visit = async (file: string): Promise<void> => {
    if (modules.has(file)) return
    const code = await readFile(file, 'utf8').catch(() => null)
    if (code === null) return
    modules.add(file)
    for (const [, other = ''] of code.matchAll(/from "(\.[^"]+\.mjs)"/g)) {
      await visit(path.resolve(path.dirname(file), other))
    }
  }
  for (const name of named) await visit(path.join(KIT, 'esm/components', name, `${name}.mjs`))
  return new Set([...modules].map((file) => path.basename(file, '.mjs')))
}

/** Names the files that set formulas in the page, for `public/first.js` to fetch early where there are formulas. */
function formulaFiles(): Plugin {
  return {
    name: 'meno:formula-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunk = Object.values(bundle).find(
          (one) => one.type === 'chunk' && one.facadeModuleId?.endsWith('/markdown/formula.tsx'),
        )
        if (chunk?.type !== 'chunk') throw new Error('nothing sets formulas')
        const files = [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]
        const content = files.map((file) => path.basename(file)).join(' ')
        return [{ tag: 'meta', attrs: { name: 'meno-formula', content }, injectTo: 'head-prepend' }]
      },
    },
  }
}

interface ManifestEntry {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

/** The screen that the page falls back to. */
const FIRST = ['today/today-screen.tsx']
/** Screens that are read without a network. */
const SCREENS = [
  'arc/arc-screen.tsx',
  'keys/answer-keys.tsx',
  'mind-map/mind-map-panel.tsx',
  'markdown/markdown-renderer.tsx',
  'markdown/formula.tsx',
  'markdown/plot.tsx',
  'markdown/highlighted-code.tsx',
]

/** What a browser may fetch along with the page, by a pattern of the address: what its screen is made of. */
const ALONG: Record<string, string[]> = {
  '^/$': ['today/today-screen.tsx'],
  '^/arcs/[^/]+$': ['arc/arc-screen.tsx', 'markdown/markdown-renderer.tsx'],
}

/** For whoever serves the page: patterns of addresses, each with the files that come along. */
function filesAlong(manifest: Record<string, ManifestEntry>, page: ReadonlySet<string>): string {
  const along = Object.entries(ALONG).map(([path, entries]) => ({
    path,
    files: filesOf(manifest, entries).filter((f) => /\.(?:js|css)$/.test(f) && !page.has(f)),
  }))
  return JSON.stringify(along)
}

/** Builds the service worker beside the page, with the lists of files that it keeps. */
function serviceWorker(): Plugin {
  return {
    name: 'meno:service-worker',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const list = path.join(dir, 'assets.json')
      const manifest = JSON.parse(await readFile(list, 'utf8')) as Record<string, ManifestEntry>
      await rm(list)
      const html = await readFile(path.join(dir, 'index.html'), 'utf8')
      const page = new Set([...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name = '']) => name))
      await writeFile(path.join(dir, 'along.json'), filesAlong(manifest, page))
      await build({
        configFile: false,
        root: SOURCE,
        logLevel: 'warn',
        publicDir: false,
        define: {
          __PAGE_FILES__: JSON.stringify([...new Set([...page, ...filesOf(manifest, FIRST)])]),
          __SCREEN_FILES__: JSON.stringify(filesOf(manifest, SCREENS)),
          __RELEASE_FILES__: JSON.stringify(filesOf(manifest, Object.keys(manifest))),
        },
        build: {
          target: 'es2022',
          outDir: dir,
          emptyOutDir: false,
          lib: {
            entry: path.join(SOURCE, 'worker/service-worker.ts'),
            formats: ['iife'],
            name: 'menoServiceWorker',
            fileName: () => 'service-worker.js',
          },
        },
      })
    },
  }
}

/** The files of these entries, with what they import and what their styles name. */
function filesOf(manifest: Record<string, ManifestEntry>, entries: readonly string[]): string[] {
  const files = new Set<string>()
  const visit = (key: string) => {
    const entry = manifest[key]
    if (!entry || files.has(`/${entry.file}`)) return
    for (const file of [entry.file, ...(entry.css ?? []), ...(entry.assets ?? [])]) {
      if (file.startsWith('assets/')) files.add(`/${file}`)
    }
    entry.imports?.forEach(visit)
  }
  entries.forEach(visit)
  return [...files].sort()
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Lays a .br and a .gz beside every file that gets smaller by it. */
function precompressed(): Plugin {
  return {
    name: 'meno:precompressed',
    apply: 'build',
    async closeBundle() {
      const folder = path.join(SOURCE, 'dist')
      const files = await readdir(folder, { recursive: true })
      await Promise.all(files.filter((file) => COMPRESSIBLE.test(file)).map(compress))
      async function compress(file: string): Promise<void> {
        const name = path.join(folder, file)
        const text = await readFile(name)
        if (text.length < WORTH_BYTES) return
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
        }
        const [br, gz] = await Promise.all([brotli(text, { params }), gzipped(text, { level: 9 })])
        await Promise.all([writeFile(`${name}.br`, br), writeFile(`${name}.gz`, gz)])
      }
    },
  }
}
