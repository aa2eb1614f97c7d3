import { lazy, Suspense } from 'react'
import classes from './markdown.module.css'

const renderer = () => import('./markdown-renderer.tsx')
const Renderer = lazy(async () => ({ default: (await renderer()).MarkdownRenderer }))
const Streamed = lazy(async () => ({ default: (await renderer()).StreamedMarkdown }))

/** Markdown with maths as a block of prose; plain text until the renderer is loaded. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.prose}>
      <Suspense fallback={<p className={classes.plain}>{text}</p>}>
        <Renderer text={text} />
      </Suspense>
    </div>
  )
}

/** The same for a text that is still growing. */
export function GrowingMarkdown({ text }: { text: string }) {
  return (
    <div className={classes.prose}>
      <Suspense fallback={<p className={classes.plain}>{text}</p>}>
        <Streamed text={text} />
      </Suspense>
    </div>
  )
}

/** The same within a line: an option, a label. */
export function InlineMarkdown({ text }: { text: string }) {
  return (
    <span className={classes.inline}>
      <Suspense fallback={text}>
        <Renderer text={text} isInline />
      </Suspense>
    </span>
  )
}
