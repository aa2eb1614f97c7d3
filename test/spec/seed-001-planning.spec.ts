import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { chain, graph, scriptedPlanner, star } from '../mcp/scripted-planner.ts'
import { openToolHouse } from '../mcp/tool-house.ts'
import { CurriculumWorld } from './curriculum-world.ts'
import { requirement } from './scenario.ts'

let world: CurriculumWorld

beforeAll(async () => {
  const planner = scriptedPlanner()
  world = new CurriculumWorld(await openToolHouse({ model: planner }), planner)
})
afterAll(() => world.house.end())

const STRICT_ON_TOOLS =
  'on purpose, an arc is created with unlockAt "reviewing": with the strict rule a learner waits about three weeks at every level; the strict rule holds here, on maps that no arc owns'
const COUNTING_NODES =
  'on purpose, a map is complete when every node that is neither optional nor skipped is mastered; for a map without either this is the scenario'

requirement('001 Re-planning updates sequence without destroying structure', (scenario) => {
  scenario('Re-plan reorders sequence after mastery state change', async () => {
    const { mindMapId } = await world.generate({
      nodes: ['T', 'A:10', 'B:20', 'D:5', 'C:30'],
      edges: ['T>A', 'T>B', 'B>D', 'A>C'],
    })
    expect(await world.labels(mindMapId)).toEqual(['T', 'A', 'B', 'D', 'C'])
    await world.given(mindMapId, 'mastered', 'T', 'A')
    await world.replan(mindMapId)
    expect(await world.labels(mindMapId)).toEqual(['T', 'A', 'B', 'C', 'D'])
    expect(await world.nextNode(mindMapId)).toBe('B')
  })

  scenario('Re-plan with reason triggers optional LLM node addition', async () => {
    const { mindMapId } = await world.generate(chain(['Topic', 'Recursion', 'Memoization']))
    const advice = graph({
      nodes: ['Stack Frames:15'],
      edges: ['Topic>Stack Frames', 'Stack Frames>Recursion'],
    })
    world.planner.answers = [{ nodes: advice.nodes, edges: advice.edges, explanation: '' }]
    await world.replan(mindMapId, 'user struggling with recursion subtree')
    expect(world.lastRequest).toMatchObject({
      kind: 'replan',
      input: { reason: 'user struggling with recursion subtree' },
    })
    expect(await world.row(mindMapId, 'Stack Frames')).toMatchObject({
      depth: 1,
      effort_minutes: 15,
    })
    expect(await world.edges(mindMapId)).toContain('Stack Frames>Recursion')
    const rows = await world.rows(mindMapId)
    expect(rows.map(({ label, sequence }) => `${sequence} ${label}`)).toEqual([
      '1 Topic',
      '2 Stack Frames',
      '3 Recursion',
      '4 Memoization',
    ])
    expect((await world.row(mindMapId, 'Memoization')).depth).toBe(3)
  })

  scenario('Re-plan preserves existing edge structure', async () => {
    const { mindMapId } = await world.generate(star(20))
    const before = await world.edges(mindMapId)
    await world.given(mindMapId, 'mastered', 'Topic', 'Concept 7')
    await world.replan(mindMapId)
    expect(await world.edges(mindMapId)).toEqual(before)
    world.planner.answers = [
      { nodes: [], edges: [{ parent: 'Concept 1', child: 'Concept 2' }], explanation: '' },
    ]
    await world.replan(mindMapId, 'the order is wrong')
    const after = await world.edges(mindMapId)
    expect(after).toEqual(expect.arrayContaining(before))
    expect(after).toHaveLength(before.length + 1)
  })

  scenario(
    'Re-plan marks a node as skippable based on mastery',
    async () => {
      const { mindMapId } = await world.generate(chain(['T', 'A', 'B']))
      await world.given(mindMapId, 'mastered', 'T')
      await world.replan(mindMapId)
      const rows = await world.rows(mindMapId)
      expect(rows[0]).toMatchObject({ label: 'T', metadata: { skippable: true } })
      expect(rows.slice(1).every(({ metadata }) => metadata.skippable === undefined)).toBe(true)
      expect(await world.nextNode(mindMapId)).toBe('A')
    },
    'a mastered node keeps its historical place at the head of the sequence, as the requirement on sequence numbering asks; no open node comes before it',
  )

  scenario('Re-planning is idempotent on a stable graph', async () => {
    const { mindMapId } = await world.generate(star(9))
    await world.given(mindMapId, 'mastered', 'Topic')
    await world.replan(mindMapId)
    const before = [await world.rows(mindMapId), await world.edges(mindMapId)]
    await world.replan(mindMapId)
    expect([await world.rows(mindMapId), await world.edges(mindMapId)]).toEqual(before)
  })
})

const REST = {
  nodes: ['Python', 'HTTP', 'Routing', 'Requests and responses', 'GUI programming', 'Games'],
  edges: [
    'Python>HTTP',
    'HTTP>Routing',
    'HTTP>Requests and responses',
    'Python>GUI programming',
    'Python>Games',
  ],
}

requirement('001 Goal-directed planning optimizes path to stated goal', (scenario) => {
  scenario(
    'Goal-scoped plan excludes off-path nodes',
    async () => {
      const goal = 'build a REST API'
      const goalLabels = ['Routing', 'Requests and responses']
      const scoped = await world.generate({ ...REST, goalLabels }, { goal })
      expect(world.lastRequest).toMatchObject({ input: { goal } })
      expect((await world.labels(scoped.mindMapId)).toSorted()).toEqual([
        'HTTP',
        'Python',
        'Requests and responses',
        'Routing',
      ])
      const whole = await world.generate(REST)
      expect(Number(scoped.summary.node_count)).toBeLessThan(Number(whole.summary.node_count))
    },
    'what there is to choose from is the model’s; what lies on the path is computed by code from the goal’s concepts',
  )

  scenario('Goal is recorded on the mind map metadata', async () => {
    const goal = 'pass the AWS Solutions Architect exam'
    const { mindMapId } = await world.generate(
      { ...chain(['AWS', 'Networks']), goalLabels: ['Networks'] },
      { goal },
    )
    const { metadata } = await world.tools.ok('mind_map_get', { mind_map_id: mindMapId })
    expect(metadata).toEqual({ goal })
  })

  scenario('Goal-directed sequence puts critical-path nodes first', async () => {
    const { mindMapId } = await world.generate(
      {
        ...REST,
        goalLabels: ['Routing'],
        nodes: ['Python', 'HTTP:60', 'Routing', 'Games:1'],
        edges: ['Python>HTTP', 'HTTP>Routing', 'Python>Games'],
        optional: ['Games'],
      },
      { goal: 'build a REST API' },
    )
    const [critical, aside] = [
      await world.row(mindMapId, 'HTTP'),
      await world.row(mindMapId, 'Games'),
    ]
    expect([critical.depth, aside.depth]).toEqual([1, 1])
    expect(aside.metadata).toEqual({ optional: true })
    expect(critical.sequence).toBeLessThan(aside.sequence)
    await world.given(mindMapId, 'mastered', 'Python')
    const { nodes } = await world.tools.ok('mind_map_frontier', { mind_map_id: mindMapId })
    expect(nodes.map(({ label }: { label: string }) => label)).toEqual(['Games', 'HTTP'])
    expect(await world.nextNode(mindMapId)).toBe('HTTP')
  })

  scenario(
    'No-goal plan covers the topic comprehensively',
    async () => {
      const { mindMapId } = await world.generate({ ...REST, optional: ['Games'] })
      expect((await world.labels(mindMapId)).toSorted()).toEqual(REST.nodes.toSorted())
      for (const { label, metadata } of await world.rows(mindMapId)) {
        expect(metadata.optional, label).toBeUndefined()
      }
    },
    'what a topic holds is the model’s; that nothing of it is left out or optional is decided here',
  )
})

const DIAGNOSED = {
  nodes: ['T', 'Variables:20', 'Decorators:20', 'Loops:20'],
  edges: ['T>Variables', 'T>Decorators', 'T>Loops'],
}

requirement('001 Diagnostic results inform sequence ordering', (scenario) => {
  const seeded = (...results: [label: string, quality: number][]) =>
    world.generate(DIAGNOSED, {
      diagnostic_results: results.map(([node_label, quality]) => ({ node_label, quality })),
    })

  scenario('High-scoring diagnostic node gets diagnosed status', async () => {
    const { mindMapId } = await seeded(['variables', 4])
    const row = await world.row(mindMapId, 'Variables')
    expect(row.mastery_status).toBe('diagnosed')
    expect(row.mastery_score).toBeGreaterThanOrEqual(0.3)
    expect(row.mastery_score).toBeLessThanOrEqual(0.9)
  })

  scenario('Low-scoring diagnostic node remains unseen', async () => {
    const { mindMapId } = await seeded(['Decorators', 1])
    expect(await world.row(mindMapId, 'Decorators')).toMatchObject({
      mastery_status: 'unseen',
      mastery_score: 0,
    })
  })

  scenario('Diagnosed nodes rank before unseen nodes in sequence', async () => {
    const { mindMapId } = await seeded(['Variables', 3], ['Loops', 5])
    expect(await world.labels(mindMapId)).toEqual(['T', 'Loops', 'Variables', 'Decorators'])
  })

  scenario('Diagnostic results for unknown node labels are ignored', async () => {
    const { mindMapId } = await seeded(['Monads', 5], ['Loops', 3])
    const statuses = (await world.rows(mindMapId)).map(
      (row) => `${row.label} ${row.mastery_status}`,
    )
    expect(statuses).toEqual([
      'T unseen',
      'Loops diagnosed',
      'Decorators unseen',
      'Variables unseen',
    ])
  })

  scenario('Mastery seeded conservatively from diagnostic scores', async () => {
    const { mindMapId } = await seeded(['Variables', 5])
    const row = await world.row(mindMapId, 'Variables')
    expect(row.mastery_status).toBe('diagnosed')
    expect(row.mastery_score).toBeLessThanOrEqual(0.9)
    expect(row.sequence).toBe(2)
    await world.given(mindMapId, 'mastered', 'T')
    expect(await world.nextNode(mindMapId)).toBe('Variables')
  })
})

requirement('001 Next-node selection returns highest-priority frontier node', (scenario) => {
  scenario('Returns frontier node with lowest sequence', async () => {
    const { mindMapId } = await world.generate(star(12))
    const free = ['Concept 1', 'Concept 2', 'Concept 3']
    const others = Array.from({ length: 8 }, (_, index) => `Concept ${index + 4}`)
    await world.given(mindMapId, 'mastered', 'Topic', ...others)
    await sql`
      update mind_map_nodes set sequence = null where mind_map_id = ${mindMapId}
    `.execute(world.house.db)
    await world.sequence(
      mindMapId,
      Object.fromEntries(free.map((label, i) => [label, [7, 3, 12][i] ?? 0])),
    )
    expect(await world.nextNode(mindMapId)).toBe('Concept 2')
  })

  scenario(
    'Non-frontier node is never returned even if it has a low sequence number',
    async () => {
      const { mindMapId } = await world.generate({
        nodes: ['R', 'Y', 'X', 'Z'],
        edges: ['R>Y', 'Y>X', 'R>Z'],
      })
      await world.given(mindMapId, 'mastered', 'R')
      await world.given(mindMapId, 'reviewing', 'Y')
      await world.sequence(mindMapId, { R: 2, Y: 3, X: 1, Z: 4 })
      expect(await world.nextNode(mindMapId)).toBe('Z')
      await world.given(mindMapId, 'learning', 'Y')
      await world.sequence(mindMapId, { R: 2, Y: 5, X: 1, Z: 4 })
      expect(await world.nextNode(mindMapId)).toBe('Z')
    },
    STRICT_ON_TOOLS,
  )

  scenario('Returns None when all nodes are mastered', async () => {
    const { mindMapId } = await world.generate(chain(['T', 'A']))
    await world.given(mindMapId, 'mastered', 'T', 'A')
    expect(await world.mapStatus(mindMapId)).toBe('active')
    expect(await world.nextNode(mindMapId)).toBeNull()
  })

  scenario('Returns None for a completed or abandoned mind map', async () => {
    const { mindMapId } = await world.generate(chain(['T', 'A']))
    for (const status of ['completed', 'abandoned']) {
      await world.setMapStatus(mindMapId, status)
      expect(await world.nextNode(mindMapId)).toBeNull()
    }
  })

  scenario('Root node is on the frontier for a fresh mind map', async () => {
    const { mindMapId } = await world.generate(star(5))
    const { nodes } = await world.tools.ok('mind_map_frontier', { mind_map_id: mindMapId })
    expect(nodes).toMatchObject([{ label: 'Topic', depth: 0, sequence: 1 }])
    expect(await world.nextNode(mindMapId)).toBe('Topic')
  })

  scenario('Node in learning state is returned by next-node if on frontier', async () => {
    const { mindMapId } = await world.generate(star(4))
    await world.given(mindMapId, 'mastered', 'Topic')
    await world.given(mindMapId, 'learning', 'Concept 3')
    await world.sequence(mindMapId, { Topic: 1, 'Concept 1': 6, 'Concept 2': 7, 'Concept 3': 5 })
    expect(await world.nextNode(mindMapId)).toBe('Concept 3')
  })
})

requirement('001 Syllabus lifecycle governs mind map state transitions', (scenario) => {
  scenario('Mind map transitions to active after curriculum_generate completes', async () => {
    const mindMapId = await world.emptyMap()
    expect(await world.mapStatus(mindMapId)).toBe('creation')
    world.planner.answers = [graph(star(3))]
    await world.tools.ok('curriculum_generate', { mind_map_id: mindMapId, topic: 'Topic' })
    expect(await world.mapStatus(mindMapId)).toBe('active')
  })

  scenario(
    'Mind map transitions to completed when all nodes are mastered',
    async () => {
      const { mindMapId } = await world.generate(chain(['T', 'A']))
      expect(await world.master(mindMapId, 'T')).toMatchObject({ map_status: 'active' })
      expect(await world.master(mindMapId, 'A')).toMatchObject({
        mastery_status: 'mastered',
        map_status: 'completed',
      })
      expect(await world.mapStatus(mindMapId)).toBe('completed')
      expect(await world.nextNode(mindMapId)).toBeNull()
    },
    COUNTING_NODES,
  )

  scenario('curriculum_replan rejects abandoned mind maps', async () => {
    const { mindMapId } = await world.generate(chain(['T', 'A']))
    const before = await world.rows(mindMapId)
    await world.setMapStatus(mindMapId, 'abandoned')
    world.planner.answers = [{ ...graph({ nodes: ['New'], edges: ['T>New'] }), explanation: '' }]
    const args = { mind_map_id: mindMapId, reason: 'more' }
    expect(await world.tools.refused('curriculum_replan', args)).toMatch(/abandoned/)
    expect(await world.rows(mindMapId)).toEqual(before)
  })

  scenario('curriculum_generate returns the mind map dict on success', async () => {
    const { mindMapId, summary } = await world.generate(star(4))
    expect(summary).toEqual({
      mind_map_id: mindMapId,
      node_count: 4,
      edge_count: 3,
      status: 'active',
    })
  })
})
