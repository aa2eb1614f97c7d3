import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Channel, Sending } from '../../src/channels/channel.ts'
import { readUnsubscribeToken } from '../../src/channels/email/unsubscribe-token.ts'
import { createAddressConfirmation, createEmailChannel } from '../../src/channels/email.ts'
import type { Notice } from '../../src/contracts/channel.ts'
import { type MailServer, PASSWORD, type Step, startMailServer, USER } from './mail-server.ts'
import { HOSTILE_NAMES, sampleNotices } from './sample-notices.ts'

const SECRET = 'a secret of the test'
const ADDRESS = { address: 'lea@example.org' }
const learnerId = randomUUID()
const from = 'Meno <meno@mail.example>'
const [reviews, digest, stale] = sampleNotices('en') as [Notice, Notice, Notice, Notice]

let server: MailServer

beforeEach(async () => {
  server = await startMailServer()
})
afterEach(() => server.stop())

const channelAt = (smtpUrl: string, replyTo: string | null = null): Channel =>
  createEmailChannel({ smtpUrl, from, replyTo }, SECRET)

const sending = (more: Partial<Sending> = {}): Sending => ({
  key: randomUUID(),
  learnerId,
  pageUrl: 'https://meno.example',
  signal: AbortSignal.timeout(20_000),
  ...more,
})

const send = (notice: Notice, more: Partial<Sending> = {}, address: object = ADDRESS) =>
  channelAt(server.url).send({ ...address }, notice, sending(more))

/** The mail that came last, read by another library. */
async function lastMail() {
  const { raw, ...envelope } = server.mails.at(-1) ?? { raw: '', from: '', to: [] }
  const mail = await PostalMime.parse(raw)
  const header = (name: string) =>
    mail.headers.filter(({ key }) => key === name.toLowerCase()).map(({ value }) => value)
  return { ...mail, envelope, raw, header }
}

const SUBJECTS = {
  en: {
    reviews: '3 reviews are due: Fractions, Python',
    digest: 'Your week: 31 answers on 5 days',
    stale: '“Fractions” will be closed in a week',
    'locked-exam': 'An exam question is open again: Linear equations',
  },
  de: {
    reviews: '3 Wiederholungen stehen an: Bruchrechnung, Python',
    digest: 'Deine Woche: 31 Antworten an 5 Tagen',
    stale: '„Bruchrechnung“ wird in einer Woche geschlossen',
    'locked-exam': 'Eine Prüfungsfrage ist wieder offen: Lineare Gleichungen',
  },
}

describe.each(['en', 'de'] as const)('in %s', (language) => {
  test.each(sampleNotices(language).map((notice) => [notice.kind, notice] as const))(
    'a notice of %s says everything twice: in HTML and in text',
    async (_, notice) => {
      await send(notice)
      const { subject, html = '', text = '', to, from: sender } = await lastMail()
      expect(subject).toBe(SUBJECTS[language][notice.kind])
      expect(sender).toEqual({ name: 'Meno', address: 'meno@mail.example' })
      expect(to).toEqual([{ name: '', address: 'lea@example.org' }])
      const open = `https://meno.example${notice.path}`
      expect(html).toContain(`href="${open}"`)
      expect(text).toContain(open)
      expect(html).toContain(`<html lang="${language}">`)
      const said = [
        ...[
          notice.digest ? '' : notice.text,
          notice.title,
          notice.action,
          ...notice.items.map(({ topic }) => topic),
        ],
        ...(notice.digest?.trends ?? []),
        ...(notice.digest?.achievements ?? []),
        ...(notice.digest?.struggles ?? []),
        ...(notice.digest?.nextWeek ?? []),
      ]
      for (const words of said) {
        expect(html).toContain(words)
        expect(text).toContain(words)
      }
      const replies = language === 'de' ? 'Antworte bitte in Meno' : 'please answer in Meno'
      expect(html).toContain(replies)
      expect(text).toContain(replies)
    },
  )
})

test('formulas are text, and a model can neither lead elsewhere nor load anything', async () => {
  await send(reviews)
  expect((await lastMail()).text).toContain('Adding fractions: 1/2 + 1/3')
  const body = 'In $x_1^2$ *see* [here](https://evil.example) ![it](https://evil.example/i.png)'
  const raw = '<img src="https://evil.example/p.gif"><b onclick="x()">bold</b>'
  await send({ ...digest, digest: { ...digest.digest, body: `${body}\n\n${raw}` } as never })
  const { html = '', text = '' } = await lastMail()
  expect(html).toContain('In x₁² <em>see</em> here it')
  expect(text).toContain('In x₁² see here it\n')
  expect(text).not.toContain('evil.example/i')
  expect(html).toContain('&lt;img')
  expect(html).not.toMatch(/<img|<b |src="|url\(|@import/)
  const leads = [...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url)
  expect(leads.filter((url) => !url?.startsWith('https://meno.example/'))).toEqual([])
})

test('a model may use all of Markdown, and it stays readable as text', async () => {
  const body = [
    '## One **thing**',
    'First\\\nline, `x < y`, ~~gone~~, 5 < 6 & 7',
    '1. one\n   - within\n2. two',
    '- [x] done\n- [ ] to do',
    '> said\n> so',
    '| a | b |\n| - | - |\n| $\\frac{1}{2}$ | 2 |',
    '```\ncode <b>\n```',
    '$$a^2 + b^2 = c^2$$',
    '---',
    `${'> '.repeat(3)}deep`,
  ].join('\n\n')
  await send({ ...digest, digest: { ...digest.digest, body } as never })
  const { text = '', html = '' } = await lastMail()
  expect(text.replaceAll('\r\n', '\n')).toContain(
    [
      'One thing',
      'First\nline, x < y, gone, 5 < 6 & 7',
      '1. one\n  - within\n2. two',
      '- [x] done\n- [ ] to do',
      '> said\n> so',
      'a | b\n1/2 | 2',
      'code <b>',
      'a² + b² = c²',
      '> > > deep',
    ].join('\n\n'),
  )
  expect(html).toContain('code &lt;b&gt;')
  expect(html).toContain('5 &lt; 6 &amp; 7')
})

test.each(['> ', '- ', '**', '[', '$', '`', '| '])(
  'thousands of %j from a model are a mail all the same',
  async (sign) => {
    const body = sign.repeat(3_000)
    await send({ ...digest, digest: { ...digest.digest, body } as never })
    expect((await lastMail()).subject).toBe(digest.title)
  },
)

test.each(HOSTILE_NAMES)('the name %j stays a name', async (name) => {
  const items = [{ ...(reviews.items[0] as Notice['items'][0]), topic: name, label: name }]
  await send({ ...reviews, title: name, text: `So: ${name}`, action: name, items })
  const { html = '', text = '', subject = '', header, envelope, to, cc, bcc } = await lastMail()
  expect(envelope.to).toEqual(['lea@example.org'])
  expect({ to: to?.length, cc, bcc }).toEqual({ to: 1, cc: undefined, bcc: undefined })
  expect(header('bcc')).toEqual([])
  expect(header('subject')).toHaveLength(1)
  expect(subject).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
  expect([...subject].length).toBeLessThanOrEqual(120)
  // As many elements as with a name that is harmless.
  const shape = (of: string) => of.match(/<\/?[a-z][a-z0-9]*/g)
  await send({
    ...reviews,
    title: 'A',
    text: 'B',
    action: 'C',
    items: [{ ...items[0], topic: 'D', label: 'E' } as never],
  })
  const plain = await lastMail()
  expect(shape(html)).toEqual(shape(plain.html ?? ''))
  expect(text.split('https://meno.example/').length).toBe(
    plain.text?.split('https://meno.example/').length,
  )
})

test('a digest of a model may have a headline of its own, and says nothing twice', async () => {
  await send(digest)
  const { text = '' } = await lastMail()
  for (const line of [digest.title, ...(digest.digest?.trends ?? [])]) {
    expect(text.split(line)).toHaveLength(2)
  }
  const own = { ...digest.digest, headline: 'Fractions have settled.' } as Notice['digest']
  await send({ ...digest, digest: own as never })
  expect((await lastMail()).text).toContain('Fractions have settled.')
})

test('emoji and other scripts arrive as they are', async () => {
  await send({ ...reviews, title: '🦊 Füchse, 日本語, שברים', items: [] })
  const { subject, raw } = await lastMail()
  expect(subject).toBe('🦊 Füchse, 日本語, שברים')
  expect(raw.split('\r\n\r\n')[0]).toMatch(/^[\x20-\x7e\r\n\t]*$/)
})

test.each([
  'lea@example.org\r\nBcc: victim@example.org',
  'lea@example.org, victim@example.org',
  'Lea <lea@example.org>',
  '"a b"@example.org',
  'lea@exa mple.org',
  'lea@-bad-.org',
  `${'a'.repeat(65)}@example.org`,
  'lea',
  '',
])('the address %j is refused before anything is sent', async (address) => {
  await expect(send(reviews, {}, { address })).rejects.toMatchObject({ kind: 'refused' })
  expect(server.mails).toEqual([])
})

test('an address in letters of another script goes out as the wire wants it', async () => {
  await send(reviews, {}, { address: 'lea@bücher.example' })
  expect((await lastMail()).raw).toMatch(/^To: lea@xn--bcher-kva\.example\r$/m)
})

test.each(['Meno <meno@mail.example>\r\nBcc: a@b.example', 'Meno', 'a@b.example, c@d.example', ''])(
  'a sender such as %j is refused at the start',
  (sender) => {
    const settings = { smtpUrl: server.url, from: sender, replyTo: null }
    expect(() => createEmailChannel(settings, SECRET)).toThrow('is not an address')
  },
)

test('headers: machines do not answer, one click stops the mail, and only over https', async () => {
  await send(reviews)
  const { header } = await lastMail()
  expect(header('Auto-Submitted')).toEqual(['auto-generated'])
  expect(header('List-Unsubscribe-Post')).toEqual(['List-Unsubscribe=One-Click'])
  const [link = ''] = header('List-Unsubscribe')
  const [, token = ''] = /^<https:\/\/meno\.example\/unsubscribe\/([\w-]+)>$/.exec(link) ?? []
  expect(readUnsubscribeToken(SECRET, token)?.learnerId).toBe(learnerId)
  expect(readUnsubscribeToken('another secret', token)).toBeNull()
  await send(reviews, { pageUrl: 'http://127.0.0.1:3000' })
  const local = await lastMail()
  expect(local.header('List-Unsubscribe-Post')).toEqual([])
  expect(local.header('List-Unsubscribe')[0]).toContain('http://127.0.0.1:3000/unsubscribe/')
})

test('a try again has the same id; reviews of one topic are one thread, other topics and kinds are others', async () => {
  const key = randomUUID()
  const of = async (notice: Notice, more: Partial<Sending> = {}) => {
    const reference = await send(notice, more)
    const { messageId, references, inReplyTo } = await lastMail()
    expect(reference).toEqual({ messageId })
    expect(inReplyTo).toBe(references)
    return { messageId, references }
  }
  const fractions = { ...reviews, items: reviews.items.slice(0, 1) }
  const python = { ...reviews, items: reviews.items.slice(1, 2) }
  const first = await of(fractions, { key })
  expect(first.messageId).toMatch(/^<[\w-]{32}@mail\.example>$/)
  expect(await of(fractions, { key })).toEqual(first)
  const next = await of(fractions)
  expect(next.messageId).not.toBe(first.messageId)
  expect(next.references).toBe(first.references)
  const threads = [first, await of(python), await of(reviews), await of(digest), await of(stale)]
  expect(new Set(threads.map(({ references }) => references)).size).toBe(5)
  expect((await of(fractions, { learnerId: randomUUID() })).references).not.toBe(first.references)
})

test('replies go where the setting says, and the mail says so', async () => {
  await send(reviews)
  expect((await lastMail()).replyTo).toBeUndefined()
  await channelAt(server.url, 'Help <help@mail.example>').send(ADDRESS, reviews, sending())
  const { replyTo, text } = await lastMail()
  expect(replyTo).toEqual([{ name: 'Help', address: 'help@mail.example' }])
  expect(text).toContain('Replies go to the people who run this Meno')
})

describe('what a failure means', () => {
  test.each<[Step, string, string]>([
    ['recipient', '550 5.1.1 no such user', 'gone'],
    ['recipient', '550 5.2.1 mailbox disabled', 'gone'],
    ['recipient', '550 relaying denied', 'refused'],
    ['recipient', '550 5.7.1 relaying denied', 'refused'],
    ['recipient', '450 4.2.0 greylisted, come again', 'unavailable'],
    ['recipient', 'cut', 'unavailable'],
    ['connect', '421 too many connections', 'unavailable'],
    ['connect', '554 no service', 'unavailable'],
    ['connect', 'cut', 'unavailable'],
    ['sender', '553 5.7.1 not your sender', 'unavailable'],
    ['sender', '451 4.3.0 try later', 'unavailable'],
    ['sender', 'cut', 'unavailable'],
    ['text', '554 5.6.0 we do not like it', 'refused'],
    ['text', '451 4.3.0 no room', 'unavailable'],
    ['text', 'cut', 'uncertain'],
  ])('at the %s: %s is %s', async (step, how, kind) => {
    server.fail(step, how)
    await expect(send(reviews)).rejects.toMatchObject({ kind })
  })

  test.each<[Step, string]>([
    ['recipient', 'unavailable'],
    ['text', 'uncertain'],
  ])('an end put to it while the server is silent about the %s: %s', async (step, kind) => {
    server.fail(step, 'silence')
    const signal = AbortSignal.timeout(300)
    await expect(send(reviews, { signal })).rejects.toMatchObject({ kind })
  })

  test('a server without encryption gets nothing where the URL requires it', async () => {
    const channel = channelAt(`${server.url}?requireTLS=true`)
    await expect(channel.send(ADDRESS, reviews, sending())).rejects.toMatchObject({
      kind: 'unavailable',
    })
    expect(server.mails).toEqual([])
  })

  test('nobody listens: unavailable', async () => {
    const unused = createServer()
    const port = await new Promise<number>((resolve) =>
      unused.listen(0, '127.0.0.1', () => resolve((unused.address() as { port: number }).port)),
    )
    await new Promise((resolve) => unused.close(resolve))
    const channel = channelAt(`smtp://127.0.0.1:${port}`)
    await expect(channel.send(ADDRESS, reviews, sending())).rejects.toMatchObject({
      kind: 'unavailable',
    })
  })

  test('a log-in of the URL is used, and a wrong one is for the operator to mend', async () => {
    const at = (password: string) =>
      server.url.replace('//', `//${USER}:${encodeURIComponent(password)}@`)
    await channelAt(at(PASSWORD)).send(ADDRESS, reviews, sending())
    expect(server.mails).toHaveLength(1)
    const refused = channelAt(at('wrong')).send(ADDRESS, reviews, sending())
    await expect(refused).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(refused).rejects.not.toThrow(/wrong/)
    expect(server.mails).toHaveLength(1)
  })
})

test.each([
  ['en', 'Meno: Please confirm your address', 'do nothing'],
  ['de', 'Meno: Bitte bestätige deine Adresse', 'tu einfach nichts'],
] as const)('an address is asked for confirmation in %s', async (language, subject, words) => {
  const confirm = createAddressConfirmation({ smtpUrl: server.url, from, replyTo: null })
  const link = 'https://meno.example/channels/confirm/abc'
  await confirm('lea@example.org', link, language)
  const mail = await lastMail()
  expect(mail.subject).toBe(subject)
  expect(mail.html).toContain(`href="${link}"`)
  expect(mail.text).toContain(link)
  expect(mail.text).toContain(words)
  expect(mail.header('List-Unsubscribe')).toEqual([])
  expect(mail.header('Auto-Submitted')).toEqual(['auto-generated'])
})
