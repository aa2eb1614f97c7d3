import { sql } from 'kysely'
import type { StepContext } from '../../src/tutor/steps/arc/context.ts'
import { type GraphSketch, graph, type ScriptedPlanner } from '../mcp/scripted-planner.ts'
import type { ToolHouse } from '../mcp/tool-house.ts'

/** A row of `mind_map_nodes` as the scenarios look at it. */
export interface NodeRow {
  id: string
  mind_map_id: string
  label: string
  description: string | null
  depth: number
  sequence: number
  effort_minutes: number
  mastery_status: string
  mastery_score: number
  metadata: Record<string, unknown>
}

export interface Generated {
  mindMapId: string
  /** What the tool answered. */
  summary: Record<string, unknown>
}

/** What the scenarios of seed 001 are told in: maps planned by a scripted planner, through the tools. */
export class CurriculumWorld {
  readonly house: ToolHouse
  readonly planner: ScriptedPlanner

  constructor(house: ToolHouse, planner: ScriptedPlanner) {
    this.house = house
    this.planner = planner
  }

  get tools() {
    return this.house.tools
  }

  /** The planner's request of the last call. */
  get lastRequest(): StepContext | undefined {
    return this.planner.asked.at(-1)
  }

  async emptyMap(title = 'Topic'): Promise<string> {
    return (await this.tools.ok('mind_map_create', { title })).mind_map_id
  }

  /** `curriculum_generate` with a planner that proposes this graph. */
  async generate(sketch: GraphSketch, args: Record<string, unknown> = {}): Promise<Generated> {
    const mindMapId = await this.emptyMap()
    this.planner.answers = [graph(sketch)]
    const summary = await this.tools.ok('curriculum_generate', {
      mind_map_id: mindMapId,
      topic: sketch.nodes[0]?.split(':')[0] ?? '',
      ...args,
    })
    return { mindMapId, summary }
  }

  /** `curriculum_generate` with a planner that proposes this graph whenever it is asked; the refusal. */
  async refusedGeneration(sketch: GraphSketch): Promise<{ mindMapId: string; error: string }> {
    const mindMapId = await this.emptyMap()
    this.planner.answers = [graph(sketch), graph(sketch)]
    const error = await this.tools.refused('curriculum_generate', {
      mind_map_id: mindMapId,
      topic: 'Topic',
    })
    return { mindMapId, error }
  }

  /** Rows in learning order. */
  async rows(mindMapId: string): Promise<NodeRow[]> {
    const { rows } = await sql<NodeRow>`
      select * from mind_map_nodes where mind_map_id = ${mindMapId} order by sequence asc
    `.execute(this.house.db)
    return rows
  }

  async labels(mindMapId: string): Promise<string[]> {
    return (await this.rows(mindMapId)).map(({ label }) => label)
  }

  async row(mindMapId: string, label: string): Promise<NodeRow> {
    const row = (await this.rows(mindMapId)).find((one) => one.label === label)
    if (!row) throw new Error(`there is no node ${label}`)
    return row
  }

  /** Edges as "parent>child" by label, in order. */
  async edges(mindMapId: string): Promise<string[]> {
    const { rows } = await sql<{ edge: string }>`
      select p.label || '>' || c.label as edge
      from mind_map_edges e
      join mind_map_nodes p on p.id = e.parent_node_id
      join mind_map_nodes c on c.id = e.child_node_id
      where e.mind_map_id = ${mindMapId} order by edge
    `.execute(this.house.db)
    return rows.map(({ edge }) => edge)
  }

  /** Puts nodes in a state the scenario begins with. */
  async given(mindMapId: string, status: string, ...labels: string[]): Promise<void> {
    const score = status === 'mastered' ? 0.95 : 0.4
    const isReviewed = status === 'mastered' || status === 'reviewing'
    for (const [index, label] of labels.entries()) {
      const masteredAt = status === 'mastered' ? new Date(Date.UTC(2026, 0, 1, 0, index)) : null
      await sql`
        update mind_map_nodes
        set mastery_status = ${status}, mastery_score = ${score}, mastered_at = ${masteredAt},
            next_review_at = ${isReviewed ? new Date(Date.UTC(2026, 1, 1)) : null}
        where mind_map_id = ${mindMapId} and label = ${label}
      `.execute(this.house.db)
    }
  }

  async sequence(mindMapId: string, sequences: Record<string, number>): Promise<void> {
    await this.house.db.transaction().execute(async (trx) => {
      for (const [label, sequence] of Object.entries(sequences)) {
        await sql`
          update mind_map_nodes set sequence = ${sequence}
          where mind_map_id = ${mindMapId} and label = ${label}
        `.execute(trx)
      }
    })
  }

  async mapStatus(mindMapId: string): Promise<string> {
    return (await this.tools.ok('mind_map_get', { mind_map_id: mindMapId })).status
  }

  async setMapStatus(mindMapId: string, status: string): Promise<void> {
    await sql`update mind_maps set status = ${status} where id = ${mindMapId}`.execute(
      this.house.db,
    )
  }

  /** `curriculum_next_node`, by label. */
  async nextNode(mindMapId: string): Promise<string | null> {
    const { node } = await this.tools.ok('curriculum_next_node', { mind_map_id: mindMapId })
    return node?.label ?? null
  }

  replan(mindMapId: string, reason?: string) {
    return this.tools.ok('curriculum_replan', {
      mind_map_id: mindMapId,
      ...(reason === undefined ? {} : { reason }),
    })
  }

  /** Answers on a node through the tool, until it is mastered. */
  async master(mindMapId: string, label: string) {
    const { id } = await this.row(mindMapId, label)
    let answer: Record<string, unknown> = {}
    for (const type of ['teach', 'teach', 'review', 'review', 'review']) {
      answer = await this.tools.ok('mastery_record_response', {
        mind_map_id: mindMapId,
        node_id: id,
        question_text: '?',
        quality: 5,
        response_type: type,
      })
    }
    return answer
  }
}
