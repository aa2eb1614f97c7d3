import { html, raw } from 'hono/html'
import type { Notice, NoticeItem } from '../../contracts/channel.ts'
import type { DigestContent } from '../../domain/agenda/notice.ts'
import { oneLine, severalLines, shortened } from '../plain.ts'
import { framed, type Html } from './frame.ts'
import { markdownHtml, markdownText } from './markdown.ts'
import { MAIL_WORDS, type MailWords } from './words.ts'

/** A mail as it is read: its subject, and the same twice. */
export interface MailText {
  subject: string
  html: string
  text: string
}

/** Where the links of a mail lead, and what a reply does. */
export interface MailLinks {
  /** What the button opens. */
  open: string
  unsubscribe: string
  /** Replies go to people: `MAIL_REPLY_TO` is set. */
  repliesToPeople: boolean
}

/** Longer lists are for the page. */
const MOST_ITEMS = 12
const LONGEST_SUBJECT = 120
const LONGEST_NAME = 100
const SECTIONS = ['achievements', 'trends', 'struggles', 'nextWeek'] as const

interface Topic {
  topic: string
  labels: string[]
}

interface Section {
  heading: string
  lines: string[]
}

/** A notice as a mail: HTML, and its twin in plain text. */
export async function noticeMail(notice: Notice, links: MailLinks): Promise<MailText> {
  const words = MAIL_WORDS[notice.language]
  const title = oneLine(notice.title)
  const lead = leadOf(notice, title)
  const { topics, more } = topicsOf(notice.items)
  const sections = notice.digest ? sectionsOf(notice.digest, words) : []
  const shown = { title, lead, topics, more, sections, words }
  const page = await framed({
    language: notice.language,
    title,
    preview: shortened(lead[0] ?? title, 140),
    body: bodyHtml(notice, shown),
    button: { label: oneLine(notice.action), url: links.open },
    linkInstead: null,
    footer: footerHtml(notice, links, words),
  })
  return {
    subject: subjectOf(title, topics),
    html: String(page),
    text: asText(notice, links, shown),
  }
}

interface Shown {
  title: string
  lead: string[]
  topics: Topic[]
  more: number
  sections: Section[]
  words: MailWords
}

/** The title, and what it is about where that is not in it: nobody opens "3 reviews" twice. */
function subjectOf(title: string, topics: readonly Topic[]): string {
  const named = topics.map(({ topic }) => topic).filter((topic) => !title.includes(topic))
  return shortened(
    [title, named.join(', ')].filter((part) => part !== '').join(': '),
    LONGEST_SUBJECT,
  )
}

/** The paragraphs under the title; a digest's text says in lines what its sections say. */
function leadOf({ text, digest }: Notice, title: string): string[] {
  const paragraph = severalLines(digest ? digest.headline : text)
  return paragraph === '' || paragraph === title ? [] : [paragraph]
}

function topicsOf(items: readonly NoticeItem[]): { topics: Topic[]; more: number } {
  const topics = new Map<string, Topic>()
  for (const { arcId, topic, label } of items.slice(0, MOST_ITEMS)) {
    const known = topics.get(arcId) ?? { topic: nameOf(topic), labels: [] }
    topics.set(arcId, { ...known, labels: [...known.labels, nameOf(label)] })
  }
  return { topics: [...topics.values()], more: Math.max(0, items.length - MOST_ITEMS) }
}

const nameOf = (name: string): string => shortened(oneLine(name), LONGEST_NAME)

const sectionsOf = (digest: DigestContent, { sections }: MailWords): Section[] =>
  SECTIONS.map((name) => ({ heading: sections[name], lines: digest[name].map(oneLine) })).filter(
    ({ lines }) => lines.length > 0,
  )

function bodyHtml({ digest }: Notice, shown: Shown): Html {
  const { lead, topics, more, sections, words } = shown
  return html`${lead.map(paragraphHtml)}
${digest?.body ? raw(markdownHtml(digest.body)) : ''}
${topics.map(
  ({
    topic,
    labels,
  }) => html`<p class="strong" style="margin:18px 0 4px;font-weight:600"><span dir="auto">${topic}</span></p>
${listHtml(labels)}`,
)}
${more > 0 ? html`<p class="faint" style="margin:8px 0 0;color:#5a5e70">${words.andMore(more)}</p>` : ''}
${sections.map(
  ({
    heading,
    lines,
  }) => html`<p class="strong" style="margin:22px 0 4px;font-weight:600">${heading}</p>
${listHtml(lines)}`,
)}`
}

const paragraphHtml = (paragraph: string) =>
  html`<p dir="auto" style="margin:0 0 12px;white-space:pre-line">${paragraph}</p>`

const listHtml = (lines: readonly string[]) =>
  html`<ul style="margin:0;padding:0 0 0 22px">
${lines.map((line) => html`<li style="margin:0 0 4px"><span dir="auto">${line}</span></li>`)}
</ul>`

const footerHtml = ({ kind }: Notice, links: MailLinks, words: MailWords) =>
  html`${words.why[kind]} ${links.repliesToPeople ? words.repliesToPeople : words.replies}<br>
<a href="${links.unsubscribe}" style="color:#5a5e70;text-decoration:underline">${words.unsubscribe}</a>`

function asText({ kind, digest, action }: Notice, links: MailLinks, shown: Shown): string {
  const { title, lead, topics, more, sections, words } = shown
  const listed = (heading: string, lines: readonly string[]) =>
    [heading, ...lines.map((line) => `- ${line}`)].join('\n')
  const blocks = [
    title,
    ...lead,
    digest?.body ? markdownText(digest.body) : '',
    ...topics.map(({ topic, labels }) => listed(topic, labels)),
    more > 0 ? words.andMore(more) : '',
    ...sections.map(({ heading, lines }) => listed(heading, lines)),
    `${oneLine(action)}:\n${links.open}`,
    [
      '-- ',
      words.why[kind],
      links.repliesToPeople ? words.repliesToPeople : words.replies,
      `${words.unsubscribe}: ${links.unsubscribe}`,
    ].join('\n'),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}
