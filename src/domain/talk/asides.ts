import { wordSet } from './talk.ts'

/** What a learner asks about the learning rather than its subject. */
export type Aside = 'time' | 'schedule' | 'exam' | 'use' | 'hard' | 'stakes' | 'tools'

/** Words of the subjects: what is asked with one of them is asked about the subject. */
const OF_SUBJECT = wordSet(`
  x y z solution solutions lösung lösungen loop loops schleife schleifen list lists liste listen bracket brackets klammer klammern
  parentheses minus plus colon doppelpunkt index string strings function functions funktion funktionen return returns input
  print range len variable variables variablen variablenname term terme terms number numbers zahl zahlen line lines zeile zeilen
  gerade geraden side sides seite seiten item items element elemente multiply divide subtract teilen multiplizieren abziehen
  equation equations gleichung gleichungen expression ausdruck factor factors faktor zerlegen value values wert werte sign signs
  vorzeichen step steps schritt schritte example beispiel hint tipp root roots wurzel wurzeln power powers potenz
  fraction fractions bruch brüche slope steigung graph parabola parabel formula formel method methode type typ key keys dictionary
  tuple boolean operator elif class import comma komma quote quotes anführungszeichen name names
  equality gleichheit argument parameter statement condition bedingung error exception fehlermeldung program programm
`)

/** What tells each from the others, looked for in this order. */
const TOLD: Readonly<Record<Aside, readonly string[]>> = {
  exam: [
    'exams?|examination|midterm|finals?|gcses?|sat|syllabus|curriculum|abitur|abi|lehrplan|abgefragt',
    'prüfung(?:en)?|abschlussprüfung|klausur(?:en)?|klassenarbeit|schulaufgabe|schularbeit',
    '(?:prüfungs|klausur|abitur)relevant',
    '(?:on|in|for) (?:the|my|our|a) test|test us|to pass|zum bestehen',
    '(?:im|fürs|für den|in dem) test|arbeit (?:kommt|dran|vor)',
    '(?:in|für|bei) (?:der|die|einer|unserer) arbeit (?:vor|dran|kommt)',
  ],
  tools: [
    'calculator|paper|pen(?:cil)?|notes|textbook|my (?:book|phone)|internet|google|chatgpt|online',
    'cheat(?:ing)?|guess(?:ing)? (?:allowed|ok|okay|fine)',
    '(?:can|may|should|ok to|okay to|allowed to|fine to)(?: i)?(?: just)? guess',
    'look (?:it|this|that) up|(?:in|from) my head|write (?:it|this|that) down',
    'taschenrechner|papier|stift|heft|handy|notizen|zettel|spickzettel|spicken|schummeln|googeln',
    'raten|nachgucken|nachschauen|nachschlagen|im kopf|(?:am|mit dem) (?:pc|computer)',
  ],
  stakes: [
    '(?:does|do|will|is|are|can) (?:this|that|it|these|my answers?) (?:count|counted|matter|graded|marked|scored|recorded|saved|for a grade)',
    'grad(?:e|es|ed)|marks?|marked|noten?|benotet|bewertet|gewertet|gespeichert|zählt (?:das|es)',
    '(?:lose|get|verliere|bekomme|kriege?|gibt es|gibts|dafür|keine?|i) (?:any )?(?:points|punkte)|points do i',
    'teacher|mum|mom|dad|parents|anyone|anybody|jemand|lehrer|lehrerin|lehrkraft|eltern|mama|papa',
    '(?:how many|wie ?viele) (?:mistakes|fehler)',
    '(?:matter|happens|bad|what|schlimm|passiert) (?:was |ist )?(?:if|wenn)(?: \\p{L}+){0,4} (?:wrong|mistakes?|fail|falsch|fehler|nicht (?:weiß|kann))',
  ],
  time: [
    'how (?:long|far)|how much (?:time|more|longer|of this|is left|is there)',
    'how many (?:more|questions|of these|of them|lessons|problems|are|left|weeks|hours|minutes|topics)',
    '(?:be|take|last|going on)(?: \\p{L}+)? (?:long|forever)|be long|minutes before',
    '(?:the|my|die) (?:last|letzte)(?: (?:one|question|frage|aufgabe))?|whats? (?:is )?left',
    '(?:finished|done|over|there)(?: (?:yet|soon|now|already))+',
    '(?:am i|are we|is it|is this)(?: \\p{L}+)? (?:finished|done|over|there)',
    'wie ?(?:lange?|weit)|wieviel (?:noch|zeit)',
    'wie ?viele?(?: \\p{L}+){0,2} (?:noch|zeit|fragen|aufgaben|kommen|lektionen|themen)',
    'wie ?viele (?:fragen|aufgaben|themen|lektionen)',
    'dauert|vorbei|fertig|geschafft|viertelstunde|reicht das',
  ],
  use: [
    '(?:the|a) (?:point|purpose)|what good|get me|get a job|help me get|i care|to do with this',
    '(?:why|what|when|where|who)(?: \\p{L}+){0,7} (?:needs?|learn|learning|know) (?:this|that|it|all this|all that)',
    '(?:ever|really|people|anyone|anybody|actually)(?: \\p{L}+)? (?:use|uses|need|needs) (?:this|that|it)',
    'real (?:life|world)|(?:good|useful) (?:for|to me|to anyone)',
    'wozu|wofür|im (?:echten |richtigen )?leben|im beruf|irgendeinen sinn',
    '(?:braucht|brauchen|brauche?) (?:man|das|ich|wir|doch|sowas)',
    'was (?:bringt|nützt|hab ich|habe ich)|was soll (?:das|der quatsch)|(?:warum|wieso) (?:lernen|lerne|muss|müssen|brauche|soll)',
  ],
  schedule: [
    'every ?day|daily|regularly|tomorrow|tonight|later|another day|next week|weekend|holiday',
    'on (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:how|wie) (?:often|oft)|come back|a break|skip a',
    '(?:do|see|ask)(?: \\p{L}+){0,3} again|remember where|once a week',
    'when (?:is|are|will|do|should)(?: \\p{L}+){0,3} (?:next|again|review|back)',
    'jeden tag|täglich|morgen|später|heute abend|wochenende|einmal (?:die|in der|pro) woche|urlaub|ferien',
    'wiederkommen|wieder komm\\p{L}*|mein stand|(?:tag|tage) nicht',
    'wann (?:machen|sehen|kommt|ist|gehts|geht|soll|muss)(?: \\p{L}+){0,3} (?:weiter|wieder|nächste|nächsten|dran|weitermachen|wiederholen)',
    'wann (?:kommt|ist) (?:die|meine) nächste',
  ],
  hard: [
    'hard(?:er|est)?|difficult|tricky|tough|easy|(?<!make (?:it|this|that) )easier|easiest|too much for me',
    'schwer(?:er)?|schwierig\\p{L}*|leicht(?:er|e)?|einfach(?:er)?|kompliziert|schaffe ich',
  ],
}

/** Whether what a message was read as is such a question. */
export const isAside = (kind: string): kind is Aside => Object.hasOwn(TOLD, kind)

const KINDS = (Object.entries(TOLD) as [Aside, readonly string[]][]).map(
  ([aside, told]) =>
    [aside, new RegExp(`(?<!\\p{L})(?:${told.join('|')})(?!\\p{L})`, 'u')] as const,
)

const BEFORE =
  /^(?:(?:and|but|so|ok|okay|like|um+|uh|hey|hi|hello|hallo|oh|no|honestly|please|wait|also|roughly|und|aber|äh+m?|na|ehrlich)[,.!]* )*/u
/** How a question begins. */
const OPENS =
  /^(?:is|are|am|was|will|would|do|does|did|can|could|may|should|must|how|what|whats|when|where|why|who|has|have|ist|sind|war|wird|werden|kann|können|darf|dürfen|muss|müssen|soll|hat|habe|braucht?|brauch|brauche|brauchen|kommt|kommen|zählt|gilt|gibts?|geht|sieht|erfährt|krieg|kriege|bekomme|dauert|reicht|schaffe|finden|fragen|steht|wie|wann|wo|wozu|wofür|warum|wieso|wer|wieviele?)(?!\p{L})/u
/** Whoever asks why does not ask for leave. */
const WHY = /^(?:why|warum|wieso|wozu)(?!\p{L})/u

/**
 * What a message, lower-cased and freed of its punctuation, asks about the learning; null where it is something else, names
 * a thing of the subject, or has more in it than words.
 */
export function readAside(said: string): Aside | null {
  if (said.length > 120 || /[^\p{L} ,.;!?-]/u.test(said)) return null
  const asked = said.replace(BEFORE, '')
  if (!OPENS.test(asked)) return null
  const words = asked.split(/[^\p{L}]+/u).filter((word) => word !== '')
  if (words.length < 2 || words.some((word) => OF_SUBJECT.has(word))) return null
  const kinds = KINDS.filter(([, told]) => told.test(asked)).map(([aside]) => aside)
  return (WHY.test(asked) ? kinds.find((aside) => aside !== 'tools') : kinds[0]) ?? null
}
