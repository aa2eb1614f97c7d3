/** A text shorter than this is read at a glance. */
const WORTH_CHARACTERS = 900

/** A piece of a lesson that is shown at one press. */
export interface LessonStep {
  text: string
  /** Whether it is a line of a worked example, which belongs to the problem before it. */
  isLine: boolean
}

/**
 * A text in the order in which it is shown: cut at its headings where it is long, what stands before the first with the
 * first; a worked example, in a text of any length, apart from what comes before it, first its problem and then its lines.
 */
export function lessonSteps(text: string): LessonStep[] {
  const parts = text.length < WORTH_CHARACTERS ? [text] : cutAtHeadings(text)
  return parts.flatMap(cutAtExample)
}

/** The lines of a text, each with whether it stands in a program. */
function linesOf(text: string): { line: string; isCode: boolean }[] {
  let isCode = false
  return text.split('\n').map((line) => {
    const isFence = /^\s*(```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    return { line, isCode: isCode || isFence }
  })
}

function cutAtHeadings(text: string): string[] {
  const steps: string[] = []
  let hasWords = false
  let step: string[] = []
  for (const { line, isCode } of linesOf(text)) {
    const isHeading = !isCode && /^#{1,4}\s/.test(line)
    if (isHeading && hasWords) {
      steps.push(step.join('\n').trim())
      step = []
      hasWords = false
    }
    if (!isHeading && line.trim() !== '') hasWords = true
    step.push(line)
  }
  return [...steps, step.join('\n').trim()].filter(Boolean)
}

/** What an example is called in the languages of the page, at the head of a paragraph or in a heading of its own. */
const EXAMPLE = /^(?:\*\*[^*]*(?:example|beispiel)[^*]*\*\*|#{1,6}\s.*(?:example|beispiel))/i
const ITEM = /^\d+[.)]\s/
/** Fewer lines than this are no way to be gone step by step. */
const WORTH_LINES = 2

/** A text with a worked example as what comes before it, its problem, its lines, and what comes after it with the last. */
function cutAtExample(text: string): LessonStep[] {
  const whole = [{ text, isLine: false }]
  const lines = linesOf(text)
  const head = lines.findIndex(({ line, isCode }) => !isCode && EXAMPLE.test(line))
  if (head < 0) return whole
  const starts = itemsFrom(lines, head + 1)
  const [first = 0] = starts
  if (starts.length < WORTH_LINES) return whole
  const said = (from: number, to?: number) =>
    lines
      .slice(from, to)
      .map(({ line }) => line)
      .join('\n')
      .trim()
  return [
    { text: said(0, head), isLine: false },
    { text: said(head, first), isLine: false },
    ...starts.map((start, index) => ({ text: said(start, starts[index + 1]), isLine: true })),
  ].filter((step) => step.text !== '')
}

/** Where the items of the first numbered list begin; a heading before it or in it ends the example. */
function itemsFrom(lines: ReturnType<typeof linesOf>, from: number): number[] {
  const starts: number[] = []
  for (let index = from; index < lines.length; index += 1) {
    const { line, isCode } = lines[index] ?? { line: '', isCode: false }
    if (isCode) continue
    if (/^#{1,6}\s/.test(line)) break
    if (ITEM.test(line)) starts.push(index)
    else if (starts.length > 0 && /^\S/.test(line)) break
  }
  return starts
}
