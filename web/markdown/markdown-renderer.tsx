import type { Token, Tokens } from 'marked'
import { Fragment, lazy, memo, type ReactNode, Suspense } from 'react'
import { isCoursePicture, pictureSize } from '../../src/contracts/picture.ts'
import { markdown } from '../../src/markup/markdown.ts'
import { entities } from './entities.ts'
import { Formula } from './late-parts.tsx'
import classes from './markdown.module.css'
import { normaliseMath } from './normalise-math.ts'
import { ScrollBox } from './scroll-box.tsx'

// Without a network a part may be missing: then the text stands as it was written, and the screen stands too.
const Plot = lazy(() => import('./plot.tsx').catch(() => ({ default: PlainPlot })))
const HighlightedCode = lazy(() =>
  import('./highlighted-code.tsx').catch(() => ({ default: PlainCode })),
)

const PlainPlot = ({ source }: { source: string }) => <ScrollBox as="pre">{source}</ScrollBox>
const PlainCode = ({ text }: { text: string }) => <code>{text}</code>

/** Elements for tokens, each in its place: a text that changes is drawn as a whole. */
const drawn = (tokens: readonly Token[] = [], draw: (token: Token) => ReactNode): ReactNode =>
  tokens.map((token, index) => <Fragment key={String(index)}>{draw(token)}</Fragment>)

/** The tokens inside a token, if it has any. */
const within = (token: Token): Token[] | undefined => ('tokens' in token ? token.tokens : undefined)

const inWords = (tokens: readonly Token[] | undefined) => drawn(tokens, inLine)

const HEADINGS = ['h3', 'h4', 'h3', 'h4', 'h5', 'h6'] as const

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      const Heading = HEADINGS[token.depth - 1] ?? 'h6'
      return <Heading>{inWords(token.tokens)}</Heading>
    }
    case 'paragraph':
      return <Paragraph {...(token as Tokens.Paragraph)} />
    case 'code':
      return <Code {...(token as Tokens.Code)} />
    case 'formulaBlock':
      return <Formula tex={token.latex.trim()} isDisplay />
    case 'blockquote':
      return <blockquote>{drawn(within(token), block)}</blockquote>
    case 'list':
      return <List {...(token as Tokens.List)} />
    case 'table':
      return <Table {...(token as Tokens.Table)} />
    case 'hr':
      return <hr />
    default:
      return inLine(token)
  }
}

/** A picture of a course with its words below, where it is the whole paragraph. */
function Paragraph({ tokens }: Tokens.Paragraph) {
  const [only, ...more] = tokens
  if (only?.type !== 'image' || more.length > 0 || !isCoursePicture(only.href)) {
    return <p>{inWords(tokens)}</p>
  }
  return (
    <figure className={classes.figure}>
      <img className={classes.drawing} src={only.href} alt="" {...pictureSize(only.href)} />
      <figcaption>{only.text}</figcaption>
    </figure>
  )
}

/** A block within a line, as of a label: a paragraph is not set off. */
const unwrapped = (token: Token): ReactNode =>
  token.type === 'paragraph' ? inWords(token.tokens) : block(token)

function inLine(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inWords(token.tokens)}</strong>
    case 'em':
      return <em>{inWords(token.tokens)}</em>
    case 'del':
      return <del>{inWords(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'formula':
      return <Formula tex={token.latex.trim()} isDisplay={false} />
    case 'br':
      return <br />
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    // Any other picture would be fetched from wherever the text says: its description is shown instead.
    case 'image':
      return <em>{token.text}</em>
    case 'link':
      return <Away {...(token as Tokens.Link)} />
    case 'escape':
      return token.text
    default:
      return within(token) ? inWords(within(token)) : entities(token.raw)
  }
}

/** Where a link may lead. */
const HARMLESS = /^(?:https?:|mailto:|[^:]*(?:[/?#]|$))/i
const harmless = (href: string) => (HARMLESS.test(href) ? href : '')

const Away = ({ href, tokens }: Tokens.Link) => (
  <a href={harmless(entities(href))} target="_blank" rel="noreferrer">
    {inWords(tokens)}
  </a>
)

function Code({ lang = '', text }: Tokens.Code) {
  const [language = ''] = lang.split(/\s/)
  if (language === 'math') return <Formula tex={text} isDisplay />
  const plain = <code className={language ? `language-${language}` : undefined}>{text}</code>
  const code = (
    <ScrollBox as="pre">
      {language === 'python' ? (
        <Suspense fallback={plain}>
          <HighlightedCode text={text} />
        </Suspense>
      ) : (
        plain
      )}
    </ScrollBox>
  )
  if (language !== 'plot') return code
  return (
    <Suspense fallback={code}>
      <Plot source={text} />
    </Suspense>
  )
}

function List({ ordered, start, items, loose }: Tokens.List) {
  const entries = items.map((item, index) => (
    <li key={String(index)}>{drawn(item.tokens, loose ? block : unwrapped)}</li>
  ))
  if (!ordered) return <ul>{entries}</ul>
  return <ol start={typeof start === 'number' && start !== 1 ? start : undefined}>{entries}</ol>
}

function Table({ header, rows }: Tokens.Table) {
  const cells = (row: Tokens.TableCell[], Cell: 'th' | 'td') =>
    row.map(({ tokens, align }, index) => (
      <Cell key={String(index)} style={align ? { textAlign: align } : undefined}>
        {inWords(tokens)}
      </Cell>
    ))
  return (
    <ScrollBox as="div">
      <table>
        <thead>
          <tr>{cells(header, 'th')}</tr>
        </thead>
        {rows.length > 0 && (
          <tbody>
            {rows.map((row, index) => (
              <tr key={String(index)}>{cells(row, 'td')}</tr>
            ))}
          </tbody>
        )}
      </table>
    </ScrollBox>
  )
}

interface Props {
  text: string
  /** Without paragraphs, for a label. */
  isInline?: boolean
}

/** Markdown with maths; raw HTML in it is shown as text. Suspends while KaTeX is loaded for its first formula. */
export const MarkdownRenderer = memo(function MarkdownRenderer({ text, isInline }: Props) {
  return drawn(tokensOf(text), isInline ? unwrapped : block)
})

function tokensOf(text: string): Token[] {
  try {
    return markdown.lexer(normaliseMath(text))
  } catch (error) {
    // Nested deeper than the stack: it stays as it is written.
    if (!(error instanceof RangeError)) throw error
    return [{ type: 'text', raw: text, text }]
  }
}
