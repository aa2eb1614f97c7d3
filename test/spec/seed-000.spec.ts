import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { ArcSettings } from '../../src/contracts/arc.ts'
import { findSnapshot, takeAllSnapshots } from '../../src/store/analytics.ts'
import { chain, scriptedPlanner } from '../mcp/scripted-planner.ts'
import { openToolHouse } from '../mcp/tool-house.ts'
import { CurriculumWorld } from './curriculum-world.ts'
import { requirement } from './scenario.ts'

let world: CurriculumWorld

beforeAll(async () => {
  const planner = scriptedPlanner()
  world = new CurriculumWorld(await openToolHouse({ model: planner }), planner)
})
afterAll(() => world.house.end())

requirement('000 D1 Mind map storage', (scenario) => {
  scenario(
    'The frontier is what is not mastered and whose prerequisites all are, by depth, then effort',
    async () => {
      const { mindMapId } = await world.generate({
        nodes: ['R', 'A:30', 'B:10', 'C:1', 'D:1'],
        edges: ['R>A', 'R>B', 'A>C', 'A>D', 'B>D'],
      })
      await world.given(mindMapId, 'mastered', 'R', 'A')
      const { nodes } = await world.tools.ok('mind_map_frontier', { mind_map_id: mindMapId })
      expect(nodes.map(({ label }: { label: string }) => label)).toEqual(['B', 'C'])
      await world.given(mindMapId, 'reviewing', 'B')
      expect(await world.nextNode(mindMapId)).toBe('C')
    },
    'on purpose, arcs unlock at "reviewing"; strict here, where no arc owns the map',
  )

  scenario('An edge is unique and joins nodes of one map', async () => {
    const one = await world.generate(chain(['T', 'A']))
    const other = await world.generate(chain(['T', 'A']))
    const [t, a] = [await world.row(one.mindMapId, 'T'), await world.row(one.mindMapId, 'A')]
    const far = await world.row(other.mindMapId, 'A')
    const edge = { parent_node_id: t.id, child_node_id: a.id }
    await world.tools.ok('mind_map_edge_create', { ...edge, edge_type: 'related' })
    expect(await world.tools.ok('mind_map_edge_create', edge)).toMatchObject({
      edge_type: 'prerequisite',
    })
    expect(await world.edges(one.mindMapId)).toEqual(['T>A'])
    await world.tools.refused('mind_map_edge_create', { ...edge, child_node_id: far.id })
    await expect(
      sql`insert into mind_map_edges (mind_map_id, parent_node_id, child_node_id)
          values (${one.mindMapId}, ${t.id}, ${far.id})`.execute(world.house.db),
    ).rejects.toThrow(/foreign key/)
  })

  scenario('Deleting a map deletes its nodes, edges and responses', async () => {
    const { mindMapId } = await world.generate(chain(['T', 'A']))
    await world.master(mindMapId, 'T')
    await sql`delete from mind_maps where id = ${mindMapId}`.execute(world.house.db)
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from mind_map_nodes where mind_map_id = ${mindMapId})::int
           + (select count(*) from mind_map_edges where mind_map_id = ${mindMapId})::int
           + (select count(*) from quiz_responses where mind_map_id = ${mindMapId})::int as left
    `.execute(world.house.db)
    expect(rows[0]?.left).toBe(0)
  })
})

requirement('000 D4 Diagnostic assessment', (scenario) => {
  scenario('A diagnosed node whose first quiz is failed drops to learning', async () => {
    const { mindMapId } = await world.generate(chain(['T', 'A']), {
      diagnostic_results: [{ node_label: 'A', quality: 5 }],
    })
    const { id } = await world.row(mindMapId, 'A')
    const answer = await world.tools.ok('mastery_record_response', {
      mind_map_id: mindMapId,
      node_id: id,
      question_text: '?',
      quality: 1,
      response_type: 'teach',
    })
    expect(answer).toMatchObject({ mastery_status: 'learning', mastery_score: 0.2 })
  })
})

requirement('000 D5 Curriculum planning', (scenario) => {
  scenario('Ties are broken by depth, then effort, then what is partly known', async () => {
    const { mindMapId } = await world.generate(
      {
        nodes: ['T', 'Slow:40', 'New:10', 'Known:10', 'Deep:1'],
        edges: ['T>Slow', 'T>New', 'T>Known', 'New>Deep'],
      },
      { diagnostic_results: [{ node_label: 'Known', quality: 3 }] },
    )
    expect(await world.labels(mindMapId)).toEqual(['T', 'Known', 'New', 'Slow', 'Deep'])
  })

  scenario('A cycle proposed by the model is rejected and the model asked again', async () => {
    const { error } = await world.refusedGeneration({
      nodes: ['T', 'A', 'B'],
      edges: ['T>A', 'A>B', 'B>A'],
    })
    expect(error).toMatch(/A → B → A/)
    expect(world.lastRequest?.input).toMatchObject({
      violations: [expect.stringMatching(/A → B → A/)],
    })
  })
})

requirement('000 D6 Learning analytics', (scenario) => {
  scenario('The nightly job writes one snapshot per map and date, with every metric', async () => {
    const { mindMapId } = await world.generate(chain(['T', 'A']))
    const night = Date.UTC(2026, 4, 5, 3)
    await takeAllSnapshots(world.house.db, night)
    await takeAllSnapshots(world.house.db, night + 60_000)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from analytics_snapshots where mind_map_id = ${mindMapId}
    `.execute(world.house.db)
    expect(rows[0]?.count).toBe(1)
    const snapshot = await findSnapshot(world.house.db, mindMapId, '2026-05-05')
    expect(Object.keys(snapshot?.metrics ?? {}).sort()).toEqual([
      'avg_ease_factor',
      'avg_quality_score',
      'estimated_completion_days',
      'mastered_nodes',
      'mastery_pct',
      'retention_rate_30d',
      'retention_rate_7d',
      'sessions_this_period',
      'strongest_subtree',
      'struggling_nodes',
      'time_of_day_distribution',
      'total_nodes',
      'total_quiz_responses',
      'velocity_nodes_per_week',
    ])
  })
})

requirement('000 D8 Quiz response storage', (scenario) => {
  scenario('A quality is a whole number from 0 to 5', async () => {
    const { mindMapId } = await world.generate(chain(['T', 'A']))
    const { id } = await world.row(mindMapId, 'T')
    const answer = { mind_map_id: mindMapId, node_id: id, question_text: '?' }
    for (const quality of [-1, 6, 2.5, '3']) {
      await world.tools.refused('mastery_record_response', { ...answer, quality })
    }
    await expect(
      sql`insert into quiz_responses (node_id, mind_map_id, question_text, quality)
          values (${id}, ${mindMapId}, '?', 6)`.execute(world.house.db),
    ).rejects.toThrow(/check/)
  })

  scenario('Responses are diagnostic, teach or review; review is the default', async () => {
    const { mindMapId } = await world.generate(chain(['T', 'A']))
    const { id } = await world.row(mindMapId, 'T')
    const answer = { mind_map_id: mindMapId, node_id: id, question_text: '?', quality: 4 }
    await world.tools.ok('mastery_record_response', answer)
    await world.tools.refused('mastery_record_response', { ...answer, response_type: 'exam' })
    const { responses } = await world.tools.ok('mastery_get_node_history', { node_id: id })
    expect(responses).toMatchObject([{ response_type: 'review', quality: 4 }])
  })
})

requirement('000 Open questions', (scenario) => {
  scenario('How deep a topic goes is a setting of the arc', () => {
    expect(ArcSettings.parse({})).toMatchObject({
      maxNodes: 30,
      maxDepth: 5,
      unlockAt: 'reviewing',
    })
    expect(ArcSettings.parse({ maxNodes: 100, maxDepth: 8 })).toMatchObject({ maxNodes: 100 })
    expect(ArcSettings.safeParse({ maxNodes: 4 }).success).toBe(false)
  })
})
