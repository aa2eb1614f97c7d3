/** Tells what says nothing of a question's subject from an answer in words. */

/** Words of conversation that no program prints and no method is called by, unless the question has them. */
const EVERYDAY = wordSet(`
  i im ive id ill me my mine myself you your youre u we us our he she they them this that these those its it is was were are
  be been am do does did done dont doesnt didnt can cant could couldnt will wont would wouldnt should shouldnt must may might
  have has had havent let lets know knew think thought see look want wanna need like hate love feel guess mean say said tell
  told ask hope wait hold sit stop start learn understand remember forget forgot never ever always again already still yet just
  only really very so too quite maybe perhaps probably sure not no nope nah yes yeah yep yup ok okay well oh ah hm hmm hey hi
  hello bye thanks thank please sorry what why how when where who which whatever whenever because but here there now later soon
  today tomorrow more less much some any anything something everything someone about good bad great nice cool hard easy tired
  bored boring stupid fun funny interesting important unfair wrong right correct depends friend mate bro time moment
  second minute day mood sense idea clue question answer help the of with for and
  ich mich mir mein meine meinen du dich dir dein deine er sie wir uns unser ihr euch man es das dies diese dieser dieses dem den
  des ist sind war waren bin bist seid sein hat habe hab hast haben hatte hatten wird werden wurde kann kannst können könnte muss
  musst müssen soll sollen will willst wollen möchte mag darf weiß weiss weißt wissen denke denk glaube glaub meine verstehe
  versteh verstanden kapiere kapier vergessen gelernt erklär erkläre sag sage mach mache machen geht gehen kommt komm lass lassen
  warte warten nicht nie niemals kein keine keinen nur noch mal nochmal schon wieder immer jetzt später heute morgen
  vielleicht wahrscheinlich sicher egal doch eben halt eigentlich wirklich sehr ganz zu so auch aber oder und weil wenn wie was
  warum wieso wer wo wann hier da dort bitte danke hallo hi tschüss ja nein nö ne jein okay gut schlecht schwer leicht blöd doof
  dumm müde langweilig krank lust ahnung bahnhof quatsch moment sekunde zeit mehr weiter drauf recht richtig falsch stimmt
  kurz alles etwas irgendwas frage antwort hilfe geier mist na guten abend tag an am auf zum zur vom von mit bei aus
`)

/** Alone, these answer nothing but a yes-or-no question. */
const ALONE = wordSet(`
  yes no nope nah yeah yep yup ok okay maybe perhaps sure what why how huh whatever later never hello hi hey bye thanks sorry
  please wait hm hmm well good cool nice great wow lol haha idk help depends
  ja nein nö nee ne jein doch vielleicht egal hallo danke bitte tschüss warte moment hä gut weiter später klar naja quatsch mist
`)

const PERSONS = wordSet(
  'i im ive id ill me my you your youre we us ich mich mir mein meine du dich dir dein wir uns',
)

/** Words about programs and numbers: whoever says one speaks of the subject. */
const SUBJECT = wordSet(`
  abs add all any append assert break bool char class clear close const continue copy count crash crashes def define del delete dict
  dictionary double echo elif else empty enumerate error errors except exception false fehler finally float format from function func
  get global if import in index input insert int integer items join keys lambda len length list log loop lower map max method min
  module multiply name none nothing nichts null object open operator output pass pop print push raise range read remove replace
  return returns reverse round set sort sorted split str string strip subtract sum true try tuple type undefined until update upper
  value values var variable while write yield zip leer methode funktion schleife liste text zahl number line zeile minus plus
  divide times add addition subtraction multiplication division half double square root
  or and not is for with as
`)

/**
 * Whether words say nothing of a question's subject: a talk word alone, everyday words with none of the subject's among
 * them, or words of somebody about themselves. What stands in the key or is quoted in the question is of the subject.
 */
export function saysNothingOf(
  said: string,
  accepted: readonly string[],
  questionText: string,
): boolean {
  const plain = said.replace(/\p{Extended_Pictographic}|\uFE0F/gu, ' ')
  if (/[^\p{L}\p{M}\s.,;:!?…'’‘-]/u.test(plain)) return false
  const words = wordsOf(plain)
  if (words.length === 0) return false
  const key = new Set(accepted.flatMap(wordsOf))
  const quoted = new Set([...key, ...quotedWords(questionText)])
  const [first = ''] = words
  if (words.length === 1) {
    const isPrinted = new RegExp(`["']${first}["']`, 'i').test(questionText)
    return ALONE.has(first) && !isPrinted && ![...key].some((word) => ALONE.has(word))
  }
  if (words.every((word) => quoted.has(word))) return false
  if (words.every((word) => SUBJECT.has(word))) return false
  if (words.some((word) => PERSONS.has(word))) return true
  const isEveryday = (word: string) => EVERYDAY.has(word)
  const isOfSubject = (word: string) => !isEveryday(word) && (SUBJECT.has(word) || quoted.has(word))
  return words.some(isEveryday) && !words.some(isOfSubject)
}

const OPINION = /^(?:this is|that is|that'?s|das ist|das war|you are|you'?re|du bist)\b/i

/** Whether words that say nothing of the subject say no more without their beginning: "this is ridiculous", "I guess so". */
export function isRemark(said: string, rest: string): boolean {
  const words = wordsOf(rest)
  return OPINION.test(said) || words.every((word) => EVERYDAY.has(word) && !SUBJECT.has(word))
}

const DENIAL =
  /\b(?:not|no|never|without|but|instead|except|dont|don't|doesnt|doesn't|isnt|isn't|nicht|kein\w*|nie|ohne|statt|sondern)\b/i

/** Whether an accepted name stands among other words that do not deny it: right, it may be, in other words. */
export function standsAmong(text: string, accepted: readonly string[]): boolean {
  const words: string[] = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
  const names = accepted.map((name) => name.toLowerCase()).filter((name) => /^\p{L}+$/u.test(name))
  return words.length > 1 && !DENIAL.test(text) && names.some((name) => words.includes(name))
}

/** Whether what is expected stands whole among words of conversation that do not deny it: "just 8 - 3". */
export function standsInTalk(said: string, expected: string, questionText: string): boolean {
  const at = said.indexOf(expected)
  if (at < 0) return false
  const [before, behind] = [said.slice(0, at), said.slice(at + expected.length)]
  if (/[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(behind)) return false
  const around = `${before} ${behind}`
  if (DENIAL.test(around.replace(/without (?:the )?quot\w+/i, ''))) return false
  const quoted = new Set(quotedWords(questionText))
  const words = wordsOf(around)
  return (
    words.length > 0 &&
    /^[\p{L}\s.,!'’]*$/u.test(around) &&
    words.every((word) => (EVERYDAY.has(word) || ABOUT_OUTPUT.has(word)) && !quoted.has(word))
  )
}

const ABOUT_OUTPUT = wordSet(
  'text string without quotes quotation marks screen output printed result genau exakt exactly ohne anführungszeichen',
)

/** What a question has between quotes, backticks or dollar signs, and its programs. */
function quotedWords(questionText: string): string[] {
  const quoted = questionText.match(/```[\s\S]*?```|`[^`]*`|"[^"]*"|\$[^$]*\$/g) ?? []
  return quoted.flatMap((text) => wordsOf(text.replace(/^```\w*/, '')))
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/['’‘]/g, '')
      .match(/\p{L}+/gu) ?? []
  )
}

/** Words that stand between spaces and line breaks, as a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
