/** A piece of teaching material, short enough to be put into a prompt; `page` counts from 1. */
export interface Chunk {
  section: string
  page: number | null
  text: string
}

/** A chunk is closed before it would grow beyond this many characters. */
const MAX_CHUNK = 900

/** Chunks of a Markdown text by its headings; what comes before the first is in section `title`. */
export function markdownChunks(markdown: string, title: string): Chunk[] {
  let section = title
  let lines: string[] = []
  const chunks: Chunk[] = []
  const close = () => {
    chunks.push(...packed(lines.join('\n')).map((text) => ({ section, page: null, text })))
    lines = []
  }
  let inCode = false
  for (const line of markdown.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) inCode = !inCode
    const heading = inCode ? null : /^#{1,6}\s+(.+?)\s*#*$/.exec(line)
    if (heading) {
      close()
      section = heading[1] ?? title
    } else lines.push(line)
  }
  close()
  return chunks
}

/** Chunks of a document's pages, each kept on its page. A short line without a full stop opens a section. */
export function pageChunks(pages: readonly string[], title: string): Chunk[] {
  let section = title
  return pages.flatMap((page, index) => {
    const blocks: Chunk[] = []
    let lines: string[] = []
    const close = () => {
      const texts = packed(lines.join('\n'))
      blocks.push(...texts.map((text) => ({ section, page: index + 1, text })))
      lines = []
    }
    for (const line of page.split('\n').map((one) => one.trim())) {
      if (isHeading(line)) {
        close()
        section = line
      } else lines.push(line)
    }
    close()
    return blocks
  })
}

/** Chunks of a transcript, plain or as WebVTT or SubRip subtitles, whose times and numbers are left out. */
export function transcriptChunks(transcript: string, title: string): Chunk[] {
  const spoken = transcript
    .replace(/^\uFEFF?WEBVTT[^\n]*\n/, '')
    .split(/\r?\n/)
    .filter(
      (line) => !/-->/.test(line) && !/^\s*\d+\s*$/.test(line) && !/^(NOTE|STYLE)\b/.test(line),
    )
    .map((line) => line.replace(/<[^>]+>/g, ''))
    .join('\n')
  const isPlain = !/-->/.test(transcript)
  const text = isPlain ? spoken : spoken.replace(/\n+/g, ' ')
  return isPlain
    ? markdownChunks(text, title)
    : packed(text).map((piece) => ({ section: title, page: null, text: piece }))
}

function isHeading(line: string): boolean {
  const words = line.split(/\s+/).length
  return line.length > 2 && line.length <= 70 && words <= 9 && /^[\p{Lu}\d][^.!?;,=]*$/u.test(line)
}

/** Paragraphs put together up to the size of a chunk; one that is too long is cut between sentences or words. */
function packed(text: string): string[] {
  const chunks: string[] = []
  let current = ''
  for (const paragraph of text.split(/\n\s*\n/).flatMap((one) => cut(one.trim()))) {
    if (paragraph === '') continue
    if (current !== '' && current.length + paragraph.length + 2 > MAX_CHUNK) {
      chunks.push(current)
      current = ''
    }
    current = current === '' ? paragraph : `${current}\n\n${paragraph}`
  }
  return current === '' ? chunks : [...chunks, current]
}

function cut(paragraph: string): string[] {
  if (paragraph.length <= MAX_CHUNK) return [paragraph]
  const head = paragraph.slice(0, MAX_CHUNK)
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('\n'))
  const end = sentence > MAX_CHUNK / 3 ? sentence + 1 : head.lastIndexOf(' ')
  const at = end > 0 ? end : MAX_CHUNK
  return [paragraph.slice(0, at).trim(), ...cut(paragraph.slice(at).trim())]
}
