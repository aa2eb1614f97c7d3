/** Sets of real numbers as unions of intervals, the solution sets of inequalities in one letter. */
export interface Interval {
  from: number
  to: number
  fromIncluded: boolean
  toIncluded: boolean
}

export const EVERYTHING: Interval = {
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  fromIncluded: false,
  toIncluded: false,
}

/** The numbers that stand in `relation` to `bound`, as "x < 3"; `!=` leaves two intervals. */
export function halfLine(relation: string, bound: number): Interval[] {
  const included = relation.endsWith('=')
  const below = { ...EVERYTHING, to: bound, toIncluded: included }
  const above = { ...EVERYTHING, from: bound, fromIncluded: included }
  if (relation.startsWith('<')) return [below]
  if (relation.startsWith('>')) return [above]
  return [
    { ...below, toIncluded: false },
    { ...above, fromIncluded: false },
  ]
}

export function intersection(a: Interval[], b: Interval[]): Interval[] {
  return a.flatMap((one) => b.map((other) => overlap(one, other))).filter(isNotEmpty)
}

/** The union with what touches or overlaps joined, from left to right: one writing per set. */
export function union(intervals: Interval[]): Interval[] {
  const sorted = intervals
    .filter(isNotEmpty)
    .sort((a, b) => a.from - b.from || Number(b.fromIncluded) - Number(a.fromIncluded))
  const joined: Interval[] = []
  for (const next of sorted) {
    const last = joined.at(-1)
    const touches =
      last &&
      (next.from < last.to || (next.from === last.to && (next.fromIncluded || last.toIncluded)))
    if (last && touches) joined[joined.length - 1] = hull(last, next)
    else joined.push(next)
  }
  return joined
}

function overlap(a: Interval, b: Interval): Interval {
  const left = a.from > b.from ? a : b.from > a.from ? b : a.fromIncluded ? b : a
  const right = a.to < b.to ? a : b.to < a.to ? b : a.toIncluded ? b : a
  return {
    from: left.from,
    fromIncluded: left.fromIncluded,
    to: right.to,
    toIncluded: right.toIncluded,
  }
}

function hull(a: Interval, b: Interval): Interval {
  const right = b.to > a.to || (b.to === a.to && b.toIncluded) ? b : a
  return { ...a, to: right.to, toIncluded: right.toIncluded }
}

function isNotEmpty({ from, to, fromIncluded, toIncluded }: Interval): boolean {
  return from < to || (from === to && fromIncluded && toIncluded)
}
