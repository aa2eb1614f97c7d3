import { type Context, Hono } from 'hono'
import { mailLinkSecret } from '../../channels/email/link-secret.ts'
import { addressHash, readUnsubscribeToken } from '../../channels/email/unsubscribe-token.ts'
import type { Dependencies } from '../../commands/context.ts'
import { confirmLink, readChannels, readPendingLink, unlink } from '../../store/agenda/channels.ts'
import type { Db } from '../../store/database.ts'
import { readLearner } from '../../store/learners.ts'
import { LINK_PAGE_HEADERS, type LinkPage, linkPage } from './link-page.ts'

type Language = LinkPage['language']
type Words = Pick<LinkPage, 'title' | 'text' | 'button'>

/** What each page says; `address` is the one that it is about. */
const WORDS: Record<
  Language,
  {
    confirm: (address: string) => Words
    confirmed: (address: string) => Words
    over: Words
    stop: (address: string) => Words
    stopped: Words
    unknown: Words
    home: string
  }
> = {
  en: {
    confirm: (address) => ({
      title: 'Confirm your address',
      text: `Meno will write to ${address} when something is due for review, and once a week how it went.`,
      button: 'Confirm the address',
    }),
    confirmed: (address) => ({
      title: 'Your address is confirmed',
      text: `Meno writes to ${address} from now on. Every mail has a link that ends it.`,
    }),
    over: {
      title: 'This link does not work any more',
      text: 'It was used already, or its time is over. Your settings in Meno say whether the address is confirmed; there you can ask for another link.',
    },
    stop: (address) => ({
      title: 'No more mail from Meno?',
      text: `Meno will not write to ${address} any more. What you learned stays.`,
      button: 'No more mail',
    }),
    stopped: {
      title: 'No more mail',
      text: 'Meno does not write to this address any more. You can turn mail on again in the settings.',
    },
    unknown: {
      title: 'This link is not whole',
      text: 'Please open it once more from the mail, or turn mail off in the settings of Meno.',
    },
    home: 'Go to Meno',
  },
  de: {
    confirm: (address) => ({
      title: 'Adresse bestätigen',
      text: `Meno schreibt dann an ${address}, wenn etwas zu wiederholen ist, und einmal in der Woche, wie es lief.`,
      button: 'Adresse bestätigen',
    }),
    confirmed: (address) => ({
      title: 'Deine Adresse ist bestätigt',
      text: `Meno schreibt ab jetzt an ${address}. In jeder Mail steht ein Link, der das beendet.`,
    }),
    over: {
      title: 'Dieser Link gilt nicht mehr',
      text: 'Er wurde schon benutzt, oder seine Zeit ist um. Ob die Adresse bestätigt ist, steht in deinen Einstellungen in Meno; dort bekommst du auch einen neuen Link.',
    },
    stop: (address) => ({
      title: 'Keine Mails mehr von Meno?',
      text: `Meno schreibt dann nicht mehr an ${address}. Was du gelernt hast, bleibt.`,
      button: 'Keine Mails mehr',
    }),
    stopped: {
      title: 'Keine Mails mehr',
      text: 'Meno schreibt nicht mehr an diese Adresse. In den Einstellungen kannst du Mails wieder einschalten.',
    },
    unknown: {
      title: 'Dieser Link ist unvollständig',
      text: 'Öffne ihn bitte noch einmal aus der Mail, oder schalte Mails in den Einstellungen von Meno ab.',
    },
    home: 'Zu Meno',
  },
}

/**
 * Where the links of mails lead. They are opened from anywhere, by programs that look through mail too: a GET changes
 * nothing, and the secret in the address stands for a log-in, so that these routes lie before all that asks for one.
 */
export function mailLinkRoutes({ db, config }: Dependencies): Hono {
  const routes = new Hono()

  routes.get('/channels/confirm/:code', async (c) => {
    const pending = await readPendingLink(db, 'email', c.req.param('code'))
    if (!pending) return show(c, languageAsked(c), (words) => words.over, 404)
    const language = await languageOf(db, pending.learner_id)
    return show(c, language, (words) => words.confirm(addressOf(pending)))
  })

  routes.post('/channels/confirm/:code', async (c) => {
    const linked = await confirmLink(db, 'email', c.req.param('code'))
    if (!linked) return show(c, languageAsked(c), (words) => words.over, 404)
    const language = await languageOf(db, linked.learner_id)
    return show(c, language, (words) => words.confirmed(addressOf(linked)))
  })

  routes.get('/unsubscribe/:token', async (c) => {
    const told = readUnsubscribeToken(await mailLinkSecret(db), c.req.param('token'))
    if (!told) return show(c, languageAsked(c), (words) => words.unknown, 404)
    const language = await languageOf(db, told.learnerId)
    const channel = await mailTo(told)
    return show(c, language, (words) => (channel ? words.stop(addressOf(channel)) : words.stopped))
  })

  // Also the one click of RFC 8058, from a server of the mail's provider: it has no cookie, and may come twice.
  routes.post('/unsubscribe/:token', async (c) => {
    const told = readUnsubscribeToken(await mailLinkSecret(db), c.req.param('token'))
    if (!told) return show(c, languageAsked(c), (words) => words.unknown, 404)
    const channel = await mailTo(told)
    if (channel) await unlink(db, told.learnerId, 'email', channel.place)
    return show(c, await languageOf(db, told.learnerId), (words) => words.stopped)
  })

  /** The learner's channel to the address of a token, if there still is one. */
  async function mailTo(told: { learnerId: string; addressHash: string }) {
    const channels = await readChannels(db, told.learnerId)
    return channels.find(
      (row) => row.channel === 'email' && addressHash(addressOf(row)) === told.addressHash,
    )
  }

  function show(
    c: Context,
    language: Language,
    choose: (words: (typeof WORDS)[Language]) => Words,
    status: 200 | 404 = 200,
  ) {
    const words = WORDS[language]
    const home = { url: config.pageUrl, label: words.home }
    return c.html(linkPage({ language, home, ...choose(words) }), status, LINK_PAGE_HEADERS)
  }

  return routes
}

const addressOf = ({ address }: { address: Record<string, unknown> }): string =>
  typeof address.address === 'string' ? address.address : ''

async function languageOf(db: Db, learnerId: string): Promise<Language> {
  const learner = await readLearner(db, learnerId)
  return learner?.language.toLowerCase().startsWith('de') ? 'de' : 'en'
}

/** The language of a reader of whom nothing else is known. */
const languageAsked = (c: Context): Language =>
  /^\s*de\b/i.test(c.req.header('Accept-Language') ?? '') ? 'de' : 'en'
