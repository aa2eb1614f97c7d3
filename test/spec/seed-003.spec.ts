import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { ArcSettings } from '../../src/contracts/arc.ts'
import { ErrorPattern } from '../../src/contracts/llm.ts'
import {
  askQuestion,
  type Cycle,
  cycleOutcome,
  gradeQuestion,
  isSittingFull,
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

requirement('003 Learning cycle state machine', (scenario) => {
  scenario('The mastery threshold is 0.85 and can be set, up to 1.0', () => {
    expect(SETTINGS.masteryThreshold).toBe(0.85)
    expect(ArcSettings.parse({}).masteryThreshold).toBe(0.85)
    expect(ArcSettings.parse({ masteryThreshold: 1 }).masteryThreshold).toBe(1)
    expect(ArcSettings.safeParse({ masteryThreshold: 1.1 }).success).toBe(false)
  })

  scenario('The number of cycles can be configured', () => {
    const two = { ...SETTINGS, maxCycles: 1 }
    expect(cycleOutcome(quizzed(startCycles(), 0, 0, 0), two)).toBe('remediate')
    expect(ArcSettings.parse({}).maxCycles).toBe(5)
  })
})

requirement('003 Quiz question limits', (scenario) => {
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

requirement('003 Error patterns', (scenario) => {
  scenario('A pattern is conceptual, procedural or careless', () => {
    const pattern = { description: 'Drops the minus sign', suggested_remediation: 'Number line' }
    for (const pattern_type of ['conceptual', 'procedural', 'careless']) {
      expect(ErrorPattern.safeParse({ ...pattern, pattern_type }).success).toBe(true)
    }
    expect(ErrorPattern.safeParse({ ...pattern, pattern_type: 'lazy' }).success).toBe(false)
  })
})

const TABLES = {
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

requirement('003 Database extensions', (scenario) => {
  for (const [table, columns] of Object.entries(TABLES) as [keyof typeof TABLES, string[]][]) {
    scenario(`The table ${table} has the columns of the seed`, async () => {
      const { rows } = await sql<{ column_name: string }>`
        select column_name from information_schema.columns where table_name = ${table}
      `.execute(fresh.db)
      expect(rows.map((row) => row.column_name)).toEqual(expect.arrayContaining(columns))
    })
  }
})
