/** The value below which that share (0..1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** A line of a table: a name, then cells of equal width. */
export function tableLine(name: string, cells: (string | number)[]): string {
  return name.padEnd(34) + cells.map((cell) => String(cell).padStart(14)).join('')
}

/** What work gives, and how long it takes in milliseconds. */
export async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now()
  return [await work(), performance.now() - startedAt]
}
