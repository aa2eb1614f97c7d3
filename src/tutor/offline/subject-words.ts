import type { Course } from '../../contracts/course-pack.ts'

/** Words that say nothing about what a question is about, in the languages that the tutor hears. */
const COMMON = new Set(
  [
    'the and for are but not you your yours what which why how does did done doing can could would should shall will',
    'when where who whom whose this that these those with from have has had was were been being there here then than',
    'them they she him her his hers its our ours out into onto about again mean means meant need needs want wants',
    'tell told explain explained show shown know knew known understand understood use uses used using get gets got',
    'getting make makes made making please number numbers answer answers answered answering question questions left',
    'next today tomorrow yesterday now later soon always never often something anything nothing everything someone',
    'anyone thing things stuff wrong right correct good bad better best simply simple simpler easy easier easily hard',
    'harder difficult more most much many less least few some any all both each every other another else same',
    'different difference just only even really actually still yet already also too very quite maybe perhaps like',
    'liked think thought believe guess guessing try tried trying let lets give gives given take takes taken put say',
    'says said saying ask asks asked asking talk speak word words help helps helped hint hints example examples way',
    'ways work works worked working going goes went gone come comes came back forward start started begin began end',
    'ended finish finished stop stopped pause skip review reviews reviewing lesson lessons topic topics concept',
    'concepts course courses unit units exercise exercises practice practise quiz test exam level plan plans progress',
    'score learn learned learning learnt study teach teacher tutor maths math because since until',
    'while before after over under between without within during through once twice first second third last long',
    'short time times day days week weeks hour hours minute minutes late early one ones two three many sure okay',
    'yes yeah nope thanks thank sorry hello hey wait well see seen look looks looking find found remember forget',
    'forgot important whole part parts bit lot lots kind sort sense point reason problem problems happen happens',
    'happened should must might may ought able possible allowed cannot dont doesnt didnt cant wont isnt arent',
    'whats thats hows whos lets ive youre nice cool fun boring',
    'ich mir mich mein meine dir dich dein deine sie wir ihr uns ist sind war bin bist sein der die das den dem des',
    'ein eine einen einem einer eines kein keine und oder aber nicht auch nur noch mal nochmal schon jetzt dann denn',
    'doch was wer wie wann warum wieso weshalb wozu welche welcher welches womit davon dazu damit dabei hier dort',
    'kann kannst können könnte könntest muss musst müssen soll sollte will willst wollen darf mag möchte habe hast',
    'hat haben hatte wird werden wurde gibt geht gehen machen mach macht gemacht sagen sag sage erklär erkläre',
    'erklären zeig zeige verstehe verstehen versteh weiß wissen bitte danke heute morgen gestern nächste nächsten',
    'nächstes falsch richtig antwort frage fragen aufgabe aufgaben beispiel beispiele lösung lektion kurs thema',
    'themen einfach einfacher leicht schwer anders etwas nichts alles viel viele mehr weniger von vom mit bei für',
    'auf aus über unter zum zur nach vor wenn weil dass als zurück weiter wieder bedeutet heißt meinst mach',
  ]
    .join(' ')
    .split(' '),
)

const WORD = /\p{L}{3,}/gu

const stem = (word: string) =>
  word.replace(/(?:ing|ed|es|s|ly|ion|ions)$/, '').replace(/(?<=\p{L}{3})e$/u, '')

/** The words of a text that may tell what it is about, as stems. */
export const subjectWords = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).filter((word) => !COMMON.has(word)).map(stem)

/** The words of what a course teaches: its glossary, its units with their other names, and their key ideas. */
export function courseTerms({ units, glossary = [] }: Course): ReadonlySet<string> {
  const names = [
    ...glossary.flatMap(({ term, also }) => [term, ...also]),
    ...units.flatMap(({ title, aliases, tags, keyIdeas }) => [
      title,
      ...aliases,
      ...keyIdeas,
      ...tags.map((tag) => tag.replaceAll('_', ' ')),
    ]),
  ]
  return new Set(names.flatMap(subjectWords))
}
