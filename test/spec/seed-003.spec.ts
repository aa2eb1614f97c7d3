import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { ArcSettings } from '../../src/contracts/arc.ts'
import { ErrorPattern } from '../../src/contracts/llm.ts'
import type { Role } from '../../src/domain/arc/flow.ts'
import type { Diagnosis } from '../../src/domain/diagnosis/diagnosis.ts'
import { learnerLevel, prerequisiteGaps } from '../../src/domain/diagnosis/summary.ts'
import {
  askQuestion,
  type Cycle,
  cycleOutcome,
  cycleScore,
  gradeQuestion,
  isSittingFull,
  nextCycle,
  startCycles,
} from '../../src/domain/learning-cycle/cycle.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { requirement } from './scenario.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

/** What a fresh arc starts with. */
const SETTINGS = ArcSettings.parse({})

/** A cycle whose quiz was answered with these qualities. */
function quizzed(cycle: Cycle, ...qualities: number[]): Cycle {
  return qualities.reduce((sofar, quality, index) => {
    const id = `${cycle.cycleNumber}-${index}`
    return gradeQuestion(askQuestion(sofar, id), id, quality)
  }, cycle)
}

const ROLES: Record<Role, true> = {
  coordinator: true,
  diagnostic: true,
  tutor: true,
  quiz: true,
  feedback: true,
  pathplanner: true,
}

requirement('003', 'Agent definitions', (scenario) => {
  scenario(
    'Roles are the six of the table, named in lower case, at most 30 characters, unique',
    () => {
      const names = Object.keys(ROLES)
      expect(names).toHaveLength(6)
      for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,30}$/)
    },
  )
})

requirement('003', 'Learning cycle state machine', (scenario) => {
  scenario('The mastery threshold is 0.85 and can be set, up to 1.0', () => {
    expect(SETTINGS.masteryThreshold).toBe(0.85)
    expect(ArcSettings.parse({}).masteryThreshold).toBe(0.85)
    expect(ArcSettings.parse({ masteryThreshold: 1 }).masteryThreshold).toBe(1)
    expect(ArcSettings.safeParse({ masteryThreshold: 1.1 }).success).toBe(false)
  })

  scenario('A quiz at or above the threshold ends the cycles, one below it begins the next', () => {
    const passed = quizzed(startCycles(), 5, 4, 3)
    expect([cycleScore(passed), cycleOutcome(passed, SETTINGS)]).toEqual([1, 'reviewing'])
    const failed = quizzed(startCycles(), 5, 4, 2)
    expect(cycleScore(failed)).toBeCloseTo(2 / 3)
    expect(cycleOutcome(failed, SETTINGS)).toBe('next-cycle')
    expect(nextCycle(failed)).toMatchObject({ cycleNumber: 2, missed: ['1-2'] })
  })

  scenario('After five cycles without mastery the path planner has to help', () => {
    let cycle = startCycles()
    for (let number = 1; number <= 4; number += 1) {
      cycle = quizzed(cycle, 1, 1, 1)
      expect(cycleOutcome(cycle, SETTINGS), `cycle ${number}`).toBe('next-cycle')
      cycle = nextCycle(cycle)
    }
    expect(cycleOutcome(quizzed(cycle, 1, 1, 1), SETTINGS)).toBe('remediate')
  })

  scenario('The number of cycles can be configured', () => {
    const two = { ...SETTINGS, maxCycles: 1 }
    expect(cycleOutcome(quizzed(startCycles(), 0, 0, 0), two)).toBe('remediate')
    expect(ArcSettings.parse({}).maxCycles).toBe(5)
  })
})

requirement('003', 'Quiz question limits', (scenario) => {
  scenario('A concept has one to three questions, a sitting three to ten', () => {
    for (const quizQuestions of [1, 2, 3]) {
      expect(ArcSettings.safeParse({ quizQuestions }).success).toBe(true)
    }
    for (const quizQuestions of [0, 4]) {
      expect(ArcSettings.safeParse({ quizQuestions }).success).toBe(false)
    }
    expect([9, 10].map(isSittingFull)).toEqual([false, true])
  })
})

requirement('003', 'Error patterns', (scenario) => {
  scenario('A pattern is conceptual, procedural or careless', () => {
    const pattern = { description: 'Drops the minus sign', suggested_remediation: 'Number line' }
    for (const pattern_type of ['conceptual', 'procedural', 'careless']) {
      expect(ErrorPattern.safeParse({ ...pattern, pattern_type }).success).toBe(true)
    }
    expect(ErrorPattern.safeParse({ ...pattern, pattern_type: 'lazy' }).success).toBe(false)
  })
})

requirement('003', 'Diagnostic results', (scenario) => {
  const concepts: Diagnosis['concepts'] = [
    { label: 'Numbers', difficulty: 'beginner', prerequisites: [] },
    { label: 'Equations', difficulty: 'intermediate', prerequisites: ['Numbers'] },
    { label: 'Systems', difficulty: 'expert', prerequisites: ['Equations'] },
  ]

  scenario('The learner level is beginner, intermediate or advanced, and gaps are named', () => {
    const answered = (...qualities: number[]): Diagnosis => ({
      concepts,
      probes: qualities.map((quality, index) => ({ label: concepts[index]?.label ?? '', quality })),
      depth: 'standard',
    })
    expect(learnerLevel(answered(0, 0, 0))).toBe('beginner')
    expect(learnerLevel(answered(5, 0, 0))).toBe('intermediate')
    expect(learnerLevel(answered(5, 5, 5))).toBe('advanced')
    expect(prerequisiteGaps(answered(0, 0, 0))).toEqual(['Numbers'])
    expect(prerequisiteGaps(answered(5, 0, 0))).toEqual(['Equations'])
  })
})

const TABLES: Record<string, string[]> = {
  agent_transitions: [
    ...['id', 'session_id', 'from_agent', 'to_agent', 'reason', 'message_excerpt', 'timestamp'],
  ],
  learning_cycles: [
    ...['id', 'user_id', 'session_id', 'topic', 'cycle_number', 'quiz_score'],
    ...['mastery_achieved', 'started_at', 'completed_at'],
  ],
  diagnostic_results: [
    ...['id', 'user_id', 'session_id', 'topic', 'prerequisite_gaps', 'learner_level'],
    ...['recommendations', 'timestamp'],
  ],
}

requirement('003', 'Database extensions', (scenario) => {
  for (const [table, columns] of Object.entries(TABLES)) {
    scenario(`The table ${table} has the columns of the seed`, async () => {
      const { rows } = await sql<{ column_name: string }>`
        select column_name from information_schema.columns where table_name = ${table}
      `.execute(fresh.db)
      expect(rows.map((row) => row.column_name)).toEqual(expect.arrayContaining(columns))
    })
  }
})
