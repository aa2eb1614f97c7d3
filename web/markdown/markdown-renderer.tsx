import { isValidElement, lazy, memo, type ReactNode, Suspense } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import type { FormulaProps } from './formula.tsx'
import { readsGfmAndMath } from './markdown-syntax.ts'
import { normaliseMath } from './normalise-math.ts'
import { ScrollBox } from './scroll-box.tsx'

const REMARK = [readsGfmAndMath]

// Without a network a part may be missing: then the text stands as it was written, and the screen stands too.
const Plot = lazy(() => import('./plot.tsx').catch(() => ({ default: PlainPlot })))
const HighlightedCode = lazy(() =>
  import('./highlighted-code.tsx').catch(() => ({ default: PlainCode })),
)

const Formula = lazy(async () => ({
  default: (await import('./formula.tsx').catch(() => null))?.Formula ?? PlainFormula,
}))

const PlainPlot = ({ source }: { source: string }) => <ScrollBox as="pre">{source}</ScrollBox>
const PlainCode = ({ text }: { text: string }) => <code>{text}</code>

const PlainFormula = ({ tex }: FormulaProps) => <code>{tex}</code>

/** What stands in a block of the language; null in any other. */
function sourceIn(language: string, children: ReactNode): string | null {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return null
  const { className, children: source } = children.props
  return className?.split(' ')[0] === `language-${language}` ? String(source) : null
}

function CodeBlock({ children }: { children?: ReactNode }) {
  const tex = sourceIn('math', children)
  if (tex !== null) return <Formula tex={tex} isDisplay />
  const source = sourceIn('plot', children)
  const python = sourceIn('python', children)
  const code = (
    <ScrollBox as="pre">
      {python === null ? (
        children
      ) : (
        <Suspense fallback={children}>
          <HighlightedCode text={python} />
        </Suspense>
      )}
    </ScrollBox>
  )
  if (source === null) return code
  return (
    <Suspense fallback={code}>
      <Plot source={source} />
    </Suspense>
  )
}

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ),
  // A picture would be fetched from wherever the text says: its description is shown instead.
  img: ({ alt }) => <em>{alt}</em>,
  table: ({ children }) => (
    <ScrollBox as="div">
      <table>{children}</table>
    </ScrollBox>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  code: ({ className, children }) =>
    className === 'language-math math-inline' ? (
      <Formula tex={String(children)} isDisplay={false} />
    ) : (
      <code className={className}>{children}</code>
    ),
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h3>{children}</h3>,
  h4: ({ children }) => <h4>{children}</h4>,
}

const inline: Components = { ...components, p: ({ children }): ReactNode => <>{children}</> }

interface Props {
  text: string
  /** Without paragraphs, for a label. */
  isInline?: boolean
}

/** Markdown with maths; raw HTML in it is shown as text. Suspends while KaTeX is loaded for its first formula. */
export const MarkdownRenderer = memo(function MarkdownRenderer({ text, isInline }: Props) {
  return (
    <ReactMarkdown remarkPlugins={REMARK} components={isInline ? inline : components}>
      {normaliseMath(text)}
    </ReactMarkdown>
  )
})
