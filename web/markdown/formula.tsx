import 'katex/dist/katex.min.css'
import katex from 'katex'
import { memo } from 'react'
import { ScrollBox } from './scroll-box.tsx'

export interface FormulaProps {
  /** TeX, without the dollars. */
  tex: string
  /** Whether it stands on a line of its own. */
  isDisplay: boolean
}

/** A formula; what is no TeX stands as it was written. */
export const Formula = memo(function Formula({ tex, isDisplay }: FormulaProps) {
  // What KaTeX writes is markup of its own making: links and HTML in the TeX are not trusted.
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  const formula = <span dangerouslySetInnerHTML={{ __html: htmlOf(tex, isDisplay) }} />
  return isDisplay ? <ScrollBox as="span">{formula}</ScrollBox> : formula
})

const htmlOf = (tex: string, displayMode: boolean): string =>
  katex.renderToString(tex, {
    displayMode,
    throwOnError: false,
    strict: 'ignore',
    trust: false,
    errorColor: 'currentColor',
  })
