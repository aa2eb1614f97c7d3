/** Reads a line of working: what is said last counts, as in "5*4=20, 20+3=23" or "3x = 15, so x = 5". */

const CONCLUSION =
  /[\s,;.]*(?:\b(?:so|therefore|thus|hence|which (?:gives|means|is)|daraus folgt|folglich|daher|donc)\b|[→⇒∴⟹⇔]|(?<![<>=])[=-]>)[\s,:]*/i
const STEP_BREAK = /\s*(?:[;\n]|,\s+|(?<=[\d)a-z])\.\s+(?=\S)|\band\b then|\bthen\b)\s*/i
const RELATION = /[=≈<>≤≥]/

/** What stands behind the last "so", "therefore" or arrow; the whole text where there is none. */
export function conclusion(text: string): string {
  const parts = text.split(CONCLUSION)
  const last = parts.at(-1)?.trim() ?? ''
  const working = parts.slice(0, -1).join(' ')
  return parts.length > 1 && last !== '' && /[\d=<>]/.test(working) ? last : text
}

/**
 * The steps of a line, the last one last: parts at commas, semicolons and line breaks, where all before the last are
 * statements ("3x = 15"). Anything else is one step: in "5, 6" nothing is working.
 */
export function stepsOf(text: string): string[] {
  const steps = conclusion(text)
    .split(STEP_BREAK)
    .filter((step) => step.trim() !== '')
  return steps.slice(0, -1).every((step) => RELATION.test(step)) ? steps : [conclusion(text)]
}

/** The sides of a chain of equalities, "≈" counted as one: "x = 13 - 6 = 7" has three. */
export function sidesOf(step: string): string[] {
  return step.split(/(?<![<>!=:])(?:=|≈)(?![>=])/).map((side) => side.trim())
}
