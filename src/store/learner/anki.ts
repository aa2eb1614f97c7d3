import { sql } from 'kysely'
import type { AnkiQuestion } from '../../domain/anki/notes.ts'
import type { Db } from '../database.ts'

/**
 * The questions a learner has been through, with their answers, oldest first. One that is open, or whose second try is, is
 * none of them, whatever it was asked for before.
 */
export async function readAnkiQuestions(db: Db, learnerId: string): Promise<AnkiQuestion[]> {
  const { rows } = await sql<AnkiQuestion & { options: { text: string }[] | null }>`
    select question.text, question.options, question.expected as answer, question.solution,
           arc.topic, arc.course_id as "courseId", node.unit_id as "unitId", question.concept
    from arc_questions question
    join arcs arc on arc.id = question.arc_id
    left join mind_map_nodes node on node.id = question.node_id
    where arc.learner_id = ${learnerId} and question.closed_at is not null
      and question.attempt = 1 and question.expected <> ''
      and question.kind in ('teach', 'quiz', 'review')
      and not exists (
        select from arc_questions open join arcs on arcs.id = open.arc_id
        where arcs.learner_id = ${learnerId} and open.closed_at is null and open.text = question.text)
    order by question.opened_at, question.id
  `.execute(db)
  return rows.map(({ options, ...question }) => ({
    ...question,
    options: (options as { text: string }[] | null)?.map(({ text }) => text) ?? null,
  }))
}
