import { localhostHostValidation, localhostOriginValidation } from '@modelcontextprotocol/hono'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import type { Environment } from '../api/http/environment.ts'
import type { Actor, Dependencies } from '../commands/context.ts'
import { ANALYTICS_TOOLS } from './analytics-tools.ts'
import { CURRICULUM_TOOLS } from './curriculum-tools.ts'
import { DIAGNOSTIC_TOOLS } from './diagnostic-tools.ts'
import { FLOW_TOOLS } from './flow-tools.ts'
import { MASTERY_TOOLS } from './mastery-tools.ts'
import { MIND_MAP_TOOLS } from './mind-map-tools.ts'
import { register, type Tool } from './tool.ts'

/** Every tool there is. */
const TOOLS: readonly Tool[] = [
  ...MIND_MAP_TOOLS,
  ...CURRICULUM_TOOLS,
  ...MASTERY_TOOLS,
  ...DIAGNOSTIC_TOOLS,
  ...FLOW_TOOLS,
  ...ANALYTICS_TOOLS,
]

const INSTRUCTIONS = `Meno's tutor as tools. A map is built node by node (mind_map_*) or generated (curriculum_generate), then studied: curriculum_next_node, mastery_record_response, spaced_repetition_*. teaching_flow_* hands a topic to Meno's own tutor, who then alone changes that map.`

/**
 * The Model Context Protocol over streamable HTTP, stateless: every request is a server of its
 * own, for the actor that was found for it before. Without log-in, only pages and programs of this
 * machine are answered.
 */
export function mcpRoutes(dependencies: Dependencies): Hono<Environment> {
  const { config, log } = dependencies
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const server = new McpServer({ name: 'meno', version: '1' }, { instructions: INSTRUCTIONS })
      const actor = authInfo?.extra?.actor as Actor
      for (const tool of TOOLS) register(server, tool, { ...dependencies, actor })
      return server
    },
    { onerror: (error) => log.debug({ error }, 'an MCP request was not served') },
  )
  const routes = new Hono<Environment>()
  if (config.auth === 'local') routes.use(localhostHostValidation(), localhostOriginValidation())
  routes.all('/', (c) => {
    const { actor } = c.var
    return handler.fetch(c.req.raw, {
      authInfo: { token: '', clientId: actor.learner.id, scopes: [], extra: { actor } },
    })
  })
  return routes
}
