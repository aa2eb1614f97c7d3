import { derivedId } from '../spine/ids.ts'
import { richLine, richText } from './rich-text.ts'

/** A question that a learner has been through, with its answer. */
export interface AnkiQuestion {
  /** Markdown with `$LaTeX$`, as all texts of it. */
  text: string
  options: string[] | null
  answer: string
  solution: string | null
  topic: string
  courseId: string | null
  unitId: string | null
  /** The concept that it is about. */
  concept: string
}

/** A note as Anki takes it; `guid` stays the same, so that importing again changes the old note. */
export interface AnkiNote {
  guid: string
  deck: string
  /** HTML, in the order of `FIELDS`. */
  fields: string[]
  tags: string[]
}

export const FIELDS = ['Question', 'Options', 'Answer', 'Solution'] as const

/** All notes are below this deck. */
export const ROOT_DECK = 'Meno'

/** The same question, in whichever topic and installation it is asked, in whichever order its options. */
const guidOf = ({ text, options }: AnkiQuestion): string =>
  derivedId('anki', text, [...(options ?? [])].sort().join('\n'))

/** The notes of questions, each of them once. */
export function ankiNotes(questions: readonly AnkiQuestion[]): AnkiNote[] {
  const notes = new Map<string, AnkiNote>()
  for (const question of questions) {
    const guid = guidOf(question)
    if (notes.has(guid)) continue
    const { text, options, answer, solution, topic } = question
    const fields = [
      richText(text),
      options ? `<ol>${options.map((option) => `<li>${richLine(option)}</li>`).join('')}</ol>` : '',
      richText(answer),
      solution ? richText(solution) : '',
    ]
    notes.set(guid, {
      guid,
      deck: `${ROOT_DECK}::${deckName(topic)}`,
      fields,
      tags: tags(question),
    })
  }
  return [...notes.values()]
}

/** Two colons would make a deck within the deck. */
const deckName = (topic: string): string =>
  topic.replace(/:{2,}/g, ':').replace(/["\n]/g, ' ').trim()

function tags({ topic, courseId, unitId, concept }: AnkiQuestion): string[] {
  const parts = [
    'meno',
    `topic::${tag(topic)}`,
    `concept::${tag(concept)}`,
    ...(courseId && unitId ? [`unit::${tag(courseId)}::${tag(unitId)}`] : []),
  ]
  return parts.filter((part) => !part.endsWith('::'))
}

const tag = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s"]+/g, '-')
    .replace(/:{2,}/g, ':')

const HEADER = [
  '#separator:tab',
  '#html:true',
  '#notetype:Basic',
  '#guid column:1',
  '#deck column:2',
  '#tags column:5',
]

/** Notes in the text format of Anki's importer (docs.ankiweb.net/importing/text-files.html). */
export function ankiText(notes: readonly AnkiNote[]): string {
  const rows = notes.map(({ guid, deck, fields, tags: of }) => {
    const [question = '', options = '', answer = '', solution = ''] = fields
    return [guid, deck, question + options, answer + solution, of.join(' ')].map(quoted).join('\t')
  })
  return [...HEADER, ...rows].map((line) => `${line}\n`).join('')
}

const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`
