import { Suspense } from 'react'
import remend from 'remend'
import classes from './markdown.module.css'
import { MarkdownRenderer } from './markdown-renderer.tsx'
import { splitBlocks } from './split-blocks.ts'

/** A text that is still being written: what is complete is parsed once, only its last block again and again. */
export function StreamedMarkdown({ text }: { text: string }) {
  const blocks = splitBlocks(text)
  return blocks.map((block, index) => {
    const isLast = index === blocks.length - 1
    // The place of a block is its identity: blocks are only ever added at the end.
    const key = String(index)
    return (
      <Suspense key={key} fallback={<p className={classes.waiting}>{block}</p>}>
        <MarkdownRenderer text={isLast ? complete(block) : block} />
      </Suspense>
    )
  })
}

const complete = (block: string) => remend(block, { katex: true, inlineKatex: true })
