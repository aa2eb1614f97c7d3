import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  beginLink,
  channelGone,
  confirmLink,
  readChannels,
} from '../../src/store/agenda/channels.ts'
import type { Db } from '../../src/store/database.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

const soon = () => new Date(Date.now() + 600_000)

async function asked(handle: string, code: string, until = soon()) {
  const { id } = await ensureLearner(db, handle)
  await beginLink(db, {
    learnerId: id,
    channel: 'telegram',
    address: {},
    code: { text: code, until },
  })
  return id
}

describe('linking a chat', () => {
  test('a code that is wrong unlinked the chat it came from', async () => {
    const id = await asked('rosa', 'ROSA')
    await confirmLink(db, 'telegram', 'ROSA', { chatId: '1' })
    expect(await confirmLink(db, 'telegram', 'WRONG', { chatId: '1' })).toBeNull()
    expect(await readChannels(db, id)).toMatchObject([{ status: 'linked' }])
  })

  test('a code counts once, and for its time only', async () => {
    await asked('carl', 'CARL')
    expect(await confirmLink(db, 'telegram', 'CARL', { chatId: '2' })).toMatchObject({
      status: 'linked',
    })
    expect(await confirmLink(db, 'telegram', 'CARL', { chatId: '3' })).toBeNull()
    await asked('late', 'LATE', new Date(Date.now() - 1_000))
    expect(await confirmLink(db, 'telegram', 'LATE', { chatId: '4' })).toBeNull()
  })

  test('whoever links a chat anew takes it over', async () => {
    const first = await asked('ada', 'ADA')
    await confirmLink(db, 'telegram', 'ADA', { chatId: '5' })
    const second = await asked('bob', 'BOB')
    await confirmLink(db, 'telegram', 'BOB', { chatId: '5' })
    expect(await readChannels(db, first)).toEqual([])
    expect(await readChannels(db, second)).toMatchObject([{ status: 'linked' }])
  })

  test('a linked chat is in use until the code for another one is back', async () => {
    const id = await asked('eve', 'EVE1')
    await confirmLink(db, 'telegram', 'EVE1', { chatId: '6' })
    await asked('eve', 'EVE2')
    expect(await readChannels(db, id)).toMatchObject([
      { status: 'linked', address: { chatId: '6' } },
    ])
    await confirmLink(db, 'telegram', 'EVE2', { chatId: '7' })
    expect(await readChannels(db, id)).toMatchObject([
      { status: 'linked', address: { chatId: '7' } },
    ])
  })

  test('a chat that is gone can be linked again by a code', async () => {
    const id = await asked('max', 'MAX1')
    const row = await confirmLink(db, 'telegram', 'MAX1', { chatId: '8' })
    await channelGone(db, row?.id ?? '', 'blocked')
    expect(await readChannels(db, id)).toMatchObject([{ status: 'pending', failure: 'blocked' }])
    await asked('max', 'MAX2')
    await confirmLink(db, 'telegram', 'MAX2', { chatId: '8' })
    expect(await readChannels(db, id)).toMatchObject([{ status: 'linked', failure: null }])
  })
})
