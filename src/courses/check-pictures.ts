import { DOMParser, type Element, type Node, onErrorStopParsing } from '@xmldom/xmldom'
import { marked, type Token, type Tokens } from 'marked'
import type { Course } from '../contracts/course-pack.ts'
import { PICTURE_NAME, type Picture, picturesPath } from '../contracts/picture.ts'

const MOST_CHARACTERS = 8_000
const SVG = 'http://www.w3.org/2000/svg'
/** What draws and nothing else: no script, no style sheet, nothing that leads or loads from elsewhere. */
const ELEMENTS = new Set(
  'svg g defs marker path line polyline polygon rect circle ellipse text tspan title desc'.split(
    ' ',
  ),
)
const ATTRIBUTE = /^(?:on.*|style|src|(?:.*:)?href)$/i
const [ELEMENT, INSTRUCTION, DOCTYPE] = [1, 7, 10]

/** What is wrong with the files that lessons show as pictures, in words. */
export function checkPictures({ courseId, pictures = [], units }: Course): string[] {
  const path = picturesPath(courseId)
  const files = new Set(pictures.map(({ name }) => path + name))
  const shown = units.flatMap(({ unitId, lesson }) =>
    imagesOf(lesson).map((image) => ({ ...image, where: `${unitId} lesson: ${image.raw}` })),
  )
  return [
    ...shown.flatMap(({ where, href, text, isAlone }) => [
      ...(files.has(fileOf(href)) ? [] : [`${where}: the course has no such picture`]),
      ...(text.trim() === '' ? [`${where}: it does not say what is to be seen`] : []),
      ...(text.includes('$') ? [`${where}: the text is read out: no formulas`] : []),
      ...(isAlone ? [] : [`${where}: a picture is a paragraph of its own`]),
    ]),
    ...pictures.flatMap((picture) =>
      [
        ...(shown.some(({ href }) => fileOf(href) === path + picture.name)
          ? []
          : ['no lesson shows it']),
        ...fileFaults(picture),
      ].map((fault) => `pictures/${picture.name}: ${fault}`),
    ),
  ]
}

const fileOf = (address: string): string => address.replace(/#.*$/, '')

function imagesOf(lesson: string) {
  const images: (Tokens.Image & { isAlone: boolean })[] = []
  const alone = new Set<Token>()
  marked.walkTokens(marked.lexer(lesson), (token) => {
    const [only, ...more] = token.type === 'paragraph' ? (token.tokens ?? []) : []
    if (only && more.length === 0) alone.add(only)
    if (token.type === 'image') {
      images.push({ ...(token as Tokens.Image), isAlone: alone.has(token) })
    }
  })
  return images
}

function fileFaults({ name, svg }: Picture): string[] {
  const faults = [
    ...(PICTURE_NAME.test(name) ? [] : ['a name is of small letters, digits and hyphens']),
    ...(svg.length <= MOST_CHARACTERS ? [] : [`more than ${MOST_CHARACTERS} characters`]),
  ]
  try {
    const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(svg, 'text/xml')
    const root = document.documentElement
    const isSvg = root?.localName === 'svg' && root.namespaceURI === SVG
    if (!isSvg || !root.hasAttribute('viewBox')) faults.push('no SVG with a viewBox')
    return [...faults, ...[...document.childNodes].flatMap(nodeFaults)]
  } catch (error) {
    return [...faults, error instanceof Error ? error.message : String(error)]
  }
}

function nodeFaults(node: Node): string[] {
  if (node.nodeType === INSTRUCTION || node.nodeType === DOCTYPE) {
    return [`${node.nodeName} is not allowed`]
  }
  if (node.nodeType !== ELEMENT) return []
  const { tagName, localName, attributes, childNodes } = node as Element
  return [
    ...(ELEMENTS.has(localName ?? '') ? [] : [`<${tagName}> is not allowed`]),
    ...[...attributes]
      .filter(({ name, value }) => ATTRIBUTE.test(name) || /url\(\s*(?!#)/i.test(value))
      .map(({ name }) => `${name} of <${tagName}> is not allowed`),
    ...[...childNodes].flatMap(nodeFaults),
  ]
}
