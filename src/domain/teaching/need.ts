/** What a teacher has to know of a pupil to see whether help is needed. */
export interface PupilStanding {
  name: string
  /** Stands at a problem whose signal is "stuck", in a session that is open. */
  isStuck: boolean
  /** How many concepts of the pupil's maps struggle. */
  struggling: number
  /** UTC ms of what the pupil said last; null: never anything. */
  lastActiveAt: number | null
}

/** Why a pupil stands where they stand in the list: the first of these that holds. */
export type Need = 'stuck' | 'struggling' | 'quiet' | 'none' | 'not_begun'

/** Who is silent for so long after having been active is quiet. */
export const QUIET_AFTER_MS = 7 * 86_400_000

/** Who was never there is not quiet: they have not begun. */
export function needOf(
  { isStuck, struggling, lastActiveAt }: Omit<PupilStanding, 'name'>,
  now: number,
): Need {
  if (isStuck) return 'stuck'
  if (struggling > 0) return 'struggling'
  if (lastActiveAt === null) return 'not_begun'
  return now - lastActiveAt >= QUIET_AFTER_MS ? 'quiet' : 'none'
}

const ORDER: Need[] = ['stuck', 'struggling', 'quiet', 'none', 'not_begun']

/**
 * Who needs help first: stuck now; then struggling, with the most concepts first; then quiet, the longest first; then
 * everybody else, and last who has not begun. Among equals by name.
 */
export function byNeed<Pupil extends PupilStanding>(
  pupils: readonly Pupil[],
  now: number,
): Pupil[] {
  const key = (pupil: Pupil): [number, number] => {
    const need = needOf(pupil, now)
    const within =
      need === 'quiet' ? (pupil.lastActiveAt ?? 0) : need === 'none' ? 0 : -pupil.struggling
    return [ORDER.indexOf(need), within]
  }
  return pupils.toSorted((a, b) => {
    const [needA, withinA] = key(a)
    const [needB, withinB] = key(b)
    return needA - needB || withinA - withinB || a.name.localeCompare(b.name)
  })
}
