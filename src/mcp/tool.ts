import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Actor, Dependencies } from '../api/environment.ts'
import { toProblem } from '../api/problem.ts'
import { MapStatusError } from '../domain/mind-map/lifecycle.ts'
import { MapRuleError } from '../domain/mind-map/violation.ts'
import { GraphRefusal } from '../store/maps/stored-map.ts'

/** What a tool works with: the parts of the API, and who calls. */
export interface ToolContext extends Dependencies {
  actor: Actor
}

/** A tool of the Model Context Protocol; arguments and result are objects in snake_case. */
export interface Tool {
  name: string
  description: string
  input: z.ZodObject
  output: z.ZodObject
  /** It changes nothing. */
  readOnly: boolean
  run(context: ToolContext, args: unknown): Promise<unknown>
}

/** Writes a tool down with its types; `reads` marks one that changes nothing. */
export function tool<I extends z.ZodRawShape, O extends z.ZodRawShape>(
  name: string,
  description: string,
  shapes: { input: I; output: O; reads?: true },
  run: (
    context: ToolContext,
    args: z.output<z.ZodObject<I, z.core.$strict>>,
  ) => Promise<z.input<z.ZodObject<O>>>,
): Tool {
  const input = z.strictObject(shapes.input)
  return {
    name,
    description,
    input,
    output: z.object(shapes.output),
    readOnly: shapes.reads === true,
    run: (context, args) => run(context, input.parse(args)),
  }
}

/** Ids are uuids of any version. */
export const id = z.guid()
export const quality = z.int().min(0).max(5)
export const text = (max: number) => z.string().trim().min(1).max(max)

/** Registers a tool for one caller; what it refuses is a tool error with a message. */
export function register(server: McpServer, one: Tool, context: ToolContext): void {
  server.registerTool(
    one.name,
    {
      description: one.description,
      inputSchema: one.input,
      outputSchema: one.output,
      annotations: { readOnlyHint: one.readOnly, openWorldHint: false },
    },
    async (args: unknown): Promise<CallToolResult> => {
      try {
        const result = (await one.run(context, args)) as Record<string, unknown>
        return {
          content: [{ type: 'text', text: JSON.stringify(result) }],
          structuredContent: result,
        }
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: messageOf(error, one, context) }] }
      }
    },
  )
}

/** A refusal is told in its own words; anything unexpected is logged and told without its inside. */
function messageOf(error: unknown, { name }: Tool, { log }: ToolContext): string {
  const isRefusal =
    error instanceof GraphRefusal ||
    error instanceof MapRuleError ||
    error instanceof MapStatusError ||
    error instanceof RangeError
  if (isRefusal) return error.message
  return toProblem(error, (unexpected) =>
    log.error({ error: unexpected, tool: name }, 'a tool failed'),
  ).message
}
