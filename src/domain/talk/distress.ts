import { spoken } from './commands.ts'

const FIRST_PERSON = /\b(?:i|im|ive|ill|id|me|my|myself|ich|mich|mir|mein\w*)\b/

/** Words of somebody who may be in need; that a program dies or a hero does is no such word. */
const SIGNS = [
  /\b(?:kill|hurt|harm|cut|hang)(?:ing)? my ?self\b/,
  /\b(?:want|wanna|going|rather|wish i (?:could|was|were)|should) (?:to )?(?:just )?(?:die|be dead|dead)\b/,
  /\bi(?:m| am| feel| am feeling)? (?:so |really )?suicidal\b|\bcommit suicide\b/,
  /\bend (?:it all|my (?:own )?life)\b|\btake my (?:own )?life\b/,
  /\b(?:dont|do not) (?:want to|wanna) (?:live|be alive|exist|be here)(?: anymore| any more)?$/,
  /\bbetter off (?:dead|without me)\b|\bself ?-?harm(?:ing)?\b/,
  /\b(?:he|she|they|dad|father|mum|mom|mother|parents?|brothers?|sisters?|step\w+|uncle|aunt|teacher|boyfriend|girlfriend|somebody|someone|everybody|everyone|boys?|girls?|kids?)\b.{0,30}\b(?:hits?|beats?|abuses?|hitting|beating|abusing|bully|bullies|bullying) me\b/,
  /\b(?:being|getting|get|am) (?:abused|bullied|beaten)\b/,
  /\bmich (?:selbst )?(?:umbringen|töten|ritzen|verletzen)\b|\bmir (?:selbst )?(?:et)?was antun\b/,
  /\b(?:ritze mich|bringe? mich um)\b|\bselbstmord (?:begehen|machen)\b/,
  /\bwill (?:einfach )?(?:nicht mehr (?:leben|da sein)|sterben|tot sein)\b|\bwäre? (?:gerne? )?tot\b/,
  /\b(?:schlägt|schlagen|misshandelt|mobbt|mobben) mich\b|\bwerde gemobbt\b/,
]

/** Whether somebody says of themselves that they may be in need of a person, not of a lesson. */
export function isDistress(text: string): boolean {
  const said = spoken(text)
  return FIRST_PERSON.test(said) && SIGNS.some((sign) => sign.test(said))
}
