import type { Actor } from './context.ts'
import { notFound } from './problem.ts'

/** Whether the actor may see every learner's things. */
export const mayAll = ({ roles }: Pick<Actor, 'roles'>): boolean =>
  roles.includes('teacher') || roles.includes('admin')

/**
 * What was looked up, if it exists and is the actor's to see; anything else is not found.
 * @throws {Problem} 404 naming `what`
 */
export function requireOwn<Row extends { learner_id: string }>(
  actor: Actor,
  row: Row | null | undefined,
  what: string,
): Row {
  if (!row || (row.learner_id !== actor.learner.id && !mayAll(actor))) throw notFound(what)
  return row
}
