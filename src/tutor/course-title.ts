/** A course's id in words: `algebra-basics` is "Algebra basics". */
export function courseTitle(courseId: string | null): string {
  const words = (courseId ?? '').replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
