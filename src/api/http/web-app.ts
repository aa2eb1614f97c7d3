import { readFileSync } from 'node:fs'
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context } from 'hono'
import { etag } from 'hono/etag'
import type { Api } from './environment.ts'

const WEB_APP = path.resolve(import.meta.dirname, '../../../web/dist')

/** A file under this folder has its content in its name. */
const HASHED = `${path.sep}assets${path.sep}`
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Asked about at every visit: a new release is seen at once. */
const ASKED = 'no-cache'

/** The files that come along with the page, by a pattern of its address; the page's build says so in `along.json`. */
type Along = { path: string; files: string[] }[]

function readAlong(): Along {
  try {
    return JSON.parse(readFileSync(path.join(WEB_APP, 'along.json'), 'utf8')) as Along
  } catch {
    // There is no built page, as where Vite serves it.
    return []
  }
}

/** Has the browser fetch a screen's files at once, not only when the page asks for them. */
const preload = (file: string): string =>
  file.endsWith('.css')
    ? `<${file}>; rel=preload; as=style; crossorigin`
    : `<${file}>; rel=modulepreload`

/**
 * The built page, compressed when it was built; every address that is not a file shows it, and its router finds the
 * screen.
 */
export function webApp(app: Api): void {
  const root = path.relative(process.cwd(), WEB_APP)
  const along = readAlong().map(({ path, files }) => ({
    pattern: new RegExp(path),
    link: files.map(preload).join(', '),
  }))
  const onFound = (file: string, c: Context): void => {
    c.header('Cache-Control', file.includes(HASHED) ? FOR_EVER : ASKED)
    if (!file.endsWith('index.html')) return
    const link = along.find(({ pattern }) => pattern.test(c.req.path))?.link
    if (link) c.header('Link', link)
  }
  const built = { root, precompressed: true, onFound }
  app.use('/assets/*', serveStatic(built))
  app.all('/assets/*', (c) => c.notFound())
  app.use('/*', etag(), serveStatic(built))
  const page = serveStatic({ ...built, path: 'index.html' })
  app.get('/*', async (c, next) => {
    if (/\.[a-z0-9]+$/i.test(c.req.path)) return c.notFound()
    return (await page(c, next)) ?? c.notFound()
  })
}
