import type { z } from 'zod'
import { CarriedState } from '../../contracts/arc-state.ts'
import type { Course } from '../../contracts/course-pack.ts'
import type { ImportedTables } from '../../contracts/taking-along.ts'
import { questionOfSource } from '../../courses/asked-question.ts'
import {
  asShown,
  type CarriedArc,
  carriedOver,
  type FindQuestion,
  type KeylessQuestion,
} from '../../domain/arc/carry-over.ts'
import type { Question } from '../../domain/arc/question.ts'
import { ARC_VERSION, type ArcState, newState } from '../../domain/arc/state.ts'
import { upgradeArc } from '../../domain/arc/upgrade.ts'
import { Problem } from '../problem.ts'

type Row<Table extends keyof ImportedTables> = ImportedTables[Table][number]

/** Looks questions up in a course by their sources. */
export function finder(course: Course | undefined): FindQuestion {
  return (question) => {
    if (!course || question.source === null) return null
    try {
      const found = questionOfSource(course, question.source)
      return found && asShown(found, question)
    } catch {
      // A template that has no draw for the seed any more.
      return null
    }
  }
}

/**
 * An arc's state from a file, checked and brought up to date, with the open question where its key is known here.
 * @throws {Problem} 422
 */
export function carriedArc(
  arc: Row<'arcs'>,
  entity: Row<'entities'> | undefined,
  questions: readonly Row<'arc_questions'>[],
  nodeIds: ReadonlySet<string>,
  find: FindQuestion,
): CarriedArc {
  if (!entity) throw refused(arc.id, 'its entity is missing')
  if (entity.version > ARC_VERSION) throw refused(arc.id, 'a newer version of Meno wrote it')
  const stored = entity.state === null ? begun(arc) : checked(arc.id, entity.state)
  if (stored.phase !== arc.phase) throw refused(arc.id, 'its phase is not that of its state')
  const stray = nodesIn(stored).find((id) => !nodeIds.has(id))
  if (stray) throw refused(arc.id, `its map has no concept ${stray}`)
  const open = questions.find(({ id }) => id === stored.question?.id)
  return carriedOver(stored, open ? shown(open) : null, find)
}

const refused = (arcId: string, why: string) =>
  new Problem(422, `The topic ${arcId} cannot be brought here: ${why}.`)

function begun({ phase, started_at }: Row<'arcs'>): ArcState {
  const state = newState(Date.parse(started_at))
  return phase === 'PENDING' ? state : { ...state, phase, diagnosed: true }
}

function checked(arcId: string, state: unknown): ArcState {
  let upgraded: unknown
  try {
    upgraded = upgradeArc(state)
  } catch {
    throw refused(arcId, 'its state is of no known version')
  }
  const read = CarriedState.safeParse(upgraded)
  if (!read.success) {
    const [issue] = read.error.issues
    throw refused(arcId, `its state is damaged at ${issue?.path.join('/')}: ${issue?.message}`)
  }
  // What has no key is looked up before anything is asked.
  return { ...(read.data satisfies z.infer<typeof CarriedState>), v: ARC_VERSION } as ArcState
}

/** The concepts that a state names. */
const nodesIn = ({
  lesson,
  question,
  batch,
  eased,
  lapsed,
  askedFor,
  explained,
  lastGrade,
  sitting,
}: ArcState): string[] =>
  [
    ...batch,
    ...eased,
    ...sitting.proved,
    ...lapsed.map(({ nodeId }) => nodeId),
    lesson?.nodeId,
    question?.nodeId,
    askedFor,
    explained?.nodeId,
    lastGrade?.node.id,
    lastGrade?.lesson?.nodeId,
  ].flatMap((id) => id ?? [])

const shown = (row: Row<'arc_questions'>): KeylessQuestion => ({
  concept: row.concept,
  text: row.text,
  format: row.format as KeylessQuestion['format'],
  options: row.options,
  difficulty: row.difficulty as KeylessQuestion['difficulty'],
  source: row.source,
})

/** A question's row as it is stored here; of one that is known here, with its key. */
export function questionRow(
  row: Row<'arc_questions'>,
  find: FindQuestion,
  { question: open, state }: CarriedArc,
  at: string,
) {
  const isOpen = state.question?.id === row.id
  const known: Question | null = isOpen ? open : find(shown(row))
  return {
    ...row,
    closed_at: row.closed_at ?? (isOpen ? null : at),
    answer_key: known?.key ?? null,
    expected: known?.expected ?? row.expected,
    criteria: known?.criteria ?? '',
    hints: known?.hints ?? [],
    solution: known ? known.solution : row.solution,
    mistakes: known?.mistakes ?? [],
  }
}
