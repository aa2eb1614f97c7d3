import { phraseBook } from './phrase-book.ts'
import { withUmlauts } from './umlauts.ts'

export type Command =
  | 'skip'
  | 'show'
  | 'dont_know'
  | 'contest'
  | 'practice'
  | 'pause'
  | 'resume'
  | 'plan'
  | 'hint'
  | 'stuck'
  | 'help'

/** What a learner may type in place of a button. Without apostrophes: "i dont know" stands for "I don't know". */
const PHRASES: Record<Command, string[]> = {
  skip: [
    ...['skip', 'skip it', 'skip this', 'skip that', 'skip this one', 'skip question', 'pass'],
    ...['skip this question', 'skip the question', 'skip this problem', 'next', 'next one'],
    ...['next question', 'next problem', 'move on', 'lets move on'],
    ...['skip the level check', 'skip level check', 'skip the check', 'skip the test', 'skip test'],
    ...['skip the diagnosis', 'skip all', 'skip all of it', 'skip them all'],
    ...['einstufung überspringen', 'test überspringen', 'überspring den test'],
    ...['überspringen', 'frage überspringen', 'überspringe diese frage', 'nächste frage'],
    ...['auslassen'],
  ],
  show: [
    ...['show', 'show me', 'show it', 'show answer', 'show the answer', 'show me the answer'],
    ...['show solution', 'show the solution', 'show me the solution', 'tell me'],
    ...['do it for me', 'just do it for me', 'can you do it for me', 'can you just do it for me'],
    ...['solve it for me', 'just tell me', 'just tell me the answer', 'just give me the answer'],
    ...['give me the answer', 'give me the solution', 'the answer', 'answer', 'solution'],
    ...['can you tell me the answer', 'can you show me the answer', 'gib mir die lösung'],
    ...['gib mir die antwort', 'sag mir die antwort', 'sag mir die lösung', 'ich geb auf'],
    ...['tell me the answer', 'what is the answer', 'whats the answer', 'give up', 'i give up'],
    ...['zeig mir die lösung', 'zeig die lösung', 'die lösung', 'lösung'],
    ...['zeig mir die antwort', 'ich gebe auf', 'lösung zeigen', 'zeige mir die lösung'],
    ...['kannst du mir die lösung zeigen', 'kannst du mir die lösung sagen'],
  ],
  dont_know: [
    ...['i dont know', 'dont know', 'i do not know', 'do not know', 'dunno', 'i dunno', 'idk'],
    ...['no idea', 'i have no idea', 'ive no idea', 'not sure', 'im not sure', 'i am not sure'],
    ...['no clue', 'i have no clue', 'i dont know this', 'i dont know that', 'i cant say'],
    ...['weiß nicht', 'ich weiß nicht', 'ich weiß es nicht', 'weiß ich nicht'],
    ...['keine ahnung', 'ich habe keine ahnung', 'weiss nicht', 'ich weiss es nicht'],
    ...['ich weiss nicht'],
  ],
  contest: [
    ...['contest', 'i contest', 'contest this', 'contest grade', 'contest the grade', 'i disagree'],
    ...['regrade', 'check again', 'please check again', 'my answer is right', 'i was right'],
    ...['i was right before', 'thats wrong, i was right'],
    ...['thats wrong, i was right before', 'thats wrong i was right before'],
    ...['my answer was right', 'my answer was correct', 'that was right', 'that was correct'],
    ...['that was right though', 'but that was right', 'i got it right', 'my answer is correct'],
    ...['your grading is wrong', 'you graded it wrong', 'you got it wrong'],
    ...['das war doch richtig', 'das ist doch richtig', 'das stimmt doch', 'das stimmte doch'],
    ...['meine antwort stimmt doch', 'meine antwort war doch richtig', 'ich hatte recht'],
    ...['meine antwort ist doch richtig', 'meine antwort stimmt', 'das war nicht falsch'],
    ...['das ist falsch, ich hatte recht', 'das ist falsch ich hatte recht', 'ich hab recht'],
    ...['das stimmt nicht, ich hatte recht', 'das stimmt nicht ich hatte recht', 'ich habe recht'],
    ...['anfechten', 'das war richtig', 'meine antwort war richtig', 'meine antwort ist richtig'],
  ],
  practice: [
    ...['practice', 'practise', 'practice this', 'practise this', 'lets practice', 'lets practise'],
    ...['i want to practice', 'i want to practise', 'more practice', 'give me practice'],
    ...['give me an exercise', 'give me exercises', 'exercises'],
    ...['üben', 'übung', 'ich will üben', 'ich möchte üben'],
    ...['lass uns üben'],
  ],
  pause: [
    ...['pause', 'pause here', 'lets pause', 'stop', 'stop here', 'lets stop', 'take a break'],
    ...['lets take a break', 'i need a break', 'not now', 'enough for today'],
    ...['thats enough for today', 'enough for now', 'enough', 'quit', 'exit', 'end', 'close', ':q'],
    ...['bye', 'goodbye', 'good bye', 'bye bye', 'see you', 'see you later', 'see you tomorrow'],
    ...['gotta go', 'i gotta go', 'got to go', 'ive got to go', 'i have to go', 'i need to go'],
    ...['im done', 'i am done', 'im done for today', 'done for today', 'thats it for today'],
    ...['lets stop here', 'good night', 'ttyl', 'later', 'stop it', 'leave'],
    ...['tschüss', 'tschüs', 'bis morgen', 'bis später', 'bis bald', 'ich muss los', 'ende'],
    ...[
      'ich bin fertig',
      'feierabend',
      'beenden',
      'gute nacht',
      'das reicht',
      'das reicht für heute',
    ],
    ...['pause machen', 'schluss für heute', 'genug für heute', 'ich brauche eine pause'],
    ...['aufhören'],
  ],
  resume: [
    ...['resume', 'continue', 'lets continue', 'go on', 'carry on', 'lets go on', 'im back'],
    ...['i am back'],
    ...['weiter', 'weitermachen', 'fortsetzen', 'ich bin wieder da'],
  ],
  plan: [
    ...['plan', 'my plan', 'show plan', 'show my plan', 'show me the plan', 'show me my plan'],
    ...['the plan', 'learning path', 'my path', 'show my path', 'whats next', 'what is next'],
    ...['what comes next', 'what next'],
    ...['how am i doing', 'how far am i', 'how far have i come', 'my progress', 'show my progress'],
    ...['mein plan', 'zeig mir den plan', 'wie geht es weiter', 'was kommt als nächstes'],
    ...['wie weit bin ich', 'wie stehe ich', 'wo stehe ich', 'mein fortschritt'],
  ],
  hint: [
    ...['hint', 'a hint', 'one hint', 'hint me', 'give me a hint', 'another hint', 'next hint'],
    ...['give me another hint', 'can i have a hint', 'can i get a hint', 'i need a hint', 'clue'],
    ...['a clue', 'give me a clue'],
    ...['tipp', 'ein tipp', 'einen tipp', 'noch ein tipp'],
    ...['gib mir einen tipp', 'hinweis', 'hilf mir', 'ein hinweis', 'einen hinweis'],
    ...['noch ein hinweis', 'gib mir einen hinweis', 'ich brauche einen tipp', 'tipp geben'],
    ...['ich brauche einen hinweis', 'kann ich einen tipp haben', 'hast du einen tipp'],
    ...['kann ich einen hinweis haben', 'kannst du mir einen tipp geben'],
    ...['kannst du mir einen hinweis geben', 'ich hätte gern einen tipp'],
  ],
  stuck: [
    ...['stuck', 'im stuck', 'i am stuck', 'i got stuck', 'i feel stuck', 'help me start'],
    ...['help me get started', 'help me begin', 'i dont know how to start', 'how do i start'],
    ...[
      'i dont know where to start',
      'where do i start',
      'i cant do this',
      'i cant do it',
      'im lost',
    ],
    ...['i am lost'],
    ...['ich komme nicht weiter', 'ich hänge fest', 'wie fange ich an'],
  ],
  help: [
    ...['help', 'help me', 'i need help', 'can you help', 'can you help me', 'commands'],
    ...['what can i say', 'what can i do'],
    ...['hilfe', 'was kann ich sagen', 'kannst du mir helfen', 'ich brauche hilfe'],
  ],
}

const COMMANDS = phraseBook(PHRASES)

/** Whoever wants to go: a wish, what is wished, and for how long; each in the ways in which it is put. */
const LEAVING = [
  /^(?:(?:so|ok(?:ay)?|well|sorry|hey),? )?(?:(?:can|could|may|shall|should) (?:we|i|you)(?: please| just)?|lets|i (?:just )?(?:want|need|have|got|would like)(?: to)?|id like to|i (?:wanna|gotta)|im (?:gonna|going to)|(?:i )?(?:gotta|got to)) (?:stop|quit|leave|finish|pause|go|run|head (?:off|out)|take a break|have a break|call it a day|stop for (?:today|now)|continue (?:later|tomorrow)|go on (?:later|tomorrow))(?: (?:here|there|now|soon|please|home|to (?:bed|sleep|school|class|work|dinner|lunch|eat|(?:(?:soccer|football|piano|music|band) )?(?:practice|training|soccer|football|piano))|for (?:today|now|tonight|the day|a bit|a while)|until tomorrow))*$/,
  /^(?:ok(?:ay)?,? )?(?:enough|thats (?:it|all|enough)|im (?:done|finished|out|off))(?: (?:for|of this for)? ?(?:today|now|tonight))?(?:,? (?:thanks|thank you|bye))?$/,
  /^(?:(?:ok(?:ay)?|great|cool|thanks|thank you|thx|many thanks),? )*(?:bye+|cya|see (?:you|ya|u)|good ?bye|good night|night)(?:,? (?:bye|later|soon|tomorrow|then|again|next time|all|everyone|for now))*$/,
  /^(?:lets (?:continue|go on) |until |till )?tomorrow$/,
  /^(?:(?:können|könnten|wollen|sollen|dürfen) wir|(?:kann|darf|könnte) ich|ich (?:muss|möchte|will|würde gerne?|mag)|lass uns)(?: bitte| jetzt| gleich| mal| hier| für heute)*(?: (?:aufhören|gehen|los|weg|ins bett|schlafen|schluss machen|pause machen|eine pause(?: machen)?|abbrechen|nicht mehr|nach hause|morgen weitermachen|später weitermachen))(?: bitte)?$/,
  /^(?:(?:aber|also|ok(?:ay)?|nein),? )?ich (?:kann|mag|will|möchte)(?: jetzt| heute| gerade)? nicht mehr(?: weiter(?:machen|lernen|üben)?| lernen| üben| jetzt| heute)?$/,
  /^(?:ok(?:ay)?,? )?(?:(?:mir |das |es |jetzt |für heute )*(?:reichts?|langts?|genügts?|wars)(?: (?:mir|es|das|jetzt|für heute|erstmal|erst mal))*|(?:für heute |jetzt )?(?:ist (?:es )?)?(?:genug|schluss|feierabend)(?: (?:für heute|jetzt))?)$/,
  /^(?:(?:ok(?:ay)?|super|danke|vielen dank|danke schön),? )*(?:tschüssi?|tschau|tschö|ciao|ade|servus|auf wiedersehen|bis (?:dann|morgen|später|bald|nachher|zum nächsten mal))(?:,? (?:bis (?:dann|morgen|später|bald)|und danke|danke))?$/,
]

/** Whether it is a good-bye, or a wish to stop for now. */
const isLeaving = (said: string): boolean => LEAVING.some((pattern) => pattern.test(said))

const QUESTION_WORD =
  /^(?:what|whats|why|how|hows|when|where|wheres|who|whos|whose|which|can|could|would|should|(?:do|does|did|is|are|will) (?:i|you|we|it|this|that|they|there)|was (?:ist|sind|bedeutet|heißt|macht)|wie|warum|wieso|weshalb|wozu|welche[mnrs]?)\b/

/**
 * The command a message is, or null. Only the whole message counts: a command inside a sentence is no command. Case,
 * spaces, apostrophes, a leading slash, "please" and punctuation at the end make no difference. Who takes leave pauses.
 */
export function readCommand(text: string): Command | null {
  const said = spoken(text)
  return COMMANDS.find(said) ?? (isLeaving(said) ? 'pause' : null)
}

/** Whether a message asks something: it ends in a question mark, or it begins as a question and has three words. */
export function looksLikeQuestion(text: string): boolean {
  if (/[?？؟]["'”’)\s]*$/.test(text) && /[\p{L}\d]/u.test(text)) return true
  const plain = spoken(text)
  return QUESTION_WORD.test(plain) && plain.split(' ').length >= 3
}

/**
 * Whether a message asks instead of answering, once freed of hedges and of its question mark: it begins as a question, or
 * a question word stands before the mark ("why?").
 */
export function asksSomething(text: string, freed: string): boolean {
  if (looksLikeQuestion(freed)) return true
  return /[?？؟]\s*$/.test(text) && /^(?:what|why|how|when|where|who|which|huh)\b/i.test(freed)
}

/** The message as it is said: without case, apostrophes, a leading slash, politeness and punctuation at the end. */
export function spoken(text: string): string {
  return withUmlauts(text.normalize('NFKC').toLowerCase())
    .replace(/['‘’ʼ]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.,;:!?… ]+$/, '')
    .replace(/^\/(?=[a-z])/, '')
    .replace(/^(?:please|bitte) |,? (?:please|bitte)$| bitte(?= )/g, '')
}
