/** A text shorter than this is read at a glance. */
const WORTH_CHARACTERS = 900

/** A text cut at its headings, what stands before the first with the first; whole where it is short or has none. */
export function lessonSteps(text: string): string[] {
  if (text.length < WORTH_CHARACTERS) return [text]
  const steps: string[] = []
  let isCode = false
  let hasWords = false
  let step: string[] = []
  for (const line of text.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
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
