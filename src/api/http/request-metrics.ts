import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { Histogram, type Registry } from 'prom-client'

/**
 * Counts and times every answer, by method, route and status; an address that no route names is `unknown`. A stream is
 * timed to its beginning.
 */
export function httpMetrics(registry: Registry): MiddlewareHandler {
  const seconds = new Histogram({
    name: 'meno_http_request_duration_seconds',
    help: 'Seconds from a request to its answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  return async (c, next) => {
    const took = seconds.startTimer({ method: c.req.method })
    await next()
    const routes = matchedRoutes(c)
    const route = routes.findLast(({ path }) => !path.endsWith('*'))
    const rest = c.res.status === 404 ? 'unknown' : 'page'
    took({ route: route?.path ?? rest, status: c.res.status })
  }
}
