import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { planMap } from '../../src/commands/maps/plan.ts'
import { findMap } from '../../src/store/maps/stored-map.ts'
import { TutorFailure } from '../../src/tutor/mind.ts'
import {
  chain,
  type GraphSketch,
  graph,
  type ScriptedPlanner,
  scriptedPlanner,
  star,
} from '../mcp/scripted-planner.ts'
import { openToolHouse, type ToolHouse, warnings } from '../mcp/tool-house.ts'

let house: ToolHouse
let planner: ScriptedPlanner

beforeAll(async () => {
  planner = scriptedPlanner()
  house = await openToolHouse({ model: planner })
})
beforeEach(() => {
  planner.answers = []
  planner.asked = []
})
afterAll(() => house.end())

/** What the planner was told about its first graph. */
function violationsTold(): string {
  const input = planner.asked[1]?.input as { violations: string[] } | undefined
  return input?.violations.join(' ') ?? ''
}

/** What was logged about a map's refused graphs. */
function loggedOf(mindMapId: string): string {
  const entries = warnings.filter(({ entity }) => entity === mindMapId)
  return entries.flatMap(({ violations }) => (violations as string[]) ?? []).join(' ')
}

async function emptyMap(): Promise<string> {
  return (await house.tools.ok('mind_map_create', { title: 'Topic' })).mind_map_id
}

async function countRows(mind_map_id: string) {
  const rows = async (table: 'mind_map_nodes' | 'mind_map_edges') =>
    (
      await house.db
        .selectFrom(table)
        .select('mind_map_id')
        .where('mind_map_id', '=', mind_map_id)
        .execute()
    ).length
  return { nodes: await rows('mind_map_nodes'), edges: await rows('mind_map_edges') }
}

const deep = chain(['Topic', 'L1', 'L2', 'L3', 'L4', 'L5', 'L6'])
const HOSTILE: [string, GraphSketch, RegExp][] = [
  ['a cycle', { nodes: ['T', 'A', 'B'], edges: ['T>A', 'A>B', 'B>A'] }, /A → B → A/],
  ['a self-loop', { nodes: ['T', 'A'], edges: ['T>A', 'A>A'] }, /self-loop.*"A"/],
  ['31 concepts', star(31), /31 concepts and at most 30/],
  ['500 concepts', star(500), /500 concepts/],
  ['depth 6', deep, /maximum depth of 5.*"L6"/],
  ['one label twice', { nodes: ['T', 'A', ' a '], edges: ['T>A'] }, /several concepts/],
  ['an orphan', { nodes: ['T', 'A', 'B'], edges: ['T>A'] }, /No prerequisite path.*"B"/],
  ['no effort', { nodes: ['T', 'A:0'], edges: ['T>A'] }, /effort.*"A"/],
  ['an effort no column holds', { nodes: ['T', 'A:3000000000'], edges: ['T>A'] }, /effort.*"A"/],
  ['an endless label', { nodes: ['T', `A${'a'.repeat(4_999)}`], edges: [] }, /at most 200.*"Aaaa/],
  ['an unknown parent', { nodes: ['T', 'A'], edges: ['T>A', 'X>A'] }, /"X"/],
  ['an unknown root', { root: 'R', nodes: ['T', 'A'], edges: ['T>A'] }, /root "R"/],
]

describe('a planner that breaks the rules', () => {
  test.each(HOSTILE)(
    'with %s is asked again with what was wrong, then refused; nothing is stored',
    async (_, sketch, violation) => {
      const mind_map_id = await emptyMap()
      planner.answers = [graph(sketch), graph(sketch)]
      const error = await house.tools.refused('curriculum_generate', {
        mind_map_id,
        topic: 'Topic',
      })
      expect(error).toMatch(/refused twice/)
      expect(error).toMatch(violation)
      expect(planner.asked).toHaveLength(2)
      expect(violationsTold()).toMatch(violation)
      await expect.poll(() => loggedOf(mind_map_id)).toMatch(violation)
      expect(await countRows(mind_map_id)).toEqual({ nodes: 0, edges: 0 })
      expect((await house.tools.ok('mind_map_get', { mind_map_id })).status).toBe('creation')
    },
  )

  test('with an endless description is refused with its label', async () => {
    const mind_map_id = await emptyMap()
    const endless = graph(star(3))
    endless.nodes[2] = { ...endless.nodes[2], description: 'x'.repeat(2_001) } as never
    planner.answers = [endless, endless]
    const error = await house.tools.refused('curriculum_generate', { mind_map_id, topic: 'Topic' })
    expect(error).toMatch(/description has at most 2000 characters.*"Concept 2"/)
    expect(await countRows(mind_map_id)).toEqual({ nodes: 0, edges: 0 })
  })

  test('in a re-plan is dropped with its labels named, and nothing is stored of it', async () => {
    const mind_map_id = await emptyMap()
    planner.answers = [graph(star(3))]
    await house.tools.ok('curriculum_generate', { mind_map_id, topic: 'Topic' })
    const one = { unitId: null, description: 'x' }
    const nodes = [
      { ...one, label: 'Slow', effortMinutes: 3e9 },
      { ...one, label: 'Wordy', effortMinutes: 10, description: 'x'.repeat(2_001) },
    ]
    const edges = nodes.map(({ label }) => ({ parent: 'Topic', child: label }))
    planner.answers = [{ nodes, edges, explanation: '' }]
    const replanned = await house.tools.ok('curriculum_replan', { mind_map_id, reason: 'hard' })
    expect(replanned).toMatchObject({ node_count: 3, added_node_ids: [] })
    expect(replanned.refused.join(' ')).toMatch(/"Wordy".*"Slow"/)
  })

  test('in a way that only the database sees is told without its SQL', async () => {
    const mind_map_id = await emptyMap()
    const sql = 'insert into mind_map_nodes values ($1) - value out of range'
    planner.answers = [new Error(sql)]
    expect(await house.tools.refused('curriculum_generate', { mind_map_id, topic: 'Topic' })).toBe(
      'An unexpected error happened; it has been logged.',
    )
    planner.answers = [graph(star(3))]
    const again = await house.tools.ok('curriculum_generate', { mind_map_id, topic: 'Topic' })
    expect(again.node_count).toBe(3)
    expect(planner.asked).toHaveLength(2)
  })

  test('or is down for long is asked three times, and no more', async () => {
    const mind_map_id = await emptyMap()
    planner.answers = Array.from({ length: 9 }, () => new TutorFailure('unavailable', 'it is down'))
    expect(
      await house.tools.refused('curriculum_generate', { mind_map_id, topic: 'Topic' }),
    ).toMatch(/it is down/)
    expect(planner.asked).toHaveLength(3)
  })

  test('once only is forgiven: the second graph becomes the map', async () => {
    const mind_map_id = await emptyMap()
    planner.answers = [graph(deep), graph(star(4))]
    const generated = await house.tools.ok('curriculum_generate', { mind_map_id, topic: 'Topic' })
    expect(generated).toEqual({ mind_map_id, node_count: 4, edge_count: 3, status: 'active' })
    const { nodes } = await house.tools.ok('mind_map_get', { mind_map_id })
    expect(nodes[0]).toMatchObject({ label: 'Topic', description: 'About Topic', sequence: 1 })
  })

  test('after a refusal the same map can be generated', async () => {
    const mind_map_id = await emptyMap()
    planner.answers = [graph(deep), graph(deep), graph(star(3))]
    await house.tools.refused('curriculum_generate', { mind_map_id, topic: 'Topic' })
    const again = await house.tools.ok('curriculum_generate', { mind_map_id, topic: 'Topic' })
    expect(again.node_count).toBe(3)
  })

  test('or cannot be read, or refuses us, is a tool error with its reason', async () => {
    const mind_map_id = await emptyMap()
    const topic = 'Topic'
    planner.answers = [new TutorFailure('malformed', 'not valid JSON')]
    expect(await house.tools.refused('curriculum_generate', { mind_map_id, topic })).toMatch(
      /not valid JSON/,
    )
    planner.answers = [new TutorFailure('refused', 'the key is wrong')]
    expect(await house.tools.refused('curriculum_generate', { mind_map_id, topic })).toMatch(
      /the key is wrong/,
    )
    expect(await countRows(mind_map_id)).toEqual({ nodes: 0, edges: 0 })
  })

  test('or is down for a moment is asked again, and paid for once', async () => {
    const mind_map_id = await emptyMap()
    planner.answers = [new TutorFailure('unavailable', 'down'), graph(star(3))]
    await house.tools.ok('curriculum_generate', { mind_map_id, topic: 'Topic' })
    expect(planner.asked).toHaveLength(2)
  })
})

describe('jobs on one map', () => {
  test('two at once: one plans, the other is told so', async () => {
    const mind_map_id = await emptyMap()
    let answer = (_: unknown) => {}
    const asked = new Promise<void>((resolve) => {
      planner.answers = [
        () => {
          resolve()
          return new Promise((later) => {
            answer = later
          })
        },
      ]
    })
    const first = house.tools.ok('curriculum_generate', { mind_map_id, topic: 'Topic' })
    await asked
    const second = house.tools.refused('curriculum_generate', { mind_map_id, topic: 'Topic' })
    expect(await second).toMatch(/being planned already/)
    answer(graph(star(3)))
    expect((await first).node_count).toBe(3)
  })
})

describe('a planner that does not answer', () => {
  test('in time is a tool error, and nothing is stored later', async () => {
    const mindMapId = await emptyMap()
    let answer = (_: unknown) => {}
    planner.answers = [
      () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    ]
    const map = await findMap(house.db, mindMapId)
    if (!map) throw new Error('the map is gone')
    const request = {
      kind: 'generate' as const,
      topic: 'Topic',
      goal: null,
      diagnostic: [],
      inventory: [],
      tutor: 'anthropic' as const,
      courseId: null,
      goalUnitIds: [],
    }
    const planned = planMap<'generate'>(house.dependencies, map, request, 1_500)
    await expect(planned).rejects.toThrow(/did not answer/)
    answer(graph(star(3)))
    planner.answers = [graph(star(4))]
    const again = await house.tools.ok('curriculum_generate', {
      mind_map_id: mindMapId,
      topic: 'Topic',
    })
    expect(again.node_count).toBe(4)
  })
})

describe('a request that nobody takes up', () => {
  test('is withdrawn, and told so', async () => {
    const idle = await openToolHouse({ model: planner, withWorkers: false })
    const { mind_map_id } = await idle.tools.ok('mind_map_create', { title: 'Topic' })
    const asked = { mind_map_id, topic: 'Topic' }
    expect(await idle.tools.refused('curriculum_generate', asked)).toMatch(/did not answer/)
    const waiting = await idle.db
      .selectFrom('inbox')
      .select('id')
      .where('entity_id', '=', mind_map_id)
      .where('withdrawn_at', 'is', null)
      .execute()
    expect(waiting).toEqual([])
    await idle.end()
  })
})

describe('a re-plan', () => {
  async function generatedMap(sketch: GraphSketch): Promise<string> {
    const mind_map_id = await emptyMap()
    planner.answers = [graph(sketch)]
    await house.tools.ok('curriculum_generate', { mind_map_id, topic: 'Topic' })
    return mind_map_id
  }

  test('with a reason may add concepts, and says which', async () => {
    const mind_map_id = await generatedMap(chain(['Topic', 'Recursion']))
    const { nodes, edges } = graph({
      nodes: ['Stack Frames:15'],
      edges: ['Topic>Stack Frames', 'Stack Frames>Recursion'],
    })
    planner.answers = [{ nodes, edges, explanation: 'A step was missing.' }]
    const replanned = await house.tools.ok('curriculum_replan', {
      mind_map_id,
      reason: 'user struggling with recursion subtree',
    })
    expect(replanned).toMatchObject({ node_count: 3, edge_count: 3, refused: [], via_flow: false })
    const map = await house.tools.ok('mind_map_get', { mind_map_id })
    expect(
      map.nodes.map((n: { label: string; sequence: number; depth: number }) => [
        n.label,
        n.sequence,
        n.depth,
      ]),
    ).toEqual([
      ['Topic', 1, 0],
      ['Stack Frames', 2, 1],
      ['Recursion', 3, 2],
    ])
    expect(replanned.added_node_ids).toEqual([map.nodes[1].node_id])
    expect(map.nodes[1].description).toBe('About Stack Frames')
  })

  test('whose advice breaks a rule drops it, says why, and orders all the same', async () => {
    const mind_map_id = await generatedMap(chain(['Topic', 'A', 'B']))
    const { nodes, edges } = graph({ nodes: ['New'], edges: ['B>New', 'New>A'] })
    planner.answers = [{ nodes, edges, explanation: '' }]
    const replanned = await house.tools.ok('curriculum_replan', { mind_map_id, reason: 'why not' })
    expect(replanned).toMatchObject({ node_count: 3, edge_count: 2, added_node_ids: [] })
    expect(replanned.refused.join(' ')).toMatch(/cycle/)
  })

  test('whose advice cannot be read orders all the same', async () => {
    const mind_map_id = await generatedMap(star(3))
    planner.answers = [new TutorFailure('malformed', 'not JSON')]
    const replanned = await house.tools.ok('curriculum_replan', { mind_map_id, reason: 'again' })
    expect(replanned).toMatchObject({ node_count: 3, edge_count: 2 })
  })

  test('without a reason asks nobody', async () => {
    const mind_map_id = await generatedMap(star(3))
    planner.asked = []
    await house.tools.ok('curriculum_replan', { mind_map_id })
    expect(planner.asked).toEqual([])
  })
})
