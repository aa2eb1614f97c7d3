import 'katex/dist/katex.min.css'
import {
  type ComponentProps,
  isValidElement,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeKatex from 'rehype-katex'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remend from 'remend'
import { normaliseMath } from './normalise-math.ts'
import { splitBlocks } from './split-blocks.ts'

const REMARK = [remarkGfm, remarkMath]
const REHYPE: ComponentProps<typeof ReactMarkdown>['rehypePlugins'] = [
  [
    rehypeKatex,
    { throwOnError: false, strict: 'ignore', trust: false, errorColor: 'currentColor' },
  ],
]

/** A box that can be reached and scrolled by keyboard, but only while there is something to scroll. */
function ScrollBox({ as: Tag, ...props }: { as: 'div' | 'pre' | 'span' } & ComponentProps<'div'>) {
  const box = useRef<HTMLElement>(null)
  const [isWide, setIsWide] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setIsWide(element.scrollWidth > element.clientWidth + 1)
    // What is in the box may grow wider than the box without changing its size: colours and fonts come later.
    const size = new ResizeObserver(measure)
    const content = new MutationObserver(measure)
    size.observe(element)
    content.observe(element, { childList: true, characterData: true, subtree: true })
    document.fonts.addEventListener('loadingdone', measure)
    return () => {
      size.disconnect()
      content.disconnect()
      document.fonts.removeEventListener('loadingdone', measure)
    }
  }, [])
  const focus = isWide ? { tabIndex: 0 } : {}
  return <Tag ref={box as never} {...(props as object)} {...focus} data-scroll />
}

// Without a network a part may be missing: then the text stands as it was written, and the screen stands too.
const Plot = lazy(() => import('./plot.tsx').catch(() => ({ default: PlainPlot })))
const HighlightedCode = lazy(() =>
  import('./highlighted-code.tsx').catch(() => ({ default: PlainCode })),
)

const PlainPlot = ({ source }: { source: string }) => <ScrollBox as="pre">{source}</ScrollBox>
const PlainCode = ({ text }: { text: string }) => <code>{text}</code>

/** What stands in a block of the language; null in any other. */
function sourceIn(language: string, children: ReactNode): string | null {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(children)) return null
  const { className, children: source } = children.props
  return className === `language-${language}` ? String(source) : null
}

function CodeBlock({ children }: { children?: ReactNode }) {
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
  span: ({ node: _, className, children, ...rest }) =>
    className === 'katex-display' ? (
      <ScrollBox as="span" className={className}>
        {children}
      </ScrollBox>
    ) : (
      <span className={className} {...rest}>
        {children}
      </span>
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

/** Markdown with maths; raw HTML in it is shown as text. */
export const MarkdownRenderer = memo(function MarkdownRenderer({ text, isInline }: Props) {
  return (
    <ReactMarkdown
      remarkPlugins={REMARK}
      rehypePlugins={REHYPE}
      components={isInline ? inline : components}
    >
      {normaliseMath(text)}
    </ReactMarkdown>
  )
})

/** A text that is still being written: what is complete is parsed once, only its last block again and again. */
export function StreamedMarkdown({ text }: { text: string }) {
  const blocks = splitBlocks(text)
  return blocks.map((block, index) => {
    const isLast = index === blocks.length - 1
    // The place of a block is its identity: blocks are only ever added at the end.
    const key = String(index)
    return <MarkdownRenderer key={key} text={isLast ? complete(block) : block} />
  })
}

const complete = (block: string) => remend(block, { katex: true, inlineKatex: true })
