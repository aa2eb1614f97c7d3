import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTelegramHouse, type TelegramHouse } from '../support/telegram-house.ts'

const SECRET = 'a-secret_of-the-webhook'
const HEADER = 'X-Telegram-Bot-Api-Secret-Token'

let house: TelegramHouse

beforeAll(async () => {
  house = await openTelegramHouse(SECRET)
}, 120_000)

afterAll(() => house.stop())

const update = (text: string) => ({
  update_id: 1,
  message: {
    ...{ message_id: 1, date: 0, text },
    chat: { id: 9, type: 'private', first_name: 'Eve' },
    from: { id: 9, is_bot: false, first_name: 'Eve' },
  },
})

const post = (headers: Record<string, string>, body: unknown = update('hello')) =>
  fetch(`${house.url}/webhook/telegram`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('Telegram is told the address and the secret, and which updates are wanted', async () => {
  await house.chat('first')
  const [call] = house.telegram.calls.filter(({ method }) => method === 'setWebhook')
  expect(call?.params).toEqual({
    url: `${house.url}/webhook/telegram`,
    secret_token: SECRET,
    allowed_updates: ['message', 'callback_query', 'my_chat_member'],
  })
  expect(house.telegram.calls.map(({ method }) => method)).not.toContain('getUpdates')
})

test.each([
  ['no secret', {}],
  ['a wrong one', { [HEADER]: 'another' }],
  ['one of the same length', { [HEADER]: SECRET.replace('a', 'b') }],
])('an update with %s is refused and changes nothing', async (_, headers) => {
  const before = house.telegram.calls.length
  const answer = await post(headers as Record<string, string>)
  expect(answer.status).toBe(401)
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(house.telegram.calls.length).toBe(before)
})

test('an update with the secret is taken, whatever name it came by', async () => {
  const answer = await post({ [HEADER]: SECRET })
  expect(answer.status).toBe(200)
})

test('without a secret there is no such address', async () => {
  const answer = await fetch(`${house.api.url}/webhook/telegram`, { method: 'POST' })
  expect(answer.status).toBe(404)
})

test('the conversation goes both ways, any process taking what is posted', async () => {
  const other = await house.another()
  const chat = await house.chat('posted')
  chat.say('/new Sums')
  const question = await chat.until(/What is (\d+) \+ (\d+)\?/)
  const { id } = chat.say('hint')
  const reply = await chat.until(/./, id)
  expect(reply.replyTo).toBe(id)
  expect(question.id).toBeLessThan(reply.id)
  await other.stop()
})
