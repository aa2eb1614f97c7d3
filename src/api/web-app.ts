import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context } from 'hono'
import { etag } from 'hono/etag'
import type { Api } from './environment.ts'

const WEB_APP = path.resolve(import.meta.dirname, '../../web/dist')

/** A file under this folder has its content in its name. */
const HASHED = `${path.sep}assets${path.sep}`
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Asked about at every visit: a new release is seen at once. */
const ASKED = 'no-cache'

const keep = (file: string, c: Context): void => {
  c.header('Cache-Control', file.includes(HASHED) ? FOR_EVER : ASKED)
}

/**
 * The built page, compressed when it was built; every address that is not a file shows it, and its router finds the
 * screen.
 */
export function webApp(app: Api): void {
  const root = path.relative(process.cwd(), WEB_APP)
  const built = { root, precompressed: true, onFound: keep }
  app.use('/assets/*', serveStatic(built))
  app.all('/assets/*', (c) => c.notFound())
  app.use('/*', etag(), serveStatic(built))
  const page = serveStatic({ ...built, path: 'index.html' })
  app.get('/*', async (c, next) => {
    if (/\.[a-z0-9]+$/i.test(c.req.path)) return c.notFound()
    return (await page(c, next)) ?? c.notFound()
  })
}
