/**
 * The same value with all its texts such as PostgreSQL can hold: without the character NUL, and without half a
 * surrogate pair.
 */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll(/\p{Surrogate}|\0/gu, '\ufffd') as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [storable(key), storable(item)])
  return Object.fromEntries(entries) as T
}
