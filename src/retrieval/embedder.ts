/**
 * Turns texts into vectors of unit length, for those who have a model for it. Without one, search goes by words and
 * trigrams alone.
 */
export interface Embedder {
  embed(texts: readonly string[]): Promise<number[][]>
}

/** The cosine of two unit vectors, brought into 0..1; 0 where one is missing. */
export function likeness(a: readonly number[] | null, b: readonly number[] | null): number {
  if (a === null || b === null) return 0
  const dot = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  return Math.max(0, Math.min(1, dot))
}
