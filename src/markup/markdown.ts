import { Marked, type Tokens } from 'marked'

/** A formula, with what stands between its marks. */
interface Formula extends Tokens.Generic {
  type: 'formula' | 'formulaBlock'
  latex: string
}

const FORMULA =
  /^(?:\$\$([^$]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|\$(?!\s)((?:\\[\s\S]|[^\\$])+?)(?<!\s)\$(?!\d))/
const FORMULA_BLOCK =
  /^ {0,3}(?:\$\$([^$]+?)\$\$|\$\$[ \t]*\n([\s\S]+?)\n[ \t]*\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n|$)/

const formula = (type: Formula['type'], rule: RegExp, begins: RegExp) => ({
  name: type,
  level: type === 'formula' ? ('inline' as const) : ('block' as const),
  start: (text: string) => text.match(begins)?.index,
  tokenizer: (text: string): Formula | undefined => {
    const found = rule.exec(text)
    return found ? { type, raw: found[0], latex: found.slice(1).join('') } : undefined
  },
})

/** Reads Markdown with formulas between dollars, which are tokens `formula` and `formulaBlock`; HTML is text. */
export const markdown = new Marked({
  extensions: [
    formula('formula', FORMULA, /\$|\\[([]/),
    formula('formulaBlock', FORMULA_BLOCK, /(?<=^|\n) {0,3}(?:\$\$|\\\[)/),
  ],
  tokenizer: { html: () => undefined, tag: () => undefined },
  hooks: {
    // The `*` of a formula set nothing off.
    emStrongMask: (text) => text.replace(/\$[^$\n]+\$/g, (found) => 'a'.repeat(found.length)),
  },
})
