/** What people say around an answer without adding to it: doubt, politeness, faces. English, German and French. */
import { MAX_ANSWER_LENGTH } from '../notation/plain-math.ts'

/** Before an answer. */
const LEADS = `
  u+h*m+ | h+m+ | uh+ | er+m* | maybe | perhaps | probably | possibly | surely | definitely
  (?:i am |i'?m )?(?:pretty |quite |fairly |almost )?sure(?:,? but| that)?
  i (?:think|guess|believe|suppose|assume|reckon|get|got|say|choose|pick|take|would say|have)(?: that)?
  i'?d (?:say|guess|go with|go for|pick) | i'?ll (?:say|take|go with)
  i would (?:say|guess|go with|go for|pick) | i (?:came up|ended up|will go|go) with | i want to say
  (?:i am |i'?m )(?:just )?(?:guessing|thinking|saying|going with|gonna (?:say|go with))(?: that)?
  just guessing | let'?s say | i make it | is (?:the|my) answer
  we (?:get|have) | you get | (?:(?:just )?a |my )(?:best |wild |rough )?guess(?: is| would be|:)?
  is it | is that | isn't it
  (?:could|would|might) (?:it|that) be | (?:it |that )?(?:could|would|might|must|should|has to) be
  it is | it's | its | that is | that's | this is
  (?:the |my )?(?:final )?(?:answer|ans|result|solution)(?: is| would be| should be|:| =|=)?
  ich (?:glaube?|denke?|meine?|sch(?:ä|ae)tze?|vermute|tippe?(?: auf)?|rate|sage?|nehme?|w(?:ä|ae)hle?|habe?|bekomme?|kriege?|komme? auf|w(?:ü|ue)rde (?:sagen|raten|sch(?:ä|ae)tzen)),?(?: mal| einfach| jetzt)*(?: dass)?
  vielleicht | wahrscheinlich | vermutlich | eventuell | geraten:? | gesch(?:ä|ae)tzt:?
  (?:das )?(?:ergibt|macht) | das (?:ist|sind|w(?:ä|ae)ren?|gibt) | ich bin f(?:ü|ue)r | raus kommt | ist (?:die|meine) (?:antwort|l(?:ö|oe)sung) | ist das ergebnis | ergebnis(?: ist)? | es (?:ist|sind) | ist es | antwort: | ergebnis: | l(?:ö|oe)sung:
  (?:die|meine) (?:antwort|l(?:ö|oe)sung) (?:ist|lautet|w(?:ä|ae)re)
  (?:das|mein) (?:ergebnis|resultat) (?:ist|lautet|w(?:ä|ae)re)
  je (?:pense|crois)(?: que)? | peut-(?:ê|e)tre | c'est | la r(?:é|e)ponse est
`
/** Before what a program prints: "it prints 8 - 3". */
const PRINTED_LEADS = `
  (?:it|this|that|python|the (?:program|code|line|last line|computer|screen|console|result))(?:'ll| will| would| should| just| only| then)* (?:prints?|shows?|outputs?|displays?|gives?|returns?|says)(?: out)?
  prints | outputs | shows | displays | (?:you|we|i)(?:'ll| will| would)? see
  (?:the |its )?(?:printed )?output(?:s|:| is| would be| will be| should be| =)
  (?:die )?ausgabe(?: ist| lautet| w(?:ä|ae)re|:) | (?:da|dort|hier|es) steht(?: da)? | man sieht | es erscheint
  (?:es|das programm|python|der code) (?:zeigt|druckt|schreibt)
`
/** Before an answer, but also words that a program may print: a pause or a number has to follow. */
const CALLS = `
  so | then | well | ok(?:ay)? | oh | ah | sorry | please | clearly | also | donc | bitte
`
/** Behind an answer. */
const TRAILS = `
  i (?:think|guess|believe|suppose|assume|reckon|hope)(?: so)? | maybe | perhaps | probably
  i'?d (?:say|guess) | i would (?:say|guess) | (?:at |just |just a |it's just a )?a guess | just guessing
  (?:but )?idk | (?:but )?no idea | (?:is|must be|should be) (?:right|correct|it|the (?:right|correct) (?:one|answer))
  is (?:it|that)(?: right| correct| so| true)? | isn't it | am i right | for sure | lol | haha
  (?:but )?(?:i'?m |i am )?not (?:so |quite |really |too )?sure | is (?:the|my) answer
  please | pls | thanks(?: a lot)? | thank you | thx | danke | bitte | merci | s'il vous pla(?:î|i)t
  (?:glaube?|denke?|sch(?:ä|ae)tze?|vermute|meine|sage?) ich(?: mal)? | je (?:crois|pense)
  w(?:ü|ue)rde ich (?:(?:mal )?(?:sagen|sch(?:ä|ae)tzen|raten|denken|nehmen|tippen)) | vielleicht | wahrscheinlich
  (?:ist|w(?:ä|ae)re) (?:richtig|korrekt|es) | (?:m(?:ü|ue)sste |k(?:ö|oe)nnte )stimmen | stimmt | habe? ich(?: raus)?
  (?:aber )?(?:ich )?bin (?:mir |ich )*(?:aber )?nicht (?:ganz |so )?sicher | (?:aber )?keine ahnung | kommt (?:da )?(?:he)?raus
`
/** Behind what a program prints: "8 - 3 is printed". */
const PRINTED_TRAILS = `
  (?:is|gets|will be|would be) (?:printed|shown|displayed|output)(?: out)?(?: last| on the screen)?
  appears(?: on the screen)? | wird (?:ausgegeben|angezeigt|gedruckt)
`
/** Around an answer; what is kept is the answer. */
const AROUND: [RegExp, string][] = [
  [/^(?:es|das programm|python|der code) gibt (.+) aus$/iu, '$1'],
  [/^es wird (.+) (?:ausgegeben|angezeigt|gedruckt)$/iu, '$1'],
  [
    /^(?:(?:es|da|dann|hier|bei mir|am ende),? )*kommt (?:da |dann |bei mir )*(.+) (?:he)?raus$/iu,
    '$1',
  ],
  [/^f(?:ü|ue)r ([a-z]) kommt (.+) (?:he)?raus$/iu, '$1 = $2'],
  [/^(?:ich )?(?:habe?|kriege?|bekomme?) (?:da )?(.+) (?:he)?raus(?:bekommen|gekriegt)?$/iu, '$1'],
  [/^ich w(?:ü|ue)rde (.+) (?:sagen|sch(?:ä|ae)tzen|nehmen|tippen|raten)$/iu, '$1'],
  [
    /^((?:die|meine) (?:antwort|l(?:ö|oe)sung)|das ergebnis|[a-z]) (?:k(?:ö|oe)nnte|m(?:ü|ue)sste|muss|d(?:ü|ue)rfte|wird) (.+) sein$/iu,
    '$1 ist $2',
  ],
  [
    /^(?:(?:es|das) )?(?:k(?:ö|oe)nnte|m(?:ü|ue)sste|muss|d(?:ü|ue)rfte|wird)(?: es| das)? (.+) sein$/iu,
    '$1',
  ],
]
/** Who does not know, and guesses all the same: a pause, a guess or a number has to follow. */
const UNSURE =
  /^(?:idk|i (?:don'?t|do not)(?: really)? know|dunno|no (?:idea|clue)|(?:i am |i'?m )?not(?: so| really| quite| too| very)? sure|keine ahnung|(?:ich )?wei(?:ß|ss) (?:ich |es )*nicht(?: genau)?)(?:\s*(?:[,:!….]+|[–-]+(?=\s))\s*(?:but |aber )?|\s+(?:but |aber )|\s+(?=(?:maybe|perhaps|probably|possibly|like|i (?:guess|think)|vielleicht|wahrscheinlich|glaube?|ich (?:glaube?|denke?|sch(?:ä|ae)tze?))\b|[-+−]?\d))(?=\S)/iu

/** Behind an answer and a pause: "4, right?". Without the pause they are words of the answer. */
const TAGS =
  "right | correct | no | oder | though | tho | oder nicht | stimmt's | stimmts | stimmt das | richtig | gell | ne"
/** Behind a number or a letter, where a question mark follows: "23 oder?". */
const ASKED_TAG =
  /(?<=(?:\d|^[a-z]|\b(?:option|antwort) [a-z]))\s+(?:right|correct|yes|no|oder|oder nicht|stimmt'?s|stimmt das|richtig|gell|ne)\s*\?+$/iu

function oneOf(...lists: string[]): string {
  const phrases = lists.flatMap((list) => list.split(/ \| |\n/).map((phrase) => phrase.trim()))
  return `(?:${phrases.filter((phrase) => phrase !== '').join('|')})`
}

const FACE =
  '(?:\\p{Extended_Pictographic}[\\ufe0f\\u200d\\u{1f3fb}-\\u{1f3ff}]*|[:;]-?[)(DPp/](?!\\w))'
const LEAD = new RegExp(`^${oneOf(LEADS, PRINTED_LEADS)}(?![\\p{L}\\d'])[\\s,:!….]*(?=\\S)`, 'iu')
const CALL = new RegExp(`^${oneOf(CALLS)}(?:\\s*[,:!….]\\s*|\\s+(?=[-+−(\\d$√]))`, 'iu')
const TRAIL = new RegExp(`[\\s,;.!?…–-]+${oneOf(TRAILS, PRINTED_TRAILS)}$`, 'iu')
const TAG = new RegExp(`\\s*[,;.!?…–-]+\\s*${oneOf(TAGS)}$`, 'iu')
const FACE_BEFORE = new RegExp(`^(?:${FACE}|[\\s,])+`, 'u')
const FACE_BEHIND = new RegExp(`(?:\\s*${FACE})+$`, 'u')
/** What is no answer where nothing else is said. */
const DOUBT =
  /^(?:u+h*m+|h+m+|uh+|er+m*|ok(?:ay)?|oh|ah|sorry|please|maybe|perhaps|probably|possibly|vielleicht|thanks?|thank you|i (?:think|guess))$/i
/** A final full stop belongs to nothing; three of them, or one behind a digit group, neither. */
const FINAL_SIGNS = /[\s?？؟!…]+$/
const FULL_STOP = /(?<=[^\s.])\.$|\s*\.{2,}$/

/**
 * The text freed of hedges, politeness, faces and final question marks: "I think it's three?" → "three". Nothing in the
 * middle is touched, and nothing that may change the sense: "not 4" stays "not 4". Empty where nothing else was said. What
 * is too long for an answer is left whole: its time would grow with the third power.
 */
export function withoutHedges(text: string): string {
  if (text.length > MAX_ANSWER_LENGTH) return text
  let said = text.trim().replace(/[‘’]/g, "'")
  for (let before = ''; before !== said; ) {
    before = said
    said = said
      .replace(ASKED_TAG, '')
      .replace(FINAL_SIGNS, '')
      .replace(FACE_BEHIND, '')
      .replace(FACE_BEFORE, '')
      .replace(FULL_STOP, '')
    for (const [words, answer] of AROUND) said = said.replace(words, answer)
    said = said
      .replace(UNSURE, '')
      .replace(LEAD, '')
      .replace(CALL, '')
      .replace(TRAIL, '')
      .replace(TAG, '')
      .trim()
  }
  return DOUBT.test(said) ? '' : said
}
