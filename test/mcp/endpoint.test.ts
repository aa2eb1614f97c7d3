import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/api/app.ts'
import type { Api } from '../../src/api/http/environment.ts'
import { openToolHouse, type ToolHouse } from './tool-house.ts'

let house: ToolHouse
let app: Api

beforeAll(async () => {
  house = await openToolHouse({ withWorkers: false })
  app = createApp(house.dependencies)
})
afterAll(() => house.end())

function post(body: unknown, headers: Record<string, string> = {}, to: Api = app) {
  return to.request('http://127.0.0.1:3000/mcp', {
    method: 'POST',
    headers: {
      host: '127.0.0.1:3000',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

const call = (name: string, args: Record<string, unknown>) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** The answer, which comes as JSON or as the one event of a stream. */
async function answer(response: Response) {
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1]
  return JSON.parse(data ?? text)
}

describe('the endpoint of the whole app', () => {
  test('serves a call without a session, as the learner of local mode', async () => {
    const response = await post(call('mind_map_create', { title: 'Stateless' }))
    expect(response.status).toBe(200)
    const { result } = await answer(response)
    const { mind_map_id } = result.structuredContent
    expect(JSON.parse(result.content[0].text)).toEqual({ mind_map_id })
    const row = await house.db
      .selectFrom('mind_maps')
      .select('status')
      .where('id', '=', mind_map_id)
      .executeTakeFirst()
    expect(row?.status).toBe('creation')
  })

  test('tells a tool that refuses from a call that is none', async () => {
    const refused = await answer(await post(call('mind_map_create', { title: ' ' })))
    expect(refused.result).toMatchObject({ isError: true })
    expect(refused.result.content[0].text).toMatch(/title/)
    const unknown = await answer(await post(call('mind_map_destroy', {})))
    expect(unknown.error ?? unknown.result.isError).toBeTruthy()
    const extra = await answer(await post(call('mind_map_create', { title: 'A', owner: 'me' })))
    expect(extra.result).toMatchObject({ isError: true })
  })

  test('does not serve pages of other sites', async () => {
    const body = call('mind_map_create', { title: 'Foreign' })
    expect((await post(body, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(body, { host: 'evil.example' })).status).toBe(403)
    expect((await post(body, { origin: 'http://localhost:5173' })).status).toBe(200)
  })

  test('answers nonsense with an error of the protocol', async () => {
    const response = await post('{"jsonrpc": "2.0", "id"')
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect((await answer(response)).error).toMatchObject({ code: -32700 })
  })

  test('tells what goes wrong inside without its inside, and logs it', async () => {
    const created = await answer(await post(call('mind_map_create', { title: 'Algebra' })))
    const { mind_map_id } = created.result.structuredContent
    const logged: unknown[] = []
    const log = { ...house.dependencies.log, error: (entry: unknown) => logged.push(entry) }
    const broken = createApp({ ...house.dependencies, events: null, log } as never)
    const body = call('curriculum_generate', { mind_map_id, topic: 'algebra basics' })
    const { result } = await answer(await post(body, {}, broken))
    expect(result).toMatchObject({ isError: true })
    expect(result.content[0].text).toMatch(/unexpected error/)
    expect(logged).toMatchObject([{ tool: 'curriculum_generate', error: expect.any(TypeError) }])
  })
})
