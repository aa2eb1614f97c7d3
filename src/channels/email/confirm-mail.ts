import { html } from 'hono/html'
import type { Notice } from '../../contracts/channel.ts'
import { framed } from './frame.ts'
import type { MailText } from './notice-mail.ts'
import { MAIL_WORDS } from './words.ts'

/** The mail that asks whether an address is the one of who gave it. */
export async function confirmMail(link: string, language: Notice['language']): Promise<MailText> {
  const { confirm, linkInstead, replies } = MAIL_WORDS[language]
  const { subject, text, action, ignore, why } = confirm
  const page = await framed({
    language,
    title: subject,
    preview: text,
    body: html`<p style="margin:0 0 12px">${text}</p><p style="margin:0 0 12px">${ignore}</p>`,
    button: { label: action, url: link },
    linkInstead,
    footer: html`${why} ${replies}`,
  })
  const blocks = [subject, text, ignore, `${action}:\n${link}`, `-- \n${why}\n${replies}`]
  return { subject: `Meno: ${subject}`, html: String(page), text: `${blocks.join('\n\n')}\n` }
}
