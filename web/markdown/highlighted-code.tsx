import { classHighlighter, highlightCode } from '@lezer/highlight'
import { parser } from '@lezer/python'
import type { ReactNode } from 'react'
import './highlighted-code.css'

/** A Python program in colours; what is no Python stands as it is. */
export default function HighlightedCode({ text }: { text: string }) {
  const pieces: ReactNode[] = []
  highlightCode(
    text,
    parser.parse(text),
    classHighlighter,
    (code, classes) => {
      pieces.push(
        classes === '' ? (
          code
        ) : (
          <span key={pieces.length} className={classes}>
            {code}
          </span>
        ),
      )
    },
    () => pieces.push('\n'),
  )
  return <code>{pieces}</code>
}
