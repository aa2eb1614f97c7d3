/** The words with umlauts or ß that the talk of learners is known by. */
const WORDS = `
  abschlussprüfung anführungszeichen aufhören blöd brüche dafür dankeschön dürfen erfährt erklär erkläre erklären für fürs genügts
  heißt hä hänge hätte können könnte könnten könntest lösung lösungen möchte müde müssen nächste nächsten nächstes nützt prüf
  nö prüfung prüfungs prüfungsrelevant schlägt schön scheiße später tschö tschüs tschüss tschüssi täglich töten weiß weißt wofür würde würdest zählt
  wäre äh üben überhaupt überlegen überspring überspringe überspringen übung
`
  .split(/\s+/)
  .filter((word) => word !== '')

const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

const folded = (word: string): string => word.replace(/[äöüß]/g, (letter) => LETTERS[letter] ?? '')

const BY_FOLDED = new Map(WORDS.map((word) => [folded(word), word]))

/** A lower-case text with the umlauts that its writer's keyboard lacks: "loesung" → "lösung"; no other word is touched. */
export const withUmlauts = (text: string): string =>
  text.replace(/\p{L}*(?:[aou]e|ss)\p{L}*/gu, (word) => BY_FOLDED.get(word) ?? word)
