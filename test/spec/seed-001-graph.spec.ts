import { afterAll, beforeAll, expect } from 'vitest'
import { chain, scriptedPlanner, star } from '../mcp/scripted-planner.ts'
import { openToolHouse } from '../mcp/tool-house.ts'
import { CurriculumWorld } from './curriculum-world.ts'
import { requirement } from './scenario.ts'

let world: CurriculumWorld

beforeAll(async () => {
  const planner = scriptedPlanner()
  world = new CurriculumWorld(await openToolHouse({ model: planner }), planner)
})
afterAll(() => world.house.end())

const PYTHON = {
  nodes: ['Python Fundamentals:5', 'Variables:15', 'Loops:30', 'Functions:25'],
  edges: ['Python Fundamentals>Variables', 'Variables>Loops', 'Variables>Functions'],
}

/** Adds a concept below its parents; its id. */
async function addNode(mindMapId: string, label: string, parents: string[], depth?: number) {
  const { node_id } = await world.tools.ok('mind_map_node_create', {
    mind_map_id: mindMapId,
    label,
    effort_minutes: 10,
    parent_node_ids: parents,
    ...(depth === undefined ? {} : { depth }),
  })
  return node_id as string
}

requirement('001 Topic decomposition into concept graph', (scenario) => {
  scenario('Basic topic decomposition creates nodes and edges', async () => {
    const { mindMapId } = await world.generate(PYTHON)
    expect(world.lastRequest).toMatchObject({
      kind: 'graph',
      arc: { topic: 'Python Fundamentals' },
    })
    const rows = await world.rows(mindMapId)
    expect(rows).toHaveLength(4)
    for (const row of rows) {
      expect(row.description).toBe(`About ${row.label}`)
      expect(row.effort_minutes).toBeGreaterThan(0)
      expect(row.mind_map_id).toBe(mindMapId)
    }
    expect(await world.edges(mindMapId)).toEqual(PYTHON.edges.toSorted())
    const map = await world.tools.ok('mind_map_get', { mind_map_id: mindMapId })
    expect(rows.map(({ id }) => id)).toContain(map.root_node_id)
  })

  scenario('Every node has a populated effort estimate', async () => {
    const { mindMapId } = await world.generate(PYTHON)
    for (const row of await world.rows(mindMapId)) {
      expect(Number.isInteger(row.effort_minutes) && row.effort_minutes > 0, row.label).toBe(true)
    }
    const { error } = await world.refusedGeneration({ nodes: ['T', 'A:0'], edges: ['T>A'] })
    expect(error).toMatch(/effort/)
    const node = { mind_map_id: mindMapId, label: 'New' }
    await world.tools.refused('mind_map_node_create', { ...node, effort_minutes: 0 })
    await world.tools.refused('mind_map_node_create', { ...node, effort_minutes: null })
  })

  scenario('Root node is recorded on the mind map', async () => {
    const { mindMapId } = await world.generate(PYTHON)
    const map = await world.tools.ok('mind_map_get', { mind_map_id: mindMapId })
    for (const row of await world.rows(mindMapId)) {
      if (row.id === map.root_node_id)
        expect(row).toMatchObject({ depth: 0, label: PYTHON.nodes[0]?.split(':')[0] })
      else expect(row.depth, row.label).toBeGreaterThanOrEqual(1)
    }
  })

  scenario('All edges are prerequisite edges by default', async () => {
    const mindMapId = await world.emptyMap()
    const parent = await addNode(mindMapId, 'A', [])
    const child = await addNode(mindMapId, 'B', [])
    await world.tools.ok('mind_map_edge_create', { parent_node_id: parent, child_node_id: child })
    const { edges } = await world.tools.ok('mind_map_get', { mind_map_id: mindMapId })
    expect(edges).toEqual([
      { parent_node_id: parent, child_node_id: child, edge_type: 'prerequisite' },
    ])
  })
})

requirement('001 Structural constraints on concept graph', (scenario) => {
  scenario('Edge creating a cycle is rejected', async () => {
    const mindMapId = await world.emptyMap()
    const a = await addNode(mindMapId, 'A', [])
    const b = await addNode(mindMapId, 'B', [a])
    const c = await addNode(mindMapId, 'C', [b])
    const error = await world.tools.refused('mind_map_edge_create', {
      parent_node_id: c,
      child_node_id: a,
    })
    expect(error).toMatch(/cycle: C → A → B → C/)
    expect(await world.edges(mindMapId)).toEqual(['A>B', 'B>C'])
  })

  scenario('Graph exceeding 30 nodes is rejected', async () => {
    const { mindMapId, error } = await world.refusedGeneration(star(31))
    expect(error).toMatch(/31 concepts and at most 30/)
    expect(await world.rows(mindMapId)).toEqual([])
    expect(await world.edges(mindMapId)).toEqual([])
  })

  scenario('Node at depth exceeding 5 is rejected', async () => {
    const mindMapId = await world.emptyMap()
    let parents: string[] = []
    for (let depth = 0; depth <= 5; depth += 1) {
      parents = [await addNode(mindMapId, `Depth ${depth}`, parents)]
    }
    const node = { mind_map_id: mindMapId, effort_minutes: 10 }
    const below = { ...node, label: 'Below', parent_node_ids: parents }
    expect(await world.tools.refused('mind_map_node_create', below)).toMatch(/maximum depth of 5/)
    const told = { ...node, label: 'Told', depth: 6 }
    expect(await world.tools.refused('mind_map_node_create', told)).toMatch(/maximum depth of 5/)
    expect(await world.rows(mindMapId)).toHaveLength(6)
  })

  scenario('A graph with exactly 30 nodes and depth 5 is accepted', async () => {
    const spine = chain(['Topic', 'D1', 'D2', 'D3', 'D4', 'D5'])
    const { nodes, edges } = star(25)
    const { mindMapId, summary } = await world.generate({
      nodes: [...spine.nodes, ...nodes.slice(1)],
      edges: [...spine.edges, ...edges],
    })
    expect(summary).toMatchObject({ mind_map_id: mindMapId, node_count: 30, edge_count: 29 })
    const rows = await world.rows(mindMapId)
    expect(rows).toHaveLength(30)
    expect(Math.max(...rows.map(({ depth }) => depth))).toBe(5)
  })

  scenario('A self-loop edge is rejected', async () => {
    const mindMapId = await world.emptyMap()
    const x = await addNode(mindMapId, 'X', [])
    const error = await world.tools.refused('mind_map_edge_create', {
      parent_node_id: x,
      child_node_id: x,
    })
    expect(error).toMatch(/self-loop is not permitted/)
    expect(await world.edges(mindMapId)).toEqual([])
  })
})

requirement('001 Topological sort with tie-breaking', (scenario) => {
  scenario('Shallower node ranks before deeper node at same topological level', async () => {
    const { mindMapId } = await world.generate({
      nodes: ['T', 'B0:1', 'B:1', 'A:90'],
      edges: ['T>B0', 'B0>B', 'T>A'],
    })
    await world.given(mindMapId, 'mastered', 'T', 'B0')
    await world.replan(mindMapId)
    const [a, b] = [await world.row(mindMapId, 'A'), await world.row(mindMapId, 'B')]
    expect([a.depth, b.depth]).toEqual([1, 2])
    expect(a.sequence).toBeLessThan(b.sequence)
  })

  scenario('Lower-effort node ranks before higher-effort node at same depth', async () => {
    const { mindMapId } = await world.generate({
      nodes: ['T', 'P', 'D:45', 'C:10'],
      edges: ['T>P', 'P>D', 'P>C'],
    })
    const [c, d] = [await world.row(mindMapId, 'C'), await world.row(mindMapId, 'D')]
    expect([c.depth, d.depth]).toEqual([2, 2])
    expect(c.sequence).toBeLessThan(d.sequence)
  })

  scenario('Diagnosed node ranks before unseen node at same depth and effort', async () => {
    const { mindMapId } = await world.generate(
      { nodes: ['T', 'P', 'F:20', 'Z:20'], edges: ['T>P', 'P>F', 'P>Z'] },
      { diagnostic_results: [{ node_label: 'Z', quality: 4 }] },
    )
    const [e, f] = [await world.row(mindMapId, 'Z'), await world.row(mindMapId, 'F')]
    expect([e.mastery_status, f.mastery_status]).toEqual(['diagnosed', 'unseen'])
    expect(e.sequence).toBeLessThan(f.sequence)
  })

  scenario('Topological constraint takes precedence over all tie-breaking criteria', async () => {
    const { mindMapId } = await world.generate({
      nodes: ['H', 'G:5', 'P', 'Q', 'I:60'],
      edges: ['H>G', 'H>P', 'P>Q', 'Q>I'],
    })
    await world.given(mindMapId, 'mastered', 'P', 'Q')
    await world.replan(mindMapId)
    const [g, i] = [await world.row(mindMapId, 'G'), await world.row(mindMapId, 'I')]
    expect([g.depth, i.depth]).toEqual([1, 3])
    expect(i.sequence).toBeLessThan(g.sequence)
  })

  scenario('Sort is deterministic across multiple calls', async () => {
    const sketch = {
      nodes: ['T', 'A:10', 'B:10', 'C:5', 'D:5'],
      edges: ['T>A', 'T>B', 'A>C', 'B>C', 'A>D'],
    }
    const shuffled = {
      root: 'T',
      nodes: sketch.nodes.toReversed(),
      edges: sketch.edges.toReversed(),
    }
    const first = await world.generate(sketch)
    const second = await world.generate(shuffled, { topic: 'T' })
    expect(await world.labels(second.mindMapId)).toEqual(await world.labels(first.mindMapId))
  })
})

requirement('001 Sequence numbering on nodes', (scenario) => {
  scenario('All nodes receive unique sequence numbers after generation', async () => {
    const { mindMapId } = await world.generate(star(15))
    const sequences = (await world.rows(mindMapId)).map(({ sequence }) => sequence)
    expect(sequences).toEqual(Array.from({ length: 15 }, (_, index) => index + 1))
  })

  scenario('Sequence numbers are stable across node additions', async () => {
    const { mindMapId } = await world.generate(star(10))
    const before = await world.labels(mindMapId)
    const added = { description: '', effortMinutes: 10, unitId: null }
    world.planner.answers = [
      {
        nodes: ['New 1', 'New 2'].map((label) => ({ label, ...added })),
        edges: [
          { parent: 'Concept 1', child: 'New 1' },
          { parent: 'Concept 1', child: 'New 2' },
        ],
        explanation: '',
      },
    ]
    await world.replan(mindMapId, 'two steps are missing')
    const rows = await world.rows(mindMapId)
    expect(rows.slice(0, 10).map(({ label }) => label)).toEqual(before)
    expect(rows.slice(10).map(({ label, sequence }) => [label, sequence])).toEqual([
      ['New 1', 11],
      ['New 2', 12],
    ])
  })

  scenario('Sequence is queryable and sortable via SQL', async () => {
    const { mindMapId } = await world.generate(PYTHON)
    const rows = await world.rows(mindMapId)
    expect(rows.map(({ label }) => label)).toEqual([
      'Python Fundamentals',
      'Variables',
      'Functions',
      'Loops',
    ])
    expect(new Set(rows.map(({ sequence }) => sequence)).size).toBe(rows.length)
  })
})
