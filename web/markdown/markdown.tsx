import { lazy, Suspense } from 'react'
import { expectFormulas, PlainText, Renderer } from './late-parts.tsx'
import classes from './markdown.module.css'

// As soon as a screen with Markdown is loaded, not only when there is a text to show.
void Renderer.begin()

const Streamed = lazy(async () => ({
  default:
    (await import('./streamed-markdown.tsx').catch(() => null))?.StreamedMarkdown ?? PlainText,
}))

/** Markdown with maths as a block of prose. */
export function Markdown({ text }: { text: string }) {
  void expectFormulas(text)
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
  void expectFormulas(text)
  return (
    <span className={classes.inline}>
      <Suspense fallback={<span className={classes.waiting}>{text}</span>}>
        <Renderer text={text} isInline />
      </Suspense>
    </span>
  )
}
