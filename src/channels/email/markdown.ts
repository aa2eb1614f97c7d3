import { html } from 'hono/html'
import { Marked, type Tokens } from 'marked'
import { markdown as reader } from '../../markup/markdown.ts'
import { mathText } from '../../markup/math-text.ts'
import { withoutSteering } from '../plain.ts'

const escaped = (text: string): string => String(html`${text}`)

const formula = (name: string, open: string, close: string) => ({
  name,
  renderer: (token: Tokens.Generic) => open + escaped(mathText(token.latex)) + close,
})

const PARAGRAPH = 'dir="auto" style="margin:0 0 12px"'

/** Links and pictures are written as their words: where a mail leads is for Meno to say, not for a model. */
const writer = new Marked({
  extensions: [formula('formula', '', ''), formula('formulaBlock', `<p ${PARAGRAPH}>`, '</p>')],
  renderer: {
    heading({ tokens }: Tokens.Heading) {
      return `<p class="strong" dir="auto" style="margin:20px 0 6px;font-weight:600">${this.parser.parseInline(tokens)}</p>`
    },
    paragraph({ tokens }: Tokens.Paragraph) {
      return `<p ${PARAGRAPH}>${this.parser.parseInline(tokens)}</p>`
    },
    list({ ordered, items }: Tokens.List) {
      const tag = ordered ? 'ol' : 'ul'
      const lines = items.map((item) => this.listitem(item)).join('')
      return `<${tag} style="margin:0 0 12px;padding:0 0 0 22px">${lines}</${tag}>`
    },
    link({ tokens }: Tokens.Link) {
      return this.parser.parseInline(tokens)
    },
    image({ text }: Tokens.Image) {
      return escaped(text)
    },
  },
})

const asIs = (name: string) => ({
  name,
  renderer: (token: Tokens.Generic) =>
    mathText(token.latex) + (name === 'formulaBlock' ? '\n\n' : ''),
})

/** The same without any marks. */
const plainWriter = new Marked({
  extensions: [asIs('formula'), asIs('formulaBlock')],
  renderer: {
    space: () => '',
    hr: () => '',
    br: () => '\n',
    heading({ tokens }: Tokens.Heading) {
      return `${this.parser.parseInline(tokens)}\n\n`
    },
    paragraph({ tokens }: Tokens.Paragraph) {
      return `${this.parser.parseInline(tokens)}\n\n`
    },
    blockquote({ tokens }: Tokens.Blockquote) {
      return `${this.parser.parse(tokens).trim().replace(/^/gm, '> ')}\n\n`
    },
    list({ ordered, start, items }: Tokens.List) {
      const lines = items.map((item, i) => {
        const mark = ordered ? `${Number(start) + i}.` : '-'
        return `${mark} ${this.parser.parse(item.tokens).trim().replace(/\n+/g, '\n  ')}`
      })
      return `\n${lines.join('\n')}\n\n`
    },
    table({ header, rows }: Tokens.Table) {
      const lines = [header, ...rows].map((cells) =>
        cells.map(({ tokens }) => this.parser.parseInline(tokens)).join(' | '),
      )
      return `${lines.join('\n')}\n\n`
    },
    code: ({ text }: Tokens.Code) => `${text}\n\n`,
    codespan: ({ text }: Tokens.Codespan) => text,
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '[x] ' : '[ ] '),
    image: ({ text }: Tokens.Image) => text,
    strong({ tokens }: Tokens.Strong) {
      return this.parser.parseInline(tokens)
    },
    em({ tokens }: Tokens.Em) {
      return this.parser.parseInline(tokens)
    },
    del({ tokens }: Tokens.Del) {
      return this.parser.parseInline(tokens)
    },
    link({ tokens }: Tokens.Link) {
      return this.parser.parseInline(tokens)
    },
    text(token: Tokens.Text | Tokens.Escape) {
      return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : token.text
    },
  },
})

/** A model's Markdown as the HTML of a mail: formulas as text, HTML as text like any other. Throws on nothing. */
export const markdownHtml = (markdown: string): string =>
  written(markdown, writer, (text) => `<p ${PARAGRAPH}>${escaped(text)}</p>`)

/** A model's Markdown as plain text, formulas as text. Throws on nothing. */
export const markdownText = (markdown: string): string =>
  written(markdown, plainWriter, (text) => text)
    .replace(/\n{3,}/g, '\n\n')
    .trim()

function written(markdown: string, by: Marked, asWritten: (text: string) => string): string {
  const text = withoutSteering(markdown)
  try {
    return by.parser(reader.lexer(text))
  } catch (error) {
    // Nested deeper than the stack: it stays as it is written.
    if (!(error instanceof RangeError)) throw error
    return asWritten(text)
  }
}
