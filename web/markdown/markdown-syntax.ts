import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import type { Processor } from 'unified'

/**
 * Has the parser read GitHub's Markdown and formulas between dollars. The plugins of remark do the same, but bring along
 * how Markdown is written.
 */
export function readsGfmAndMath(this: Processor): void {
  const data = this.data() as Data
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm(), math()]
  data.fromMarkdownExtensions = [
    ...(data.fromMarkdownExtensions ?? []),
    gfmFromMarkdown(),
    mathFromMarkdown(),
  ]
}

/** What remark-parse reads of its processor. */
interface Data {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}
