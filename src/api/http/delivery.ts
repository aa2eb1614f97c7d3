import type { MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { etag } from 'hono/etag'
import { secureHeaders } from 'hono/secure-headers'

/**
 * What a page of Meno may do: nothing but what comes from here. Styles may stand in the page, as the component kit and the
 * formulas write them there; scripts may not.
 */
const CONTENT_SECURITY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

const ON_A_PAGE = secureHeaders({
  contentSecurityPolicy: CONTENT_SECURITY,
  xFrameOptions: 'DENY',
  referrerPolicy: 'same-origin',
  // Whoever puts TLS in front of Meno says this there.
  strictTransportSecurity: false,
  // Speech is turned into text where the learner asks for it.
  permissionsPolicy: { camera: [], geolocation: [], microphone: ['self'] },
})

/** Of what is no page these are the ones that mean something; a page has dozens of files, and each carries them. */
const ON_A_FILE = secureHeaders({
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
})

const NOTHING = async () => {}

/** Headers that keep a browser from doing with an answer what it was not made for. */
export const security = (): MiddlewareHandler => async (c, next) => {
  await next()
  const isPage = c.res.headers.get('Content-Type')?.startsWith('text/html')
  await (isPage ? ON_A_PAGE : ON_A_FILE)(c, NOTHING)
}

/**
 * What is read is smaller on the wire; event streams, and what is compressed already, are left as they are. What is sent
 * gets a short answer, which would only come later.
 */
export function compressed(): MiddlewareHandler {
  const smaller = compress()
  return (c, next) => (c.req.method === 'GET' ? smaller(c, next) : next())
}

/**
 * Reads of the API carry a mark, and are not sent again to who has them. What one learner reads is for no cache that is
 * shared.
 */
export function marked(): MiddlewareHandler {
  const mark = etag()
  return (c, next) => {
    const isStream =
      c.req.path.endsWith('/events') || c.req.header('Accept') === 'text/event-stream'
    if (c.req.method !== 'GET' || isStream) return next()
    return mark(c, async () => {
      await next()
      if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'private, no-cache')
    })
  }
}
