import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { toProblem } from '../api/http/problem.ts'
import type { Actor, Dependencies } from '../commands/context.ts'
import { MapStatusError } from '../domain/mind-map/lifecycle.ts'
import { MapRuleError } from '../domain/mind-map/violation.ts'
import { GraphRefusal } from '../store/maps/stored-map.ts'
import { type Arguments, fromWire, type Result, toWire } from './wire.ts'

/** What a tool works with: the parts of the API, and who calls. */
export interface ToolContext extends Dependencies {
  actor: Actor
}

/** A tool of the Model Context Protocol; its schemas are in the snake_case of the wire. */
export interface Tool {
  name: string
  description: string
  input: z.ZodObject
  output: z.ZodObject
  /** It changes nothing. */
  readOnly: boolean
  /** Arguments and result as they are on the wire. */
  run(context: ToolContext, args: unknown): Promise<unknown>
}

/** Writes a tool down with its types; `reads` marks one that changes nothing. */
export function tool<I extends z.ZodRawShape, O extends z.ZodRawShape>(
  name: string,
  description: string,
  shapes: { input: I; output: O; reads?: true },
  run: (context: ToolContext, args: Arguments<z.ZodObject<I>>) => Promise<Result<z.ZodObject<O>>>,
): Tool {
  const input: z.ZodObject<I, z.core.$strict> = z.strictObject(shapes.input)
  const output: z.ZodObject<O> = z.object(shapes.output)
  return {
    name,
    description,
    input,
    output,
    readOnly: shapes.reads === true,
    run: async (context, args) => {
      const given = fromWire(input, input.parse(args)) as Arguments<z.ZodObject<I>>
      return toWire(output, await run(context, given))
    },
  }
}

/** Ids are uuids of any version. */
export const id = z.guid()
export const quality = z.int().min(0).max(5)
export const time = z.iso.datetime()

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
    error instanceof MapStatusError
  if (isRefusal) return error.message
  return toProblem(error, (unexpected) =>
    log.error({ error: unexpected, tool: name }, 'a tool failed'),
  ).message
}
