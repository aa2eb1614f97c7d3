import { describe, expect, test } from 'vitest'
import {
  addConcepts,
  type BuildOptions,
  type BuiltMap,
  buildMap,
} from '../../../src/domain/mind-map/building.ts'
import { nextNode } from '../../../src/domain/mind-map/frontier.ts'
import { MapStatusError } from '../../../src/domain/mind-map/lifecycle.ts'
import type { ProposedGraph } from '../../../src/domain/mind-map/validation.ts'
import { sampleMap, sampleNode } from './sample-map.ts'

const LIMITS = { maxNodes: 30, maxDepth: 5 }

function counter(): () => string {
  let count = 0
  return () => `id-${count++}`
}

function built(graph: ProposedGraph, options: BuildOptions = {}): BuiltMap {
  const result = buildMap(graph, LIMITS, counter(), options)
  if (!result.ok) throw new Error(JSON.stringify(result.violations))
  return result
}

function concept(label: string, optional = false) {
  return { label, description: `About ${label}`, effortMinutes: 10, ...(optional && { optional }) }
}

const python: ProposedGraph = {
  root: 'Python',
  nodes: [
    concept('Python'),
    concept('Variables'),
    concept('HTTP'),
    concept('Routing'),
    concept('GUI'),
    concept('Widgets', true),
    concept('Deployment', true),
  ],
  edges: [
    { parent: 'python', child: 'Variables ' },
    { parent: 'Python', child: 'HTTP' },
    { parent: 'HTTP', child: 'Routing' },
    { parent: 'Variables', child: 'Routing' },
    { parent: 'Python', child: 'GUI' },
    { parent: 'GUI', child: 'Widgets' },
    { parent: 'HTTP', child: 'Deployment' },
  ],
  goalLabels: ['routing'],
}

function node(map: BuiltMap['map'], label: string) {
  return map.nodes.find((one) => one.label === label)
}

describe('building a map', () => {
  test('Root node is recorded on the mind map', () => {
    const { map, descriptions } = built(python)
    expect(map.status).toBe('active')
    expect(map.rootNodeId).toBe(node(map, 'Python')?.id)
    expect(map.nodes.map(({ label, depth }) => [label, depth])).toEqual([
      ['Python', 0],
      ['Variables', 1],
      ['HTTP', 1],
      ['Routing', 2],
      ['GUI', 1],
      ['Widgets', 2],
      ['Deployment', 2],
    ])
    expect(descriptions[1]).toEqual({
      nodeId: node(map, 'Variables')?.id,
      description: 'About Variables',
    })
  })

  test('All nodes receive unique sequence numbers after generation', () => {
    const places = built(python).map.nodes.map(({ sequence }) => sequence)
    expect(places.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('a graph that breaks a rule gives violations and no map', () => {
    const cyclic = { ...python, edges: [...python.edges, { parent: 'Routing', child: 'HTTP' }] }
    const result = buildMap(cyclic, LIMITS, counter())
    expect(result).toMatchObject({ ok: false, violations: [{ kind: 'cycle' }] })
  })

  test('No-goal plan covers the topic comprehensively', () => {
    const { map } = built(python)
    expect(map.nodes).toHaveLength(7)
    expect(map.nodes.filter(({ metadata }) => metadata.optional !== undefined)).toEqual([])
  })
})

describe('a goal', () => {
  const options = { goal: 'build a REST API' }

  test('Goal-scoped plan excludes off-path nodes', () => {
    const { map } = built(python, options)
    const labels = map.nodes.map(({ label }) => label)
    expect(labels).toEqual(['Python', 'Variables', 'HTTP', 'Routing', 'Deployment'])
    expect(map.nodes.map(({ metadata }) => metadata.optional === true)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
  })

  test('a concept on the path is never optional, whatever the planner says', () => {
    const nodes = python.nodes.map((one) => ({ ...one, optional: true }))
    const { map } = built({ ...python, nodes }, options)
    expect(node(map, 'HTTP')?.metadata).toEqual({})
    expect(node(map, 'GUI')?.metadata).toEqual({ optional: true })
  })

  test('Goal-directed sequence puts critical-path nodes first', () => {
    const nodes = python.nodes.map((one) =>
      one.label === 'Deployment' ? { ...one, effortMinutes: 1 } : one,
    )
    const { map } = built({ ...python, nodes }, options)
    expect(node(map, 'Deployment')?.sequence).toBe(5)
    const known = map.nodes.map((one) =>
      one.depth < 2 ? { ...one, masteryStatus: 'mastered' as const } : one,
    )
    expect(nextNode({ ...map, nodes: known }, 'mastered')?.label).toBe('Routing')
  })

  test('a goal that no concept reaches is refused', () => {
    const { goalLabels: _, ...graph } = python
    for (const goalLabels of [undefined, [], ['Singing']]) {
      const named = goalLabels ? { ...graph, goalLabels } : graph
      expect(buildMap(named, LIMITS, counter(), options)).toMatchObject({
        ok: false,
        violations: [{ kind: 'goal' }],
      })
    }
  })

  test('a goal that silently cuts nothing is told as ignored', () => {
    const whole = buildMap({ ...python, goalLabels: ['Singing'] }, LIMITS, counter(), {
      ...options,
      mayIgnoreGoal: true,
    })
    expect(whole).toMatchObject({ ok: true, goalIgnored: true })
    expect(whole.ok && whole.map.nodes).toHaveLength(7)
    const cut = buildMap({ ...python, goalLabels: ['Routing', 'Singing'] }, LIMITS, counter(), {
      ...options,
      mayIgnoreGoal: true,
    })
    expect(cut).toMatchObject({ ok: true, goalIgnored: false })
    expect(cut.ok && cut.map.nodes).toHaveLength(5)
    expect(buildMap(python, LIMITS, counter(), options)).toMatchObject({ goalIgnored: false })
    expect(buildMap(python, LIMITS, counter())).toMatchObject({ goalIgnored: false })
  })
})

describe('the diagnosis', () => {
  test.each([
    [5, 'diagnosed', 0.7],
    [4, 'diagnosed', 0.5],
    [3, 'diagnosed', 0.3],
    [1, 'unseen', 0],
  ])('a probe of quality %i seeds %s with %f', (quality, masteryStatus, masteryScore) => {
    const { map, seeded } = built(python, { diagnostic: [{ label: ' VARIABLES', quality }] })
    const variables = node(map, 'Variables')
    expect(variables).toMatchObject({ masteryStatus, masteryScore })
    expect(seeded).toEqual([{ nodeId: variables?.id, quality }])
  })

  test('Diagnostic results for unknown node labels are ignored', () => {
    const { map, seeded } = built(python, { diagnostic: [{ label: 'Decorators', quality: 5 }] })
    expect(seeded).toEqual([])
    expect(map).toEqual(built(python).map)
  })

  test('Diagnosed nodes rank before unseen nodes in sequence', () => {
    expect(node(built(python).map, 'Variables')?.sequence).toBe(4)
    const { map } = built(python, { diagnostic: [{ label: 'Variables', quality: 3 }] })
    expect(node(map, 'Variables')?.sequence).toBe(2)
  })
})

describe('adding concepts', () => {
  const map = sampleMap(
    ['A', 'B'].map((id) => sampleNode(id)),
    ['A>B'],
  )
  const between = {
    nodes: [concept('M', true)],
    edges: [
      { parent: 'A', child: 'M' },
      { parent: 'M', child: 'B' },
    ],
  }

  test('keeps every edge and the depths right', () => {
    const result = addConcepts(map, between, LIMITS, counter())
    if (!result.ok) throw new Error('refused')
    expect(result.map.edges.slice(0, 1)).toEqual(map.edges)
    expect(result.map.nodes.map(({ label, depth, metadata }) => [label, depth, metadata])).toEqual([
      ['A', 0, {}],
      ['B', 2, {}],
      ['M', 1, {}],
    ])
  })

  test('changes nothing when all of it is known, and nothing of a closed map', () => {
    const known = { nodes: [], edges: [{ parent: 'a', child: 'b' }] }
    expect(addConcepts(map, known, LIMITS, counter())).toMatchObject({ ok: true, map })
    const closed = { ...map, status: 'abandoned' as const }
    expect(() => addConcepts(closed, between, LIMITS, counter())).toThrow(MapStatusError)
  })
})
