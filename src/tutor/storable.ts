/**
 * The same value with all its texts such as PostgreSQL can hold: without the character NUL, and with a replacement
 * character for half a surrogate pair.
 */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, storable(item)])) as T
}
