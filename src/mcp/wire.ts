/**
 * Tools speak the seeds' snake_case, the code behind them camelCase. A tool's schemas are written in the words of the
 * wire; the keys of their objects are translated, those of records (labels, ids, what a caller made up) are not. Times
 * are UTC ms or dates behind a tool, and ISO 8601 on the wire.
 */
import { z } from 'zod'

type CamelCase<Key> = Key extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Key

/** The arguments of a schema as a tool's code sees them. */
export type Arguments<Schema> =
  Schema extends z.ZodOptional<infer Inner>
    ? Arguments<Inner> | undefined
    : Schema extends z.ZodDefault<infer Inner>
      ? Arguments<Inner>
      : Schema extends z.ZodArray<infer Item>
        ? Arguments<Item>[]
        : Schema extends z.ZodObject<infer Shape>
          ? { [Key in keyof Shape as CamelCase<Key>]: Arguments<Shape[Key]> }
          : z.output<Schema>

/** What a tool's code has to return for a schema; further fields do not reach the wire. */
export type Result<Schema> =
  Schema extends z.ZodOptional<infer Inner>
    ? Result<Inner> | undefined
    : Schema extends z.ZodNullable<infer Inner>
      ? Result<Inner> | null
      : Schema extends z.ZodISODateTime
        ? number | Date | string
        : Schema extends z.ZodArray<infer Item>
          ? readonly Result<Item>[]
          : Schema extends z.ZodObject<infer Shape>
            ? { [Key in keyof Shape as CamelCase<Key>]: Result<Shape[Key]> }
            : Schema extends z.ZodRecord<z.ZodString, infer Item>
              ? Readonly<Record<string, Result<Item>>>
              : z.input<Schema>

type Fields = Record<string, unknown>

const camelCase = (key: string) =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Arguments that fit the schema, in the words of the code. */
export function fromWire<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Arguments<Schema> {
  return translated(schema, value, (key) => [key, camelCase(key)]) as Arguments<Schema>
}

/** What a tool's code returned, in the words of the wire. */
export function toWire<Schema extends z.ZodType>(schema: Schema, value: Result<Schema>): unknown {
  return translated(schema, value, (key) => [camelCase(key), key])
}

/** `rename` gives for a key of the schema the key that is read and the one that is written. */
function translated(
  schema: z.core.$ZodType,
  value: unknown,
  rename: (key: string) => [string, string],
): unknown {
  if (value === null || value === undefined) return value
  const inner = (of: z.core.$ZodType, item: unknown) => translated(of, item, rename)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return inner(schema.unwrap(), value)
  }
  if (schema instanceof z.ZodISODateTime && typeof value !== 'string') {
    return new Date(value as number | Date).toISOString()
  }
  if (schema instanceof z.ZodArray) {
    return (value as unknown[]).map((item) => inner(schema.element, item))
  }
  if (schema instanceof z.ZodRecord) {
    const entries = Object.entries(value as Fields)
    return Object.fromEntries(entries.map(([key, item]) => [key, inner(schema.valueType, item)]))
  }
  if (!(schema instanceof z.ZodObject)) return value
  const fields = Object.entries(schema.shape as Record<string, z.core.$ZodType>)
  return Object.fromEntries(
    fields.flatMap(([key, of]) => {
      const [read, written] = rename(key)
      const item = (value as Fields)[read]
      return item === undefined ? [] : [[written, inner(of, item)]]
    }),
  )
}
