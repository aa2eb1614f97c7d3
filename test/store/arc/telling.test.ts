import { afterAll, beforeAll, expect, test } from 'vitest'
import { ArcSettings } from '../../../src/contracts/arc.ts'
import { createArc } from '../../../src/store/arc/arcs.ts'
import { faultTold, inputSetAsideTold } from '../../../src/store/arc/telling.ts'
import { ensureLearner } from '../../../src/store/learners.ts'
import { readEvents } from '../../../src/store/spine/events.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

const TEXT = { en: 'It is held up.', de: 'Es hängt fest.' }

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test.each([
  ['as set', { language: 'de-AT' }, { language: 'en' }, TEXT.de],
  ['as the learner writes', {}, { language: 'de' }, TEXT.de],
  ['in English where nothing is known', {}, {}, TEXT.en],
  ['in English before the first decision', {}, null, TEXT.en],
])(
  'what no rule can say is said in the language of the arc: %s',
  async (_, settings, state, said) => {
    const { db } = database
    const learner = await ensureLearner(db, 'ada')
    const arc = await createArc(db, {
      ...{ learnerId: learner.id, topic: 'Sums', goal: null, courseId: null, goalUnitIds: [] },
      ...{ tutor: 'offline', settings: ArcSettings.parse(settings) },
    })
    await db
      .updateTable('entities')
      .set({ state: state && JSON.stringify(state) })
      .where('id', '=', arc.id)
      .execute()
    const fault = { since: '2030-01-01T00:00:00.000Z', retryAt: Date.UTC(2030, 0, 1, 1) }
    for (const statement of [
      ...faultTold(db, arc.id, fault, TEXT),
      ...inputSetAsideTold(db, arc.id, 'm-1', TEXT),
    ]) {
      await db.executeQuery(statement)
    }
    const events = await readEvents(db, arc.id, 0)
    const told = events.filter(({ type }) => type === 'message')
    expect(told.map(({ data }) => (data as { text: string }).text)).toEqual([said, said])
  },
)
