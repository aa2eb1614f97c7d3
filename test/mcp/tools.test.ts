import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../spec/scenario.ts'
import { openToolHouse, type ToolHouse } from './tool-house.ts'

let house: ToolHouse

beforeAll(async () => {
  house = await openToolHouse()
})
afterAll(() => house.end())

const NAMES =
  `mind_map_create mind_map_get mind_map_node_create mind_map_node_update mind_map_edge_create
  mind_map_activate mind_map_frontier mind_map_subtree curriculum_generate curriculum_replan
  curriculum_next_node mastery_record_response mastery_get_node_history mastery_get_map_summary
  mastery_detect_struggles spaced_repetition_record_response spaced_repetition_pending_reviews
  diagnostic_start diagnostic_record_probe diagnostic_complete teaching_flow_start teaching_flow_get
  teaching_flow_list teaching_flow_abandon analytics_get_snapshot analytics_get_trend
  analytics_get_cross_topic`.split(/\s+/)

describe('the list of tools', () => {
  test('has every tool by its name, with schemas of arguments and result', async () => {
    const { tools } = await house.tools.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual([...NAMES].sort())
    for (const tool of tools) {
      expect(tool.inputSchema, tool.name).toMatchObject({ type: 'object' })
      expect(tool.outputSchema, tool.name).toMatchObject({ type: 'object' })
      expect(tool.description, tool.name).toBeTruthy()
    }
  })
})

describe('a map built node by node', () => {
  test('is built, activated, studied and measured through the tools', async () => {
    const { ok } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Fractions' })
    const node = (label: string, effort_minutes: number, ...parent_node_ids: string[]) =>
      ok('mind_map_node_create', { mind_map_id, label, effort_minutes, parent_node_ids })
    const { node_id: root } = await node('Fractions', 5)
    const { node_id: slow } = await node('Adding', 30, root)
    const { node_id: quick } = await node('Naming', 10, root)
    const { node_id: last } = await node('Dividing', 20, quick)
    expect(
      await ok('mind_map_edge_create', { parent_node_id: slow, child_node_id: last }),
    ).toMatchObject({ edge_type: 'prerequisite' })

    expect(await ok('mind_map_activate', { mind_map_id })).toEqual({
      mind_map_id,
      status: 'active',
      node_count: 4,
      edge_count: 4,
    })
    const map = await ok('mind_map_get', { mind_map_id })
    expect(map).toMatchObject({ status: 'active', root_node_id: root, title: 'Fractions' })
    expect(map.nodes.map((n: { label: string }) => n.label)).toEqual([
      'Fractions',
      'Naming',
      'Adding',
      'Dividing',
    ])
    const subtree = await ok('mind_map_subtree', { node_id: root })
    expect(subtree.nodes.map((n: { label: string }) => n.label)).toEqual([
      'Naming',
      'Adding',
      'Dividing',
    ])
    expect((await ok('curriculum_next_node', { mind_map_id })).node).toMatchObject({
      node_id: root,
      sequence: 1,
    })

    const answer = (quality: number, response_type: string, node_id = root) =>
      ok('mastery_record_response', {
        node_id,
        mind_map_id,
        question_text: 'What is a half?',
        quality,
        response_type,
      })
    expect(await answer(4, 'teach')).toMatchObject({
      mastery_status: 'learning',
      mastery_score: 0.8,
    })
    expect(await answer(4, 'teach')).toMatchObject({ mastery_status: 'reviewing' })
    for (let review = 1; review <= 2; review += 1) {
      expect(await answer(4, 'review')).toMatchObject({ mastery_status: 'reviewing' })
    }
    expect(await answer(5, 'review')).toMatchObject({
      mastery_status: 'mastered',
      map_status: 'active',
    })
    const frontier = await ok('mind_map_frontier', { mind_map_id })
    expect(frontier.nodes.map((n: { node_id: string }) => n.node_id)).toEqual([quick, slow])

    const { responses } = await ok('mastery_get_node_history', { node_id: root, limit: 2 })
    expect(responses.map((r: { quality: number }) => r.quality)).toEqual([5, 4])
    expect(await ok('mastery_get_map_summary', { mind_map_id })).toMatchObject({
      total: 4,
      by_status: { unseen: 3, diagnosed: 0, learning: 0, reviewing: 0, mastered: 1 },
      mastery_pct: 0.25,
    })
    for (let wrong = 0; wrong < 3; wrong += 1) await answer(1, 'teach', quick)
    for (let wrong = 0; wrong < 3; wrong += 1) await answer(1, 'teach', last)
    expect(await ok('mastery_detect_struggles', { mind_map_id })).toEqual({
      nodes: [
        { node_id: quick, label: 'Naming', reasons: ['consecutive_low_quality'] },
        { node_id: last, label: 'Dividing', reasons: ['consecutive_low_quality'] },
      ],
      subtrees: [quick],
    })

    const reviewed_at = '2020-01-01T00:00:00Z'
    expect(
      await ok('spaced_repetition_record_response', {
        node_id: root,
        mind_map_id,
        quality: 5,
        reviewed_at,
      }),
    ).toEqual({
      ease_factor: 2.6,
      repetitions: 1,
      interval_days: 1,
      next_review_at: '2020-01-02T00:00:00.000Z',
    })
    expect(await ok('spaced_repetition_pending_reviews', { mind_map_id })).toEqual({
      nodes: [
        {
          node_id: root,
          label: 'Fractions',
          ease_factor: 2.6,
          next_review_at: '2020-01-02T00:00:00.000Z',
        },
      ],
    })
    const replanned = await ok('curriculum_replan', { mind_map_id })
    expect(replanned).toMatchObject({ node_count: 4, edge_count: 4, added_node_ids: [] })

    const snapshot = await ok('analytics_get_snapshot', { mind_map_id })
    expect(snapshot.metrics).toMatchObject({ total_nodes: 4, mastered_nodes: 1, mastery_pct: 0.25 })
    expect((await ok('analytics_get_trend', { mind_map_id, days: 7 })).snapshots).toEqual([
      snapshot,
    ])
    expect((await ok('analytics_get_cross_topic')).maps).toContainEqual({
      mind_map_id,
      title: 'Fractions',
      metrics: snapshot.metrics,
    })
  })

  test('is told what it does wrong', async () => {
    const { ok, refused } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Wrong' })
    const { node_id: a } = await ok('mind_map_node_create', {
      mind_map_id,
      label: 'A',
      effort_minutes: 10,
    })
    const node = { mind_map_id, effort_minutes: 10 }
    expect(await refused('mind_map_node_create', { ...node, label: ' a ' })).toMatch(/several/)
    expect(await refused('mind_map_node_create', { ...node, label: 'B', depth: 6 })).toMatch(
      /depth/,
    )
    expect(
      await refused('mind_map_node_create', { mind_map_id, label: 'B', effort_minutes: 0 }),
    ).toMatch(/effort/)
    expect(await refused('mind_map_edge_create', { parent_node_id: a, child_node_id: a })).toMatch(
      /self-loop/,
    )
    expect(await refused('mind_map_get', { mind_map_id: a })).toMatch(/no such mind map/)
    expect(await refused('mind_map_get', { mind_map_id: 'nonsense' })).toBeTruthy()
    expect(
      await refused('mind_map_node_update', { node_id: a, mastery_status: 'mastered' }),
    ).toBeTruthy()
    expect(await refused('teaching_flow_get', { mind_map_id })).toMatch(/No teaching flow/)
    const { mind_map_id: other } = await ok('mind_map_create', { title: 'Other' })
    const { node_id: far } = await ok('mind_map_node_create', {
      mind_map_id: other,
      label: 'Far',
      effort_minutes: 5,
    })
    expect(
      await refused('mind_map_edge_create', { parent_node_id: a, child_node_id: far }),
    ).toMatch(/different maps/)
  })

  test('a concept takes new words, and the seed of a diagnosis made elsewhere', async () => {
    const { ok, refused } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Words' })
    const { node_id } = await ok('mind_map_node_create', {
      mind_map_id,
      label: 'Old',
      effort_minutes: 10,
    })
    const changes = { label: 'New', description: 'Better', metadata: { tags: ['x'] } }
    const seed = { mastery_status: 'diagnosed', mastery_score: 0.5 }
    expect(await ok('mind_map_node_update', { node_id, ...changes, ...seed })).toMatchObject({
      ...changes,
      ...seed,
    })
    await ok('mastery_record_response', {
      node_id,
      mind_map_id,
      question_text: '?',
      quality: 2,
      response_type: 'teach',
    })
    expect(await refused('mind_map_node_update', { node_id, ...seed })).toMatch(/only responses/)
  })
})

describe('what no database keeps', () => {
  test('NUL or half a surrogate pair in any argument is a tool error, and nothing is stored', async () => {
    const { ok, refused } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Texts' })
    const node = { mind_map_id, label: 'A', effort_minutes: 5 }
    const { node_id } = await ok('mind_map_node_create', node)
    const answer = { node_id, mind_map_id, question_text: '?', quality: 3 }
    for (const bad of ['\u0000', '\ud83d']) {
      const calls: [string, Record<string, unknown>][] = [
        ['mind_map_create', { title: `x${bad}` }],
        ['mind_map_node_create', { ...node, label: `B${bad}` }],
        ['mind_map_node_create', { ...node, label: 'B', description: bad }],
        ['mind_map_node_update', { node_id, label: `B${bad}` }],
        ['mind_map_node_update', { node_id, metadata: { deep: [{ note: bad }] } }],
        ['mastery_record_response', { ...answer, question_text: `x${bad}y` }],
        ['mastery_record_response', { ...answer, user_answer: bad }],
        ['mastery_record_response', { ...answer, response_id: `x${bad}` }],
        ['curriculum_generate', { mind_map_id, topic: `x${bad}` }],
        ['curriculum_generate', { mind_map_id, topic: 'x', goal: `x${bad}` }],
        ['curriculum_replan', { mind_map_id, reason: `x${bad}y` }],
        ['diagnostic_start', { mind_map_id, topic: `x${bad}` }],
        ['diagnostic_record_probe', { mind_map_id, node_label: `x${bad}`, quality: 3 }],
        ['teaching_flow_start', { topic: `algebra basics${bad}` }],
        ['teaching_flow_abandon', { mind_map_id, reason: `x${bad}` }],
      ]
      for (const [name, args] of calls) {
        expect(await refused(name, args), name).toMatch(/neither NUL nor half a surrogate pair/)
      }
    }
    const { nodes } = await ok('mind_map_get', { mind_map_id })
    expect(nodes).toMatchObject([{ label: 'A', description: '', metadata: {} }])
  })

  test('an effort that fits its schema but no column is refused with its label', async () => {
    const { ok, refused } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Efforts' })
    const node = { mind_map_id, label: 'Slow', effort_minutes: 3e9 }
    expect(await refused('mind_map_node_create', node)).toMatch(/1 to 10000.*"Slow"/)
    const { node_id } = await ok('mind_map_node_create', { ...node, effort_minutes: 10_000 })
    expect(await refused('mind_map_node_update', { node_id, effort_minutes: 10_001 })).toMatch(
      /1 to 10000.*"Slow"/,
    )
  })
})

describe('mind_map_subtree', () => {
  test('leaves out related children no more', async () => {
    const { ok } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Related' })
    const node = (label: string) =>
      ok('mind_map_node_create', { mind_map_id, label, effort_minutes: 5 })
    const [a, b] = [await node('A'), await node('B')]
    const edge = { parent_node_id: a.node_id, child_node_id: b.node_id, edge_type: 'related' }
    expect(await ok('mind_map_edge_create', edge)).toEqual(edge)
    const { nodes } = await ok('mind_map_subtree', { node_id: a.node_id })
    expect(nodes).toMatchObject([{ node_id: b.node_id, label: 'B' }])
  })
})

describe('a map of a course, without a model', () => {
  test(
    'is diagnosed and generated; the diagnosis seeds it',
    proves(
      '000 D4 Diagnostic assessment: The first probe targets the concept of median difficulty',
      '000 D4 Diagnostic assessment: A diagnosis seeds scores of 0.3 to 0.7, never 1.0',
    ),
    async () => {
      const { ok, refused } = house.tools
      const { mind_map_id } = await ok('mind_map_create', { title: 'Algebra' })
      const started = await ok('diagnostic_start', { mind_map_id, topic: 'algebra basics' })
      expect(started.inventory.length).toBeGreaterThanOrEqual(10)
      let { probe } = started
      expect(probe.rank).toBe(Math.floor(started.inventory.length / 2))
      const probed: string[] = []
      while (probe !== null) {
        probed.push(probe.node_label)
        const next = { mind_map_id, node_label: probe.node_label, quality: 4 }
        probe = (await ok('diagnostic_record_probe', next)).probe
      }
      expect(probed.length).toBeGreaterThanOrEqual(3)
      expect(probed.length).toBeLessThanOrEqual(7)
      const summary = await ok('diagnostic_complete', { mind_map_id })
      expect(summary.diagnostic_results).toHaveLength(probed.length)
      expect(
        await refused('diagnostic_record_probe', {
          mind_map_id,
          node_label: probed[0] ?? '',
          quality: 1,
        }),
      ).toMatch(/complete/)

      const generated = await ok('curriculum_generate', { mind_map_id, topic: 'algebra basics' })
      expect(generated).toMatchObject({ mind_map_id, status: 'active' })
      const map = await ok('mind_map_get', { mind_map_id })
      expect(map.nodes).toHaveLength(generated.node_count)
      const diagnosed = map.nodes.filter(
        (n: { mastery_status: string }) => n.mastery_status === 'diagnosed',
      )
      expect(diagnosed.map((n: { label: string }) => n.label).sort()).toEqual([...probed].sort())
      expect(diagnosed[0].mastery_score).toBe(0.5)
      expect(
        await refused('curriculum_generate', { mind_map_id, topic: 'algebra basics' }),
      ).toMatch(/active/)
    },
  )

  test('a topic that names units of a course has them for its goal', async () => {
    const { ok } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Linear equations' })
    const topic = 'linear equations'
    const { node_count } = await ok('curriculum_generate', { mind_map_id, topic })
    const { mind_map_id: whole } = await ok('mind_map_create', { title: 'Algebra' })
    const all = await ok('curriculum_generate', { mind_map_id: whole, topic: 'algebra basics' })
    expect(node_count).toBeLessThan(all.node_count)
    expect((await ok('mind_map_get', { mind_map_id })).metadata).toEqual({ goal: topic })
    expect((await ok('mind_map_get', { mind_map_id: whole })).metadata).toEqual({})
  })

  test('a goal that silently cuts nothing is told as ignored', async () => {
    const { ok, refused } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Algebra' })
    const topic = 'algebra basics'
    const asked = { mind_map_id, topic, goal: 'win at chess' }
    expect(await ok('curriculum_generate', asked)).toMatchObject({ goal_ignored: true })
    const { mind_map_id: cut } = await ok('mind_map_create', { title: 'Algebra' })
    const reached = { mind_map_id: cut, topic, goal: 'linear equations' }
    expect(await ok('curriculum_generate', reached)).not.toHaveProperty('goal_ignored')
    const { mind_map_id: fresh } = await ok('mind_map_create', { title: 'Algebra' })
    await ok('diagnostic_start', { mind_map_id: fresh, topic })
    expect(await refused('diagnostic_complete', { mind_map_id: fresh })).toBe(
      'No concept was probed yet; record a probe first.',
    )
  })

  test('a topic that no course covers is refused with the courses there are', async () => {
    const { ok, refused } = house.tools
    const { mind_map_id } = await ok('mind_map_create', { title: 'Byzantine coins' })
    expect(
      await refused('curriculum_generate', { mind_map_id, topic: 'Byzantine numismatics' }),
    ).toMatch(/no installed course covers/)
  })
})

describe('a teaching flow', () => {
  test('is started, seen, listed and abandoned; its map is changed by its arc alone', async () => {
    const { ok, refused } = house.tools
    const { arc_id, mind_map_id, status } = await ok('teaching_flow_start', {
      topic: 'algebra basics',
    })
    expect(status).toBe('PENDING')
    expect(await ok('teaching_flow_get', { mind_map_id })).toMatchObject({ arc_id, mind_map_id })
    const { flows } = await ok('teaching_flow_list')
    expect(flows.map((flow: { arc_id: string }) => flow.arc_id)).toContain(arc_id)
    expect((await ok('teaching_flow_list', { status: 'completed' })).flows).toEqual([])
    const changes: [string, Record<string, unknown>][] = [
      ['mind_map_node_create', { mind_map_id, label: 'Mine', effort_minutes: 5 }],
      ['mind_map_activate', { mind_map_id }],
      ['diagnostic_start', { mind_map_id, topic: 'algebra basics' }],
      ['diagnostic_complete', { mind_map_id }],
      ['curriculum_generate', { mind_map_id, topic: 'algebra basics' }],
    ]
    for (const [name, args] of changes) {
      expect(await refused(name, args), name).toContain(arc_id)
    }
    expect(await ok('teaching_flow_abandon', { mind_map_id, reason: 'enough' })).toEqual({
      status: 'ABANDONED',
    })
    expect(await ok('teaching_flow_abandon', { mind_map_id })).toEqual({ status: 'ABANDONED' })
  })
})

describe('ownership', () => {
  test('a map of another learner is not found, and is in no list of theirs', async () => {
    const { mind_map_id } = await house.tools.ok('mind_map_create', { title: 'Mine' })
    const other = await house.toolsOf('other')
    expect(await other.refused('mind_map_get', { mind_map_id })).toMatch(/no such mind map/)
    expect(
      await other.refused('mind_map_node_create', { mind_map_id, label: 'X', effort_minutes: 1 }),
    ).toMatch(/no such mind map/)
    const { mind_map_id: theirs } = await other.ok('mind_map_create', { title: 'Theirs' })
    expect((await house.tools.ok('mind_map_get', { mind_map_id: theirs })).title).toBe('Theirs')
    expect((await other.ok('teaching_flow_list')).flows).toEqual([])
  })
})
