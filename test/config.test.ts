import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'

test('MENO_AUTH=token, which would let everybody in as everybody, is refused as long as there is no log-in', () => {
  expect(() => readConfig({ MENO_AUTH: 'token' })).toThrow(ConfigError)
  expect(() => readConfig({ MENO_AUTH: 'token' })).toThrow(/^MENO_AUTH: there is no log-in yet/)
})

test.each(['', 'local'])('MENO_AUTH="%s" is the one learner on loopback', (MENO_AUTH) => {
  expect(readConfig({ MENO_AUTH })).toMatchObject({ auth: 'local', host: '127.0.0.1' })
})

test.each(['0.0.0.0', '192.168.1.5', 'meno.example.org'])('HOST=%s is refused', (HOST) => {
  expect(() => readConfig({ HOST })).toThrow(/^HOST: .*loopback only/)
})

test('prices of models are dollars for a million tokens; what cannot be read is refused', () => {
  const prices = { 'some-model': { input: 3, output: 15, cacheRead: 0.3 } }
  expect(readConfig({ MENO_MODEL_PRICES: JSON.stringify(prices) }).modelPrices).toEqual(prices)
  expect(readConfig({ MENO_MODEL_PRICES: '' }).modelPrices).toEqual({})
  for (const wrong of ['3', '{"m":{"input":-1,"output":1}}', '{"m":{"input":1}}', 'a lot']) {
    expect(() => readConfig({ MENO_MODEL_PRICES: wrong })).toThrow(/^MENO_MODEL_PRICES: /)
  }
})

const SMTP_URL = 'smtp://mail.example:587'
const MAIL_FROM = 'Meno <meno@mail.example>'

test('mail is off without a server, and needs a sender with one', () => {
  expect(readConfig({ MAIL_FROM }).mail).toBeNull()
  expect(readConfig({ SMTP_URL, MAIL_FROM }).mail).toEqual({
    ...{ smtpUrl: SMTP_URL, from: MAIL_FROM, replyTo: null },
  })
  expect(() => readConfig({ SMTP_URL })).toThrow(/^MAIL_FROM: /)
})

test.each([
  ['SMTP_URL', 'https://mail.example'],
  ['MAIL_FROM', 'Meno'],
  ['MAIL_FROM', 'a@b.example, c@d.example'],
  ['MAIL_FROM', 'Meno <meno@mail.example>\nBcc: a@b.example'],
  ['MAIL_REPLY_TO', 'nobody'],
])('%s=%j is refused, and named', (name, setting) => {
  const read = () => readConfig({ SMTP_URL, MAIL_FROM, [name]: setting })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(new RegExp(`^${name}: `))
})

test('TELEGRAM_WEBHOOK_SECRET that Telegram would refuse is refused', () => {
  expect(() => readConfig({ TELEGRAM_WEBHOOK_SECRET: 'with a blank' })).toThrow(
    /^TELEGRAM_WEBHOOK_SECRET: up to 256 letters/,
  )
  expect(() => readConfig({ TELEGRAM_WEBHOOK_SECRET: 'a'.repeat(257) })).toThrow(ConfigError)
  const { telegram } = readConfig({ TELEGRAM_BOT_TOKEN: '1:a', TELEGRAM_WEBHOOK_SECRET: 'a_B-9' })
  expect(telegram?.webhookSecret).toBe('a_B-9')
})

test.each([
  ['DATABASE_URL', 'nonsense'],
  ['DATABASE_URL', 'https://db.example/meno'],
  ['LMS_WEBHOOK_URL', 'nonsense'],
  ['LMS_WEBHOOK_URL', 'ftp://lms.example/'],
])('%s=%j is refused in one line that names it', (name, setting) => {
  expect(() => readConfig({ [name]: setting })).toThrow(new RegExp(`^${name}: .+$`))
})

test.each([
  ['postgresql://meno@localhost:5432/meno'],
  ['postgres://meno:p%40ss@db.example/meno?sslmode=require'],
  ['postgresql:///meno?host=/var/run/postgresql'],
  ['postgresql://meno@/meno?host=/var/run/postgresql'],
  ['/var/run/postgresql meno'],
])('DATABASE_URL=%s is taken', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})
