import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { Notice } from '../../contracts/channel.ts'

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

/** What stands around every mail. */
export interface Frame {
  language: Notice['language']
  title: string
  /** What the list of mails shows behind the subject. */
  preview: string
  body: Html
  button: { label: string; url: string }
  /** What stands before the button's address in words; null: a mail that is as good without it. */
  linkInstead: string | null
  footer: Html
}

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

/** Where a mail client follows the reader's scheme; the light one stands inline, for those that drop styles. */
const STYLE = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body { -webkit-text-size-adjust: 100%; }
  .body p:last-child { margin-bottom: 0 !important; }
  @media (max-width: 480px) {
    .page { padding: 0 !important; }
    .card { border-radius: 0 !important; padding: 24px 20px !important; }
    .button, .button tbody, .button tr, .button td, .button a { display: block !important; text-align: center; }
    .footer { padding: 16px 20px 28px !important; }
  }
  @media (prefers-color-scheme: dark) {
    body, .page { background: #101116 !important; }
    .card { background: #1e2028 !important; border-color: #2a2d38 !important; }
    .title, .text, .strong { color: #eceef5 !important; }
    .brand { color: #c0c4f0 !important; }
    .faint, .footer, .footer a { color: #a9adbf !important; }
    .button { background: #a0a6e8 !important; }
    .button a { color: #16171d !important; }
  }
`

/** A whole mail in the one look that all of them have. */
export const framed = ({ language, title, preview, body, button, linkInstead, footer }: Frame) =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body style="margin:0;padding:0;background:#f2f3f8">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}${raw('&#8199;&#65279;&#847; '.repeat(60))}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f3f8;padding:24px 12px">
<tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:576px;font-family:${raw(FONT)}">
<tr><td class="card text" style="background:#ffffff;border:1px solid #e3e5ef;border-radius:12px;padding:32px 36px;color:#1e2028;font-size:16px;line-height:1.55">
<p class="brand" style="margin:0 0 20px;color:#3d43a5;font-size:15px;font-weight:700;letter-spacing:.01em">Meno</p>
<h1 class="title" dir="auto" style="margin:0 0 12px;color:#1e2028;font-size:22px;line-height:1.3;font-weight:700;overflow-wrap:anywhere">${title}</h1>
<div class="body" style="overflow-wrap:anywhere">${body}</div>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" class="button" style="margin:28px 0 0;background:#3d43a5;border-radius:8px;border-collapse:separate">
<tr><td style="border-radius:8px"><a href="${button.url}" style="display:inline-block;padding:12px 22px;color:#ffffff;font-size:16px;font-weight:600;line-height:1.3;text-decoration:none">${button.label}</a></td></tr>
</table>
${linkInstead ? addressHtml(linkInstead, button.url) : ''}
</td></tr>
<tr><td class="footer" style="padding:18px 36px 8px;color:#5a5e70;font-size:13px;line-height:1.55">${footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>`

const addressHtml = (words: string, url: string) =>
  html`<p class="faint" style="margin:18px 0 0;color:#5a5e70;font-size:13px;line-height:1.5">${words}<br><span style="word-break:break-all">${url}</span></p>`
