import { mathText } from './math-text.ts'

const FORMULA =
  /\$\$([^$]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|\$(?!\s)((?:\\[\s\S]|[^\\$])+?)(?<!\s)\$(?!\d)/g

/**
 * A text with its formulas (`$…$`, `$$…$$`, `\(…\)`, `\[…\]`) written as text; sums of money stay as they are. Throws
 * on nothing.
 */
export function textWithMath(text: string): string {
  return text
    .replace(FORMULA, (_, ...found: (string | undefined)[]) =>
      mathText(found.slice(0, 4).find((latex) => typeof latex === 'string') ?? ''),
    )
    .replaceAll('\\$', '$')
}
