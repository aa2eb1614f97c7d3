import { lazy, Suspense } from 'react'
import classes from './markdown.module.css'

/** Asked for as soon as a screen with Markdown is loaded, not only when there is a text to show. */
const renderer = import('./markdown-renderer.tsx').catch(() => null)

const Renderer = lazy(async () => ({ default: (await renderer)?.MarkdownRenderer ?? Plain }))
const Streamed = lazy(async () => ({
  default: (await import('./streamed-markdown.tsx').catch(() => null))?.StreamedMarkdown ?? Plain,
}))

/** Asks for KaTeX where the text has a formula, without waiting for the renderer to find it. */
const expectFormulas = (text: string) => {
  if (/[$]|\\[([]/.test(text)) void import('./formula.tsx').catch(() => null)
}

/** The text as it was written, where the renderer could not be loaded. */
function Plain({ text }: { text: string; isInline?: boolean }) {
  return <span className={classes.plain}>{text}</span>
}

/** Markdown with maths as a block of prose. */
export function Markdown({ text }: { text: string }) {
  expectFormulas(text)
  return (
    <div className={classes.prose}>
      <Suspense fallback={<p className={classes.waiting}>{text}</p>}>
        <Renderer text={text} />
      </Suspense>
    </div>
  )
}

/** The same for a text that is still growing. */
export function GrowingMarkdown({ text }: { text: string }) {
  return (
    <div className={classes.prose}>
      <Suspense fallback={<p className={classes.waiting}>{text}</p>}>
        <Streamed text={text} />
      </Suspense>
    </div>
  )
}

/** The same within a line: an option, a label. */
export function InlineMarkdown({ text }: { text: string }) {
  expectFormulas(text)
  return (
    <span className={classes.inline}>
      <Suspense fallback={<span className={classes.waiting}>{text}</span>}>
        <Renderer text={text} isInline />
      </Suspense>
    </span>
  )
}
