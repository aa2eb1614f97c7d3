import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const FONTS = path.join(import.meta.dirname, '../node_modules/katex/dist/fonts')
const CACHE = path.join(import.meta.dirname, '../node_modules/.cache/meno-fonts')

/** What most formulas are set with, in parts that are needed together; each is a small piece of its face. */
const PARTS: readonly { font: string; name: string; characters: string }[] = [
  {
    font: 'KaTeX_Main-Regular',
    name: 'signs',
    characters: '0123456789 .,:;!?+-=()[]{}/|<>\u00a0±×÷−⋅·≤≥≠≈∘…′√→⇒∞²°',
  },
  { font: 'KaTeX_Main-Regular', name: 'letters', characters: letters() },
  { font: 'KaTeX_Math-Italic', name: 'letters', characters: letters() },
]

/**
 * The faces of formulas as every browser that the page is built for reads them; those that nearly every formula needs are
 * cut up: the whole face is fetched only where a formula has a character that is in none of the parts.
 */
export function formulaFonts(): Plugin {
  return {
    name: 'meno:formula-fonts',
    enforce: 'pre',
    async transform(code, id) {
      if (!/katex.*\.css/.test(id)) return null
      const faces = code.replaceAll(/,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\(["']?\w+["']?\)/g, '')
      const parts = await Promise.all(PARTS.map((part) => partFace(faces, part)))
      return faces.replaceAll(FACE, restOfFace) + parts.join('')
    },
  }
}

const FACE = /@font-face\s*\{[^}]*\}/g

/** Stands in nearly every formula to be as high as a line, and in no face. */
const ZERO_WIDTH_SPACE = '\u200b'

/** A face that is cut up is there for the characters of none of its parts. */
function restOfFace(face: string): string {
  const parts = PARTS.filter(({ font }) => face.includes(`${font}.woff2`))
  if (parts.length === 0) return face
  const taken = codes(parts.map(({ characters }) => characters).join('') + ZERO_WIDTH_SPACE)
  const bounds = [-1, ...taken.sort((one, other) => one - other), 0x110000]
  const gaps = bounds.flatMap((end, index) => {
    const start = (bounds[index - 1] ?? end) + 1
    return start < end ? [`U+${start.toString(16)}-${(end - 1).toString(16)}`] : []
  })
  return face.replace(/\}$/, `;unicode-range:${gaps.join()}}`)
}

/** The face of a part, a file with its characters alone. */
async function partFace(
  faces: string,
  { font, name, characters }: (typeof PARTS)[number],
): Promise<string> {
  const whole = faces.match(FACE)?.find((face) => face.includes(`${font}.woff2`))
  if (!whole) throw new Error(`the styles of formulas name no ${font}`)
  await mkdir(CACHE, { recursive: true })
  const file = path.join(CACHE, `${font}-${name}.woff2`)
  const source = await readFile(path.join(FONTS, `${font}.woff2`))
  await writeFile(file, await subsetFont(source, characters, AS_PART))
  const range = codes(characters).map((code) => `U+${code.toString(16)}`)
  return whole
    .replace(/url\([^)]*\)/, `url(${JSON.stringify(file)})`)
    .replace(/\}$/, `;unicode-range:${range.join()}}`)
}

/** Without hints, which are for coarse screens of long ago and a third of so small a file. */
const AS_PART = { targetFormat: 'woff2' as const, noHinting: true }

const codes = (characters: string): number[] =>
  [...characters].map((one) => one.codePointAt(0) ?? 0)

function letters(): string {
  const small = Array.from({ length: 26 }, (_, index) => String.fromCharCode(0x61 + index)).join('')
  return small + small.toUpperCase()
}
