/** What people say around an answer without adding to it: doubt, politeness, faces. English, German and French. */

/** Before an answer. */
const LEADS = `
  u+h*m+ | h+m+ | uh+ | er+m* | maybe | perhaps | probably | possibly | surely | definitely
  (?:i am |i'm )?(?:pretty |quite |fairly |almost |not |not so |not really )?sure(?:,? but| that)?
  i (?:think|guess|believe|suppose|assume|reckon|get|got|say|choose|pick|take|would say|have)(?: that)?
  i'd (?:say|guess|go with|go for|pick) | i'll (?:say|take|go with) | i would (?:say|guess)
  we (?:get|have) | you get | my (?:best )?guess(?: is| would be)? | is it | is that | isn't it
  (?:could|would|might) (?:it|that) be | (?:it |that )?(?:could|would|might|must|should|has to) be
  it is | it's | its | that is | that's | this is
  (?:the |my )?(?:final )?(?:answer|ans|result|solution)(?: is| would be| should be|:| =|=)?
  ich (?:glaube|denke|meine|tippe auf|w(?:ü|ue)rde sagen),?(?: dass)? | vielleicht | wahrscheinlich
  vermutlich | das ist | es ist | ist es | die (?:antwort|l(?:ö|oe)sung) (?:ist|lautet) | antwort:
  je (?:pense|crois)(?: que)? | peut-(?:ê|e)tre | c'est | la r(?:é|e)ponse est
`
/** Before an answer, but also words that a program may print: a pause or a number has to follow. */
const CALLS = `
  so | then | well | ok(?:ay)? | oh | ah | sorry | please | clearly | also | donc | bitte
`
/** Behind an answer. */
const TRAILS = `
  i (?:think|guess|believe|suppose|assume|reckon|hope)(?: so)? | maybe | perhaps | probably
  is (?:it|that)(?: right| correct| so| true)? | isn't it | am i right | for sure | lol | haha
  (?:but )?(?:i'm |i am )?not (?:so |quite |really )?sure | is (?:the|my) answer
  please | pls | thanks(?: a lot)? | thank you | thx | danke | bitte | merci | s'il vous pla(?:î|i)t
  glaube ich | denke ich | je (?:crois|pense)
`
/** Behind an answer and a pause: "4, right?". Without the pause they are words of the answer. */
const TAGS = 'right | correct | no | oder | though | tho'

function oneOf(...lists: string[]): string {
  const phrases = lists.flatMap((list) => list.split(/ \| |\n/).map((phrase) => phrase.trim()))
  return `(?:${phrases.filter((phrase) => phrase !== '').join('|')})`
}

const FACE =
  '(?:\\p{Extended_Pictographic}[\\ufe0f\\u200d\\u{1f3fb}-\\u{1f3ff}]*|[:;]-?[)(DPp/](?!\\w))'
const LEAD = new RegExp(`^${oneOf(LEADS)}(?![\\p{L}\\d'])[\\s,:!….]*(?=\\S)`, 'iu')
const CALL = new RegExp(`^${oneOf(CALLS)}(?:\\s*[,:!….]\\s*|\\s+(?=[-+−(\\d$√]))`, 'iu')
const TRAIL = new RegExp(`[\\s,;.!?…–-]+${oneOf(TRAILS)}$`, 'iu')
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
 * middle is touched, and nothing that may change the sense: "not 4" stays "not 4". Empty where nothing else was said.
 */
export function withoutHedges(text: string): string {
  let said = text.trim().replace(/[‘’]/g, "'")
  for (let before = ''; before !== said; ) {
    before = said
    said = said
      .replace(FINAL_SIGNS, '')
      .replace(FACE_BEHIND, '')
      .replace(FACE_BEFORE, '')
      .replace(FULL_STOP, '')
      .replace(LEAD, '')
      .replace(CALL, '')
      .replace(TRAIL, '')
      .replace(TAG, '')
      .trim()
  }
  return DOUBT.test(said) ? '' : said
}
