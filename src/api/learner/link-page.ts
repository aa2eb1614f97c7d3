import { html, raw } from 'hono/html'

/** A page that a link of a mail opens: a few words and at most one button, which posts to the page's own address. */
export interface LinkPage {
  language: 'en' | 'de'
  title: string
  text: string
  button?: string
  /** Where Meno is, and what its link says. */
  home?: { url: string; label: string }
}

/** Nothing is loaded, framed or told to others: the address of the page is a secret of its reader. */
export const LINK_PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

const STYLE = `
  :root { color-scheme: light dark; --page: #f2f3f8; --card: #fff; --text: #1e2028; --faint: #5a5e70; --ink: #3d43a5; --on: #fff; --line: #e3e5ef; }
  @media (prefers-color-scheme: dark) {
    :root { --page: #101116; --card: #1e2028; --text: #eceef5; --faint: #a9adbf; --ink: #a0a6e8; --on: #16171d; --line: #2a2d38; }
  }
  body { margin: 0; padding: 8vh 16px; background: var(--page); color: var(--text);
    font: 16px/1.55 -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
  main { max-width: 30rem; margin: 0 auto; padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  .brand { margin: 0 0 20px; color: var(--ink); font-size: 15px; font-weight: 700; }
  h1 { margin: 0 0 12px; font-size: 22px; line-height: 1.3; }
  p { margin: 0 0 12px; overflow-wrap: anywhere; }
  button { margin: 12px 0 0; padding: 12px 22px; border: 0; border-radius: 8px; background: var(--ink); color: var(--on); font: inherit; font-weight: 600; cursor: pointer; }
  button:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
  a { color: var(--ink); }
  .home { margin: 20px 0 0; }
  @media (max-width: 480px) { main { padding: 24px 20px; } button { width: 100%; } }
`

export const linkPage = ({ language, title, text, button, home }: LinkPage) =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Meno: ${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<p class="brand">Meno</p>
<h1>${title}</h1>
<p>${text}</p>
${button ? html`<form method="post"><button type="submit">${button}</button></form>` : ''}
${home ? html`<p class="home"><a href="${home.url}">${home.label}</a></p>` : ''}
</main>
</body>
</html>`
