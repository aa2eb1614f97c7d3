import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { ArcPhase, ArcSettings } from '../../src/contracts/arc.ts'
import { ForbiddenMove, moveTo, type ArcPhase as Phase } from '../../src/domain/arc/phase.ts'
import type { Diagnosis } from '../../src/domain/diagnosis/diagnosis.ts'
import { nextProbe } from '../../src/domain/diagnosis/probes.ts'
import { seedScore } from '../../src/domain/mastery/score.ts'
import { frontier } from '../../src/domain/mind-map/frontier.ts'
import { dueReviews, schedulerFor } from '../../src/domain/spaced-repetition/scheduler.ts'
import { sm2 } from '../../src/domain/spaced-repetition/sm2.ts'
import { findSnapshot, takeAllSnapshots } from '../../src/store/analytics.ts'
import { sampleMap, sampleNode } from '../domain/mind-map/sample-map.ts'
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

requirement('000', 'D1 Mind map storage', (scenario) => {
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

const FRESH = { easeFactor: 2.5, repetitions: 0, intervalDays: 0 }

requirement('000', 'D2 Spaced repetition', (scenario) => {
  scenario(
    'Successful recalls are due after 1 day, then 6, then the last interval times the ease',
    () => {
      const first = sm2(FRESH, 4)
      const second = sm2(first, 4)
      const third = sm2(second, 4)
      expect([first, second, third]).toEqual([
        { easeFactor: 2.5, repetitions: 1, intervalDays: 1 },
        { easeFactor: 2.5, repetitions: 2, intervalDays: 6 },
        { easeFactor: 2.5, repetitions: 3, intervalDays: 15 },
      ])
    },
  )

  scenario('A failed recall starts again at one day', () => {
    for (const quality of [0, 1, 2]) {
      const after = sm2({ easeFactor: 2.5, repetitions: 5, intervalDays: 40 }, quality)
      expect(after).toMatchObject({ repetitions: 0, intervalDays: 1 })
    }
  })

  scenario('The ease moves with every quality and never falls below 1.3', () => {
    const changes = [0, 1, 2, 3, 4, 5].map((quality) => sm2(FRESH, quality).easeFactor - 2.5)
    for (const [quality, change] of [-0.8, -0.54, -0.32, -0.14, 0, 0.1].entries()) {
      expect(changes[quality], `quality ${quality}`).toBeCloseTo(change, 10)
    }
    expect(sm2({ ...FRESH, easeFactor: 1.3 }, 0).easeFactor).toBe(1.3)
  })

  scenario('The next review is the computed interval after this one', () => {
    const at = Date.UTC(2026, 2, 1)
    const state = { ...FRESH, repetitions: 1, intervalDays: 1, lastReviewedAt: null }
    const { nextReviewAt } = schedulerFor('sm2').review(state, 4, at, 86_400_000)
    expect(new Date(nextReviewAt).toISOString()).toBe('2026-03-07T00:00:00.000Z')
  })

  scenario('At most 20 reviews of one map are pending in one session', () => {
    const nodes = Array.from({ length: 25 }, (_, index) =>
      sampleNode(`n${index}`, { masteryStatus: 'reviewing', nextReviewAt: index }),
    )
    expect(dueReviews(sampleMap(nodes), 1_000)).toHaveLength(20)
  })
})

const SEED_MOVES: [Phase, Phase][] = [
  ['PENDING', 'DIAGNOSING'],
  ['DIAGNOSING', 'PLANNING'],
  ['PLANNING', 'TEACHING'],
  ['TEACHING', 'QUIZZING'],
  ['QUIZZING', 'REVIEWING'],
  ['REVIEWING', 'TEACHING'],
  ['REVIEWING', 'COMPLETED'],
]

requirement('000', 'D3 Teaching flow state machine', (scenario) => {
  scenario('The flow takes the moves of the state diagram', () => {
    for (const [from, to] of SEED_MOVES) expect(moveTo(from, to)).toBe(to)
  })

  scenario(
    'A flow can be abandoned from every state that is not terminal, and from those nothing leads on',
    () => {
      for (const phase of ArcPhase.options) {
        const isTerminal = phase === 'COMPLETED' || phase === 'ABANDONED'
        if (isTerminal) expect(() => moveTo(phase, 'TEACHING')).toThrow(ForbiddenMove)
        else expect(moveTo(phase, 'ABANDONED')).toBe('ABANDONED')
      }
    },
  )

  scenario('Any other move is an error that names it', () => {
    expect(() => moveTo('PENDING', 'QUIZZING')).toThrow(/PENDING to QUIZZING/)
    expect(() => moveTo('DIAGNOSING', 'TEACHING')).toThrow(/DIAGNOSING to TEACHING/)
    expect(() => moveTo('PLANNING', 'DIAGNOSING')).toThrow(ForbiddenMove)
  })

  scenario('The flow state has the fields of the seed', async () => {
    const { mind_map_id } = await world.tools.ok('teaching_flow_start', { topic: 'Anything' })
    const flow = await world.tools.ok('teaching_flow_get', { mind_map_id })
    expect(Object.keys(flow)).toEqual(
      expect.arrayContaining([
        'status',
        'mind_map_id',
        'current_node_id',
        'current_phase',
        'diagnostic_results',
        'session_count',
        'started_at',
        'last_session_at',
      ]),
    )
    expect(ArcPhase.safeParse(flow.status).success).toBe(true)
    await world.tools.ok('teaching_flow_abandon', { mind_map_id })
  })
})

const INVENTORY = Array.from({ length: 12 }, (_, index) => ({
  label: `C${index + 1}`,
  difficulty: (['beginner', 'intermediate', 'expert'] as const)[Math.floor(index / 4)] ?? 'expert',
  prerequisites: [],
}))

/** Asks until enough is known; the labels asked about, in order. */
function probed(quality: (label: string) => number): string[] {
  const diagnosis: Diagnosis = { concepts: INVENTORY, probes: [], depth: 'standard' }
  for (let probe = nextProbe(diagnosis); probe; probe = nextProbe(diagnosis)) {
    diagnosis.probes.push({ label: probe.label, quality: quality(probe.label) })
  }
  return diagnosis.probes.map(({ label }) => label)
}

const rank = (label: string | undefined) => Number(label?.slice(1))

requirement('000', 'D4 Diagnostic assessment', (scenario) => {
  scenario('The first probe targets the concept of median difficulty', () => {
    expect(probed(() => 4)[0]).toBe('C6')
  })

  scenario('A right answer leads to a harder concept, a wrong one to an easier one', () => {
    expect(rank(probed(() => 3)[1])).toBeGreaterThan(6)
    expect(rank(probed(() => 2)[1])).toBeLessThan(6)
  })

  scenario('Three to seven probes are asked, none twice', () => {
    for (let known = 0; known <= INVENTORY.length; known += 1) {
      const asked = probed((label) => (rank(label) <= known ? 5 : 0))
      expect(asked.length, `${known} known`).toBeGreaterThanOrEqual(3)
      expect(asked.length, `${known} known`).toBeLessThanOrEqual(7)
      expect(new Set(asked).size).toBe(asked.length)
    }
  })

  scenario('A diagnosis seeds scores of 0.3 to 0.7, never 1.0', () => {
    expect([3, 4, 5].map(seedScore)).toEqual([0.3, 0.5, 0.7])
    expect([0, 1, 2].map(seedScore)).toEqual([0, 0, 0])
  })

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

requirement('000', 'D5 Curriculum planning', (scenario) => {
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

requirement('000', 'D6 Learning analytics', (scenario) => {
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

requirement('000', 'D8 Quiz response storage', (scenario) => {
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

requirement('000', 'Open questions', (scenario) => {
  scenario('How deep a topic goes is a setting of the arc', () => {
    expect(ArcSettings.parse({})).toMatchObject({ maxNodes: 30, maxDepth: 5 })
    expect(ArcSettings.parse({ maxNodes: 100, maxDepth: 8 })).toMatchObject({ maxNodes: 100 })
    expect(ArcSettings.safeParse({ maxNodes: 4 }).success).toBe(false)
  })

  scenario(
    'Arcs unlock what comes next at reviewing unless told otherwise',
    () => {
      const nodes = [
        sampleNode('a', { masteryStatus: 'reviewing', nextReviewAt: 1 }),
        sampleNode('b'),
      ]
      const map = sampleMap(nodes, ['a>b'])
      expect(ArcSettings.parse({}).unlockAt).toBe('reviewing')
      expect(frontier(map, 'reviewing').map(({ id }) => id)).toEqual(['b'])
      expect(frontier(map, 'mastered')).toEqual([])
    },
    'on purpose, against the strict rule of D1: a learner would wait about three weeks at every level',
  )
})
