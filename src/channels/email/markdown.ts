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

/** A model's Markdown as the HTML of a mail: formulas as text, HTML as text like any other. Throws on nothing. */
export function markdownHtml(markdown: string): string {
  const text = withoutSteering(markdown)
  try {
    return writer.parser(reader.lexer(text))
  } catch (error) {
    // Nested deeper than the stack: it stays as it is written.
    if (!(error instanceof RangeError)) throw error
    return `<p ${PARAGRAPH}>${escaped(text)}</p>`
  }
}
