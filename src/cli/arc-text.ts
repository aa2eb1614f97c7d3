import type { ArcMessage, ArcView, MindMapView, PendingQuestion } from '../contracts/arc.ts'
import { phaseWords, timeUntil } from './progress.ts'
import { type Page, renderInline, renderMarkdown } from './render-markdown.ts'
import { harmless, oneLine } from './terminal-text.ts'

type Option = NonNullable<PendingQuestion['options']>[number]

const PRACTICE_IS_ELSEWHERE = 'Practice is in the browser, on the page of this topic.'

/** A message as it stands in the terminal; what the learner said begins with `>`. */
export function messageText(message: ArcMessage, page: Page): string {
  if (message.role === 'learner') {
    return page.style.faint(`> ${harmless(message.text).replaceAll('\n', '\n  ')}`)
  }
  const text = renderMarkdown(message.text, page)
  if (message.role === 'system') return page.style.warning(text)
  if (message.card?.type === 'PRACTICE')
    return `${text}\n\n${page.style.faint(PRACTICE_IS_ELSEWHERE)}`
  const options = optionsOf(message)
  return options.length === 0 ? text : `${text}\n\n${optionsText(options, page)}`
}

/** The options that were put with a question; empty where there were none. */
export function optionsOf({ card }: ArcMessage): Option[] {
  const options = card?.type === 'QUESTION' ? card.options : null
  return Array.isArray(options) ? (options as Option[]) : []
}

/** Options with the letter, or whatever they are called, by which they can be chosen. */
export function optionsText(options: readonly Option[], { style }: Page): string {
  return options
    .map(({ id, text }) => `  ${style.strong(`${oneLine(id)})`)} ${renderInline(text, style)}`)
    .join('\n')
}

/** The open question, with its options. */
export function questionText({ text, options = [] }: PendingQuestion, page: Page): string {
  const question = renderMarkdown(text, page)
  return options.length === 0 ? question : `${question}\n\n${optionsText(options, page)}`
}

const MARKS = { mastered: '●', reviewing: '◕', learning: '◑', diagnosed: '◔', unseen: '○' } as const

/** The mind map as a list in the order of learning. */
export function mapText(arc: ArcView, map: MindMapView, { style }: Page, now: number): string {
  if (map.nodes.length === 0) return 'There is no map yet; it comes after the level check.'
  const place = (sequence: number | null) => sequence ?? Number.POSITIVE_INFINITY
  const nodes = [...map.nodes].sort((a, b) => place(a.sequence) - place(b.sequence) || 0)
  const lines = nodes.map((node) => {
    const label = oneLine(node.label)
    const isHere = node.id === (arc.currentNode?.id ?? map.nextNodeId)
    const mark = node.masteryStatus === 'mastered' ? style.good('●') : MARKS[node.masteryStatus]
    const notes = [statusWords(node, now), isHere ? (arc.currentNode ? 'here' : 'next') : '']
    const shown = isHere ? style.strong(label) : label
    return `  ${mark} ${shown}  ${style.faint(notes.filter(Boolean).join(', '))}`
  })
  const legend = Object.entries(MARKS).map(([status, mark]) => `${mark} ${status}`)
  return [...lines, '', style.faint(`  ${legend.join('   ')}`)].join('\n')
}

function statusWords(node: MindMapView['nodes'][number], now: number): string {
  if (node.metadata.skipped) return 'skipped'
  if (node.masteryStatus === 'unseen') return ''
  const score = `${Math.round(node.masteryScore * 100)} %`
  if (node.nextReviewAt === null) return score
  const due = Date.parse(node.nextReviewAt) - now
  return `${score}, review ${due <= 0 ? 'due' : timeUntil(due)}`
}

/** An arc in one line, for a list. */
export function arcLine(arc: ArcView): string {
  const { mastered, total } = arc.mastery
  const counted = total === 0 ? '' : `, ${mastered} of ${total} mastered`
  return `${phaseWords(arc.phase)}${counted}`
}

/** The command that leads back to an arc of this topic, to be pasted into a shell. */
export function wayBack(topic: string): string {
  const plain = oneLine(topic)
  const quoted = /["$`\\!]/.test(plain) ? `'${plain.replaceAll("'", "'\\''")}'` : `"${plain}"`
  return `npm run chat -- ${quoted}`
}
