import { fetched } from './fetched.tsx'
import type { FormulaProps } from './formula.tsx'
import classes from './markdown.module.css'

// Without a network a part may be missing: then a text stands as it was written, and the screen stands too.
const PlainFormula = ({ tex }: FormulaProps) => <code>{tex}</code>
export const PlainText = ({ text }: { text: string; isInline?: boolean }) => (
  <span className={classes.plain}>{text}</span>
)

/** A formula; KaTeX is fetched for the first one. */
export const Formula = fetched(
  async () => (await import('./formula.tsx').catch(() => null))?.Formula ?? PlainFormula,
)

/** What draws Markdown. */
export const Renderer = fetched(
  async () =>
    (await import('./markdown-renderer.tsx').catch(() => null))?.MarkdownRenderer ?? PlainText,
)

/** Fetches KaTeX where the text has a formula, and returns when it is there. */
export async function expectFormulas(text: string): Promise<void> {
  if (/[$]|\\[([]/.test(text)) await Formula.begin()
}
