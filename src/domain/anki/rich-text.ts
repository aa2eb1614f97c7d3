import { Marked, type TokenizerAndRendererExtension } from 'marked'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** A formula between dollars that touch it, in one line; a price is none. */
const INLINE = /^\$(?![\s$])((?:\\.|[^\\$\n])*?[^\s\\$]|(?:\\.|[^\\$\n])*?\\.)\$(?!\d)/
const DISPLAY = /^\$\$([^$]+)\$\$/
/** As models like to write it. */
const BRACKETED = /^\\\(([\s\S]+?)\\\)|^\\\[([\s\S]+?)\\\]/

/** Anki's MathJax knows `\(…\)` and `\[…\]` only. */
const FORMULA: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: (source) => source.search(/\$|\\[([]/),
  tokenizer(source) {
    const bracketed = BRACKETED.exec(source)
    const display = DISPLAY.exec(source)
    const found = bracketed ?? display ?? INLINE.exec(source)
    if (!found) return undefined
    const isDisplay = display !== null || bracketed?.[2] !== undefined
    const tex = found[1] ?? found[2] ?? ''
    return { type: 'formula', raw: found[0], text: tex.trim(), display: isDisplay }
  },
  renderer: ({ text, display }) => (display ? `\\[${escaped(text)}\\]` : `\\(${escaped(text)}\\)`),
}

const markdown = new Marked({
  gfm: true,
  breaks: true,
  extensions: [FORMULA],
  renderer: {
    // What comes from learners and models is text, whatever it looks like.
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    link({ href, tokens }) {
      const shown = this.parser.parseInline(tokens)
      return /^https?:/i.test(href) ? `<a href="${escaped(href)}">${shown}</a>` : shown
    },
  },
})

/** Markdown with `$LaTeX$` as the HTML of Anki's fields. */
export const richText = (text: string): string =>
  (markdown.parse(text, { async: false }) as string).trim()

/** The same of one line, without a paragraph around it. */
export const richLine = (text: string): string =>
  (markdown.parseInline(text, { async: false }) as string).trim()
