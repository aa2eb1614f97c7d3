import { readNumber } from '../../../domain/notation/numbers.ts'
import { type Aside, isAside } from '../../../domain/talk/asides.ts'
import { looksLikeQuestion, readCommand } from '../../../domain/talk/commands.ts'
import { withoutHedges } from '../../../domain/talk/hedges.ts'
import { readWish } from '../../../domain/talk/wishes.ts'

/** What a student's message is for, as far as its form tells. */
export type MessageKind =
  | 'greeting'
  | 'thanks'
  | 'farewell'
  | 'about-the-tutor'
  | 'yes'
  | 'no'
  | 'understood'
  | 'tired'
  | 'upset'
  | 'distress'
  | 'easy'
  | 'practice'
  | 'stuck'
  | 'check'
  | 'question'
  | 'answer'
  | 'other'
  | Aside

const END = '[\\s.!,:)🙂👍]*$'
/** Matched in this order. */
const FORMS: [MessageKind, RegExp][] = [
  [
    'about-the-tutor',
    /\b(?:how are you|who are you|what are you|are you (?:a |an )?(?:bot|robot|ai|human|real))\b/i,
  ],
  [
    'thanks',
    /^(?:ok(?:ay)?,? |great,? |cool,? )?(?:many |no,? )?(?:thanks|thank you|thx|ty|cheers)\b/i,
  ],
  [
    'greeting',
    new RegExp(`^(?:hi|hello|hey|good (?:morning|evening|afternoon))(?: there| tutor)?${END}`, 'i'),
  ],
  [
    'stuck',
    /\b(?:stuck|lost|confus\w*|no idea|(?:don'?t|dont|do not|can'?t|cannot) (?:really )?(?:get|understand|follow|know|do)|makes no sense|too hard|hint|help me)\b/i,
  ],
  [
    'understood',
    new RegExp(
      `^(?:ah,? |oh,? |ok(?:ay)?,? )?(?:i see|i get it|got it|(?:now )?i understand|understood|(?:that )?makes sense|nice|cool|great|wow|interesting)(?: now)?${END}`,
      'i',
    ),
  ],
  [
    'practice',
    /\b(?:drill|exercise|practi[cs]e|another one|try one|quiz me|test me|give me (?:one|a problem|a question))\b/i,
  ],
  [
    'yes',
    new RegExp(
      `^(?:yes|y|yeah|yep|sure|ok|okay|alright|all right|yes,? please|please(?: do)?|go on|let'?s go|continue|go ahead|ready)${END}`,
      'i',
    ),
  ],
  ['no', new RegExp(`^(?:no|nope|nah|not now|not yet|later|rather not)${END}`, 'i')],
  [
    'check',
    /\b(?:is (?:it|this|that|my answer) (?:right|correct|ok)|did i (?:get|do) (?:it|that)|am i right)\b/i,
  ],
  [
    'question',
    /^(?:please )?(?:explain|tell me|show me|teach me|remind me|describe|solve|work out|calculate|simplify|expand|factor\w*)\b/i,
  ],
]

/** What a message is by its words alone: what every tutor here understands. */
function spokenKind(said: string): MessageKind | null {
  const command = readCommand(said)
  switch (command) {
    case 'stuck':
    case 'hint':
    case 'dont_know':
      return 'stuck'
    case 'show':
      return 'question'
    case 'pause':
      return formOf(said) === 'no' ? 'no' : 'farewell'
    case 'practice':
      return 'practice'
    case 'resume':
      return 'yes'
  }
  const wish = readWish(said)
  if (wish && isAside(wish)) return wish
  switch (wish) {
    case 'explain':
      return formOf(said) === 'stuck' || TOO_HARD.test(said) ? 'stuck' : 'question'
    case 'example':
    case 'method':
      return 'question'
    case 'know_this':
      return 'easy'
    case 'fine':
      return formOf(said) ?? 'understood'
    case 'thanks':
    case 'tired':
    case 'upset':
    case 'distress':
      return wish
    case 'greeting':
      return ABOUT.test(said) ? 'about-the-tutor' : 'greeting'
  }
  if (/^(?:ja|jawohl|jap|gerne?|ja,? bitte|na klar)[.!]*$/i.test(said)) return 'yes'
  if (/^(?:nein|ne|nö|nicht jetzt|später|lieber nicht)[.!,]*(?: danke)?[.!]*$/i.test(said))
    return 'no'
  return null
}

const formOf = (said: string): MessageKind | null =>
  FORMS.find(([, pattern]) => pattern.test(said.replace(/[’ʼ]/g, "'")))?.[0] ?? null

/** A wish for another explanation of who does not get on, in German. */
const TOO_HARD = /versteh|kapier|zu schwer|verwirrt/i
const ABOUT = /\b(?:are you|bist du|geht|gehts)\b/i

/** Reads the form of a message; what it is about is not told by it. */
export function messageKind(text: string): MessageKind {
  const said = text.trim()
  const spoken = spokenKind(said)
  if (spoken) return spoken
  const form = formOf(said)
  if (form) return form
  if (looksLikeQuestion(said)) return 'question'
  const bare = withoutHedges(said)
  const value = /^[a-z]\s*=\s*(.+)$/i.exec(bare)?.[1] ?? bare
  return readNumber(value) === null ? 'other' : 'answer'
}

const SMALL_TALK: readonly MessageKind[] = [
  ...(['greeting', 'thanks', 'farewell', 'about-the-tutor', 'yes', 'no', 'understood'] as const),
  ...(['tired', 'upset', 'distress', 'easy', 'time', 'schedule', 'stakes', 'tools'] as const),
]

/** Whether a message says nothing about the subject. */
export const isSmallTalk = (text: string): boolean => SMALL_TALK.includes(messageKind(text))

const FOR_CODE: readonly MessageKind[] = ['distress', 'farewell']

/** Whether a message has one fitting reply, which code gives, with a model or without. */
export const isForCode = (text: string): boolean => FOR_CODE.includes(messageKind(text))
