/** A question with its answer, as Anki takes it: `id` stays the same, so that importing again changes the old note. */
export interface AnkiNote {
  id: string
  front: string
  back: string
  topic: string
}

const HEADER = [
  '#separator:tab',
  '#html:false',
  '#notetype:Basic',
  '#deck:Meno',
  '#guid column:1',
  '#tags column:4',
]

/** Notes in the text format of Anki's importer (docs.ankiweb.net/importing/text-files.html), a topic as tag. */
export function ankiFile(notes: readonly AnkiNote[]): string {
  const rows = notes.map(({ id, front, back, topic }) =>
    [id, withMathJax(front), withMathJax(back), tagOf(topic)].map(quoted).join('\t'),
  )
  return [...HEADER, ...rows].map((line) => `${line}\n`).join('')
}

/** Anki's MathJax knows `\(…\)` and `\[…\]` only. */
function withMathJax(text: string): string {
  return text
    .replace(/\$\$([^$]+)\$\$/g, (_, maths: string) => `\\[${maths}\\]`)
    .replace(/\$([^$\n]+)\$/g, (_, maths: string) => `\\(${maths}\\)`)
}

const tagOf = (topic: string): string => topic.trim().toLowerCase().replace(/\s+/g, '-')

const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`
