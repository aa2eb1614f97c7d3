import { type Aside, isAside, readAside } from './asides.ts'
import { spoken } from './commands.ts'
import { isDistress } from './distress.ts'
import { phraseBook } from './phrase-book.ts'

/** What a learner says to a tutor besides answers and commands. */
export type Wish =
  | 'explain'
  | 'example'
  | 'know_this'
  | 'skip_concept'
  | 'diagnose'
  | 'method'
  | 'thanks'
  | 'greeting'
  | 'fine'
  | 'upset'
  | 'tired'
  | 'other'
  | 'distress'
  | Aside

/** What is said besides, and needs no more than a friendly word, or what code knows of the way. */
export type Talk = 'thanks' | 'greeting' | 'fine' | 'upset' | 'tired' | 'other' | 'distress' | Aside

const TALK: readonly Wish[] = ['thanks', 'greeting', 'fine', 'upset', 'tired', 'other', 'distress']

export const isTalk = (wish: Wish): wish is Talk => TALK.includes(wish) || isAside(wish)

type InPhrases = Exclude<Wish, 'distress' | Aside>

const SAID: Record<InPhrases, string[]> = {
  explain: [
    ...['explain', 'explain it', 'explain this', 'explain that', 'explain again', 'explain more'],
    ...['explain it again', 'explain this again', 'explain that again', 'say it again', 'again'],
    ...['i dont understand', 'i do not understand', 'i dont understand this', 'i dont get it'],
    ...['i dont get this', 'dont get it', 'i dont get that', 'i didnt get it', 'i didnt get that'],
    ...['i dont understand it', 'i dont understand that', 'i didnt understand', 'huh', 'what'],
    ...[
      'im confused',
      'i am confused',
      'confused',
      'this is confusing',
      'too hard',
      'its too hard',
    ],
    ...['this is too hard', 'thats too hard', 'too difficult', 'this is hard', 'once more', 'why'],
    ...['can you explain', 'can you explain it', 'can you explain this', 'can you explain again'],
    ...['can you explain that', 'can you explain it again', 'could you explain that again'],
    ...['another explanation', 'explain differently', 'explain it differently', 'in other words'],
    ...['simpler', 'easier', 'make it simpler', 'too complicated', 'i need an explanation'],
    ...['teach me', 'teach me this', 'repeat', 'repeat that', 'repeat the lesson', 'how', 'how so'],
    ...['what do you mean', 'i have no idea what this means', 'what does this mean'],
    ...['erklär', 'erkläre', 'erklär es', 'erklär das', 'erklär das nochmal', 'nochmal erklären'],
    ...['erkläre es nochmal', 'erklär mir das', 'erkläre mir das', 'nochmal', 'noch einmal'],
    ...['ich verstehe das nicht', 'ich verstehe es nicht', 'ich versteh das nicht', 'warum'],
    ...['verstehe ich nicht', 'versteh ich nicht', 'kapier ich nicht', 'zu schwer', 'wieso'],
    ...['das ist zu schwer', 'hä', 'ich bin verwirrt', 'warum ist das so', 'wieso ist das so'],
  ],
  example: [
    ...['example', 'an example', 'another example', 'one more example', 'more examples'],
    ...['give me an example', 'give me another example', 'show me an example', 'examples'],
    ...['show me another example', 'can i see an example', 'can i have an example'],
    ...[
      'can you give me an example',
      'can you show me an example',
      'for example',
      'worked example',
    ],
    ...['beispiel', 'ein beispiel', 'noch ein beispiel', 'gib mir ein beispiel', 'zum beispiel'],
    ...['zeig mir ein beispiel', 'weiteres beispiel'],
  ],
  know_this: [
    ...['too easy', 'its too easy', 'this is too easy', 'thats too easy', 'i know this', 'easy'],
    ...['i know that', 'i know it', 'i already know this', 'i already know that', 'already known'],
    ...['i already know it', 'i know this already', 'i know that already', 'this is easy'],
    ...['i can do this', 'i can do this already', 'test me on this', 'prove it', 'let me prove it'],
    ...['boring', 'this is boring', 'im bored', 'we did this already', 'i learned this already'],
    ...['give me something harder', 'something harder', 'harder', 'too simple', 'i know all this'],
    ...['zu leicht', 'das ist zu leicht', 'zu einfach', 'das ist zu einfach', 'kann ich schon'],
    ...['kenne ich schon', 'das kann ich schon', 'das weiß ich schon', 'das kenne ich schon'],
    ...['langweilig', 'gib mir was schwereres', 'gib mir etwas schwereres', 'was schwereres'],
    ...['etwas schwereres', 'schwerer', 'schwieriger', 'gib mir eine schwerere frage'],
    ...['gib mir eine schwerere aufgabe', 'can you give me something harder', 'a harder one'],
    ...['is there a harder one', 'can i get a harder question', 'can i have a harder question'],
    ...[
      'give me a harder one',
      'give me a harder question',
      'harder question',
      'a harder question',
    ],
    ...['can i have something harder', 'can i get something harder', 'can i have a harder one'],
    ...['can we do something harder', 'i want something harder', 'i want a harder one'],
  ],
  skip_concept: [
    ...['skip concept', 'skip this concept', 'skip the concept', 'skip topic', 'skip this topic'],
    ...['skip this lesson', 'skip the lesson', 'skip lesson', 'set it aside', 'set this aside'],
    ...['thema überspringen', 'dieses thema überspringen', 'konzept überspringen'],
  ],
  diagnose: [
    ...['test me again', 'diagnose', 'diagnose me', 'diagnose me again', 'check my level'],
    ...['check my level again', 'test my level', 'test my level again', 'placement test'],
    ...['my level is wrong', 'level check', 'repeat the level check', 'test me'],
    ...['teste mich nochmal', 'teste mich noch einmal', 'prüf mich nochmal', 'einstufungstest'],
  ],
  method: [
    ...['method', 'show me the method', 'how do i do this', 'how does this work', 'wie geht das'],
    ...['wie macht man das', 'wie mache ich das', 'wie funktioniert das', 'wie rechnet man das'],
  ],
  thanks: [
    ...[
      'thanks',
      'thank you',
      'thx',
      'ty',
      'tysm',
      'thanks so much',
      'thank you so much',
      'thanks a lot',
      'thank you very much',
      'cheers',
    ],
    ...['thanks thats clear', 'great thanks', 'ok thanks', 'okay thanks', 'danke', 'vielen dank'],
    ...['danke schön', 'dankeschön', 'ok danke'],
  ],
  greeting: [
    ...['hi', 'hello', 'hey', 'hello there', 'hi there', 'good morning', 'good evening'],
    ...['good afternoon', 'good day', 'hiya', 'yo', 'how are you', 'hi how are you', 'whats up'],
    ...['hello again', 'hallo', 'guten tag', 'guten morgen', 'guten abend', 'moin', 'servus'],
    ...['wie gehts', 'wie geht es dir', 'who are you', 'are you a robot', 'are you human'],
    ...['are you real', 'are you a real person'],
    ...['are you an ai', 'wer bist du', 'bist du ein roboter', 'tell me a joke'],
  ],
  fine: [
    ...['ok', 'okay', 'k', 'got it', 'i see', 'alright', 'all right', 'sure', 'fine', 'cool'],
    ...['good', 'great', 'nice', 'understood', 'makes sense', 'that makes sense', 'i understand'],
    ...['ready', 'im ready', 'i am ready', 'lets start', 'start', 'begin', 'lets begin'],
    ...[
      'lol',
      'haha',
      'hahaha',
      'lmao',
      'rofl',
      'xd',
      'wow',
      'interesting',
      'hm',
      'hmm',
      'aha',
      'ah',
      'oh',
      'ah ok',
      'oh ok',
      'super',
    ],
    ...['alles klar', 'verstanden', 'gut', 'klar', 'los', 'los gehts', 'bin bereit', 'im back'],
    ...['that was fun', 'this is fun', 'sorry', 'oops', 'my bad'],
  ],
  upset: [
    ...['this is stupid', 'stupid', 'i hate this', 'i hate math', 'i hate maths', 'you suck'],
    ...['you are stupid', 'youre stupid', 'this sucks', 'wtf', 'ugh', 'argh', 'damn', 'shit'],
    ...['i hate you', 'i hate it', 'i hate algebra', 'i hate python', 'i hate coding'],
    ...['fuck', 'fuck you', 'fuck this', 'idiot', 'you idiot', 'shut up', 'go away', 'whatever'],
    ...['im frustrated', 'i am frustrated', 'im too stupid for this'],
    ...['i am too stupid for this', 'im stupid', 'i am stupid', 'im dumb', 'this is pointless'],
    ...['i cant', 'ich hasse mathe', 'so ein mist', 'scheiße', 'das ist doof', 'doof', 'blöd'],
    ...['ich bin zu dumm dafür'],
  ],
  other: [
    ...[
      'can we do something else',
      'i want to do something else',
      'something else',
      'lets do something else',
    ],
    ...['can i do something else', 'could we do something else', 'i want something else'],
    ...['something different', 'can we do something different', 'i want to do something different'],
    ...['können wir was anderes machen', 'können wir etwas anderes machen', 'was anderes'],
    ...['ich will was anderes machen', 'ich möchte etwas anderes machen', 'etwas anderes'],
    ...['ich möchte was anderes machen', 'ich will etwas anderes machen'],
  ],
  tired: [
    ...['im tired', 'i am tired', 'im so tired', 'im exhausted', 'so tired', 'im sleepy', 'nah'],
    ...['i dont want to', 'i dont wanna', 'i dont want to do this', 'i dont feel like it'],
    ...['do i have to', 'do i really have to', 'must i', 'my head hurts', 'i have a headache'],
    ...['i cant concentrate', 'i cant focus', 'my brain hurts'],
    ...['ich bin müde', 'ich will nicht', 'keine lust', 'ich habe keine lust', 'hab keine lust'],
    ...['muss ich', 'muss das sein', 'muss ich das machen', 'ich kann mich nicht konzentrieren'],
  ],
}

const WISHES = phraseBook(SAID)

const NOT = '(?:(?:really|still|just|even|quite|immer noch|wirklich|echt|gar|überhaupt|einfach) )*'
const LITTLE = '(?: [\\p{L}]+){0,7}'
/** Wishes in the many ways in which they are put; the whole message is one. */
const WAYS: [InPhrases, RegExp][] = (
  [
    [
      'explain',
      `(?:i |we )?${NOT}(?:dont|do not|didnt|did not|cant|cannot|can not) ${NOT}(?:understand|get|follow|grasp)${LITTLE}`,
    ],
    [
      'explain',
      `i(?:ve| have)? ${NOT}(?:forgot|forgotten|dont remember|cant remember)(?: how| what| why| the| this| that| it)${LITTLE}`,
    ],
    [
      'explain',
      '(?:can you |could you |please |give me |i (?:want|need) )*(?:something|an?) (?:easier|simpler)(?: (?:one|question|problem|exercise|task|explanation|example))?',
    ],
    [
      'explain',
      '(?:(?:can|could|would|will) you )?(?:please )?(?:explain|say|repeat|tell me)(?: (?:it|this|that|everything|me))*(?: (?:once more|once again|again|differently|more simply|in simple words|in other words|another way|like i am five|like im five|slower|more slowly|better|simpler|step by step))+',
    ],
    [
      'explain',
      '(?:that|this|the|your) ?(?:explanation|one|question|step|text)? (?:is|was) (?:too|so|very|really) (?:hard|complicated|difficult|confusing|fast)(?: for me)?',
    ],
    [
      'explain',
      `ich (?:versteh|verstehe|kapier|kapiere|begreif|begreife|check|checke|raff|raffe)(?:s| das| es| die| den| hier)?${LITTLE} ?(?:nicht|nichts|nix|bahnhof|kein wort|null)(?: mehr| so ganz| ganz)?`,
    ],
    [
      'explain',
      `das (?:versteh|verstehe|kapier|kapiere|begreif|begreife|check|checke) ich ${NOT}(?:nicht|nie)(?: mehr| ganz)?`,
    ],
    [
      'explain',
      `(?:ich habe?|habe? ich|das habe? ich|ich habs) (?:das |es |die frage |den schritt )?${NOT}nicht (?:ganz |so ganz )?(?:verstanden|kapiert|begriffen)`,
    ],
    ['explain', `ich habe? (?:vergessen|keine ahnung),? wie${LITTLE}`],
    ['explain', 'ich komme? (?:da |hier )?nicht (?:mehr )?mit'],
    [
      'explain',
      '(?:(?:kannst|könntest|würdest) du (?:mir )?)?(?:bitte )?(?:(?:erklär|erkläre|sag|sage)(?: (?:mir|es|das|das alles|die frage))* )?(?:bitte |das |es |mir )*(?:(?:nochmal|noch mal|noch einmal|anders|einfacher|genauer|langsamer|leichter|besser) ?)+(?:erklären|sagen)?(?: bitte)?',
    ],
    [
      'explain',
      '(?:gib mir |ich (?:will|möchte|hätte gerne?) |bitte )*(?:eine |was |etwas )(?:leichtere|einfachere|leichteres|einfacheres)(?: frage| aufgabe)?',
    ],
    [
      'greeting',
      '(?:hi|hello|hey|hallo|moin|guten (?:tag|morgen|abend)),? (?:again|there|friend|everyone|all|tutor|meno|nochmal|wieder|zusammen|alle|again friend|my friend|freund)(?: friend)?',
    ],
    [
      'fine',
      '(?:(?:just )?(?:give me|wait|hold on|hang on|i need|let me have) (?:a|one|(?:a (?:bit|little) |some )?more|a few)|(?:just )?(?:a|one)(?= (?:moment|sec)$)) (?:moment|second|minute|sec|time|minutes)',
    ],
    [
      'fine',
      '(?:wait|hold on|hang on|let me (?:think|see)(?: about (?:it|this|that))?|(?:ich brauche (?:noch )?(?:mehr|etwas|ein bisschen) zeit)|(?:warte|moment|momentchen|sekunde)(?: mal| kurz| bitte)?|(?:einen|nen) (?:moment|augenblick)|lass mich (?:kurz |mal )*(?:nachdenken|überlegen|denken))',
    ],
  ] satisfies [InPhrases, string][]
).map(([wish, way]) => [wish, new RegExp(`^${way}$`, 'u')])

const wayOf = (said: string): Wish | null => WAYS.find(([, way]) => way.test(said))?.[0] ?? null

const FILLER =
  /^(?:(?:ok(?:ay)?|well|so|hm+|uh|um|ugh|argh|oh|ah|sorry|wait|but|and|no|yes|yeah|hey|please|bitte|also|äh|ach),? )+/

/** What a message wishes, or null. Only the whole message counts, freed of what says nothing. */
export function readWish(text: string): Wish | null {
  if (isDistress(text)) return 'distress'
  const said = spoken(text.replace(/\p{Extended_Pictographic}|\uFE0F/gu, ' '))
  const bare = said
    .replace(FILLER, '')
    .replace(
      /,? (?:please|pls|plz|bitte|now|thanks?|thx|mate|sir|maam|man|bro|lol|haha|though)$/,
      '',
    )
  const parts = bare.split(/[,.;!?]+ /)
  return (
    WISHES.find(said) ??
    WISHES.find(bare) ??
    wayOf(bare) ??
    readAside(bare) ??
    (parts.length > 1 && parts.every((part) => isOf('explain', part)) ? 'explain' : null)
  )
}

const isOf = (wish: Wish, part: string): boolean => {
  const said = spoken(part)
  return WISHES.find(said) === wish || wayOf(said) === wish
}

const TEACH =
  /^(?:(?:please |can you |could you |can we |i want to |i want you to |i would like to |id like to |lets |now )*)(?:teach me(?: about)?|teach|learn(?: about)?|do|bring back|go back to|back to|go to|jump to|start with|show me|continue with|bring mir|lerne|lernen wir)\s+(.{2,})$/

/** The name of the concept that the learner wants to be taught, or null; a message of two lines names none. */
export function conceptWanted(text: string): string | null {
  if (text.includes('\n') || text.length > 120) return null
  const named = TEACH.exec(spoken(text))?.[1] ?? null
  return named?.replace(/ (?:please|again|now|next|instead|bei)$/, '').trim() ?? null
}
