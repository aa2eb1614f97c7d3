import type { Closing } from '../domain/arc/closing.ts'
import type { BarePhrase, Phrase, PhraseName, PhraseParams } from '../domain/arc/phrase.ts'
import type { Question } from '../domain/arc/question.ts'
import type { Language } from '../domain/language/languages.ts'
import { ASIDES } from './aside-words.ts'
import { courseTitle } from './course-title.ts'
import { DISTRESS } from './distress.ts'
import { PHRASES_DE } from './phrases-de.ts'
import { programFailed, programUnreadable } from './program-phrases.ts'
import { listed, practised, remedyIn, roughly, sentence, type Wait, waitUntil } from './wording.ts'

/** A point in time as a learner reads it: how long it is until then. */
function when(until: { at: number | null; now: number }): string {
  const wait = waitUntil(until)
  return wait ? `in ${wait.amount} ${wait.unit}${wait.amount === 1 ? '' : 's'}` : 'later'
}

const WAYS_TO_ANSWER: Record<Question['format'], string> = {
  multiple_choice: 'Choose one of the options.',
  short_answer: 'Write just what you think it is: a guess is welcome.',
  program: 'Write your program in the editor.',
}

const HOW_TO_ANSWER: Record<Question['format'], string> = {
  multiple_choice:
    'I could not read that as one of the options: answer with its letter or its text.',
  short_answer:
    'I could not read that as an answer: a short one is enough, such as a number or a word.',
  program: 'I could not read that as a program: write it in the editor, and send it.',
}

const concepts = (count: number): string => `${count} ${count === 1 ? 'concept' : 'concepts'}`

function knownOf({ total, known }: PhraseParams['plan-made']): string {
  if (total === 1) return 'You seem to know it, so I only ask a question.'
  return `You seem to know ${known} of them, so for ${known === 1 ? 'that one I only ask a question' : 'those I only ask a question each'}.`
}

/** How much time something takes, as one would say it. */
function duration({ amount, unit }: Wait): string {
  return unit === 'hour' && amount === 1 ? 'an hour' : `${amount} ${unit}s`
}

function timeLeft({ topic, ofCheck, inHand, minutes }: PhraseParams['talk-time']): string {
  if (ofCheck !== null) {
    const most =
      ofCheck === 1
        ? 'This is the last question of the level check.'
        : `At most ${ofCheck} questions of the level check are left, often fewer.`
    return `${most} “Skip the level check” begins with the lessons at once.`
  }
  const { label, questions = 0 } = inHand ?? {}
  const more = questions === 1 ? 'This is the last question' : `${questions} questions`
  const first = inHand ? `${more} on **${label}**. ` : ''
  if (minutes === 0) return `${first}The lessons are done; what is left are reviews, a minute each.`
  return `${first}For all of **${topic}** about ${duration(roughly(minutes))} are left, in pieces as short as you like.`
}

const leadingTo = ({ label, leadsTo }: PhraseParams['talk-use']): string =>
  `**${label}** leads to ${practised(leadsTo)}`

/** The words of every phrase, in one language. */
export type Words = { [N in BarePhrase]: () => string } & {
  [N in keyof PhraseParams]: (p: PhraseParams[N]) => string
}

const ONWARD = {
  aside: 'you set it aside',
  extra: 'it was optional',
  course: 'it builds on this',
}

function howItEnded(topic: string, { total, mastered, aside, extra }: Closing): string {
  if (mastered === total) return `You have mastered **${topic}**: all ${total} concepts. Well done!`
  if (mastered === 0) {
    return `There is nothing left to do in **${topic}**: you set everything aside, so nothing counts as mastered.`
  }
  const rest = [
    ...(aside > 0 ? [`${aside} set aside`] : []),
    ...(extra > 0 ? [`${extra} optional and left out`] : []),
  ]
  return `You are through with **${topic}**: ${mastered} of ${total} concepts mastered, ${rest.join(', ')}.`
}

/** What the tutor says in words of its own; all other text comes from a model step or a course. */
const PHRASES_EN: Words = {
  'welcome-offline': (p) =>
    `Welcome! I am Meno's **offline tutor**: no language model is connected, so I teach from the course *${courseTitle(p.course)}* and check your answers by rule. I cannot hold a free conversation, but I will remember where you are and come back when it is time to review.`,
  'welcome-model': (p) =>
    `Welcome! Let us learn **${p.topic}** together. I will keep your place, however long you take, and come back when it is time to review.`,
  'course-in-english': () => 'The material of the course is in English.',
  'diagnosis-start': () =>
    'First a few questions to see where you stand. Answer what you can; “I don’t know” is a fine answer, and you may skip the whole check.',
  'diagnosis-skipped': () => 'Good, we skip the check and start from the beginning.',
  'diagnosis-done': (p) => `Thank you. Your level here: **${p.level}**. I will plan from that.`,
  'diagnosis-again': () =>
    'Good, let us look at your level again. I ask about what you have not begun yet; what you have learned stays.',
  'diagnose-nothing': () =>
    'There is nothing left to check: every concept here has been begun. Say “I know this” at a concept to prove it.',
  noted: () => 'Noted.',
  'no-hint-in-check': () =>
    'There are no hints in this check; it only finds out where to begin. “I don’t know” is a fine answer.',
  'no-lesson-in-check': () =>
    'That I explain when we get there: this check only finds out where to begin. Say “I don’t know”, and the next question comes.',
  'plan-made': (p) =>
    `Here is the plan: **${concepts(p.total)}**. ${
      p.known > 0 ? knownOf(p) : `We start with *${p.first}*.`
    }`,
  'goal-not-found': (p) =>
    `None of these concepts could be matched to your goal (“${p.goal}”), so the plan covers the whole topic.`,
  'lesson-title': (p) =>
    p.showing === 1 ? `### ${p.label}` : `### ${p.label}: once more, another way`,
  'back-to': (p) => `Back to **${p.label}**.`,
  right: () => '**Right.**',
  'right-after-help': () => '**Right**, with a little help.',
  close: () => '**Close**, but not quite. Have another look and try once more.',
  'still-close': () => '**Close**, but not right.',
  wrong: () => '**Not right.**',
  'wrong-once': () => '**Not right yet.** Try once more:',
  foreseen: (p) => `**Not right yet.** ${remedyIn('en', p)}`,
  remedy: (p) => remedyIn('en', p),
  'try-again': () => 'Try once more.',
  'easier-first': () => 'Let us take a smaller one first.',
  abstained: () => 'That is all right; this is how it goes.',
  answer: (p) => `**Answer:** ${p.expected}`,
  'quiz-start': (p) =>
    p.count === 1
      ? `Now a question on **${p.label}** to see whether it holds.`
      : `Now ${p.count} questions on **${p.label}** to see whether it holds.`,
  'cycle-passed': (p) =>
    `You passed **${p.label}** (${p.right} of ${p.count} right). I will ask you again ${when(p)}.`,
  'cycle-again': (p) =>
    `${p.right} of ${p.count} right: not there yet. Let us look at **${p.label}** once more.`,
  'cycle-remediate': (p) =>
    `**${p.label}** is hard going at the moment. We set it behind the others and strengthen *${p.weakest}* first.`,
  'cycle-eased': (p) => `**${p.label}** is hard going. Let us take it again in smaller steps.`,
  'review-due': (p) =>
    p.count === 1
      ? `Time to review **${p.label}**.`
      : `Time to review: ${p.count} concepts are due. First **${p.label}**.`,
  'review-next': (p) => `Next review: **${p.label}**.`,
  'review-lapsed': (p) =>
    `**${p.label}** has slipped. A few questions will show whether it is still there.`,
  'review-helped': (p) =>
    `**${p.label}** needed help three times in a row; let us look at it afresh.`,
  'offer-aside': (p) =>
    `**${p.label}** is stubborn. If you like, set it aside for now: say “skip this concept”. You can have it back at any time.`,
  'check-placed': (p) => `You seem to know **${p.label}**. One question to be sure.`,
  'check-passed': (p) => `So **${p.label}** needs no lesson. I will ask you again ${when(p)}.`,
  'check-quiz': (p) => `**${p.label}** is nearly there. A few questions will show.`,
  'check-failed': (p) => `Then we take **${p.label}** from the beginning.`,
  'check-skipped': (p) => `All right, **${p.label}** gets its lesson.`,
  'teach-now': (p) => `Good, **${p.label}**.`,
  'teach-missing': (p) =>
    `**${p.label}** builds on ${listed(p.missing)}, which we have not done. To begin there, say “teach me ${p.missing[0]}”. If you would rather go straight to ${p.label}, ask for it once more.`,
  'know-quiz': (p) => `Good: then show me. If you pass, **${p.label}** needs no lesson.`,
  'know-in-quiz': (p) =>
    `Good: these questions are the proof. If you pass them, **${p.label}** is done.`,
  'know-tried': (p) => `You have tried **${p.label}** without its lesson today; let us go on here.`,
  'know-later': (p) =>
    p.at === null
      ? `**${p.label}** is learned already.`
      : `**${p.label}** is learned already; I ask you about it again ${when(p)}.`,
  'know-in-check': () =>
    'Just answer: right answers lead to harder questions, and what you know is not taught.',
  'know-nothing': () => 'There is no concept in hand at the moment.',
  enough: (p) =>
    p.at === null
      ? 'Enough for now. Your place is kept; say anything to go on.'
      : `Enough for now. Your place is kept; say anything to go on. The next review comes ${when(p)}.`,
  'go-on': () => 'On we go.',
  'talk-thanks': () => 'You are welcome.',
  'talk-greeting': () => 'Hello! I am Meno, a tutor made of software, and I keep your place here.',
  'talk-fine': () => 'All right.',
  'talk-upset': () =>
    'That is frustrating, and it happens to everybody who learns. Say “hint” for a nudge, “explain” to hear it another way, “show me” for the solution, or “pause”.',
  'talk-distress': () => DISTRESS.en,
  'talk-tired': () =>
    'Fair enough. A break helps more than one more question: say “pause”, and I keep your place. Or “skip” leaves this question, and “explain” makes it easier.',
  'talk-other': () =>
    'Of course. Say “practice” for exercises, or “teach me” and the name of a concept; “pause” keeps your place.',
  'talk-hard': () => ASIDES.en.hard,
  'talk-stakes': () => ASIDES.en.stakes,
  'talk-tools': () => ASIDES.en.tools,
  'talk-time': timeLeft,
  'talk-schedule': (p) =>
    p.at === null ? ASIDES.en.schedule : `${ASIDES.en.schedule} The next review is due ${when(p)}.`,
  'talk-use': (p) => {
    if (p.label === null) return ASIDES.en.use
    if (p.leadsTo.length > 0) return `${leadingTo(p)}: those are hard to learn without it.`
    return `**${p.label}** is one of the ends of **${p.topic}**: nothing here builds on it, and it is what the rest was for.`
  },
  'talk-exam': (p) =>
    p.leadsTo.length === 0
      ? ASIDES.en.exam
      : `${ASIDES.en.exam} What I can say: ${leadingTo(p)}. If one of these is asked, you need it.`,
  'review-kept': (p) => `**${p.label}** comes back ${when(p)}.`,
  mastered: (p) => `**${p.label}** is mastered.`,
  'review-postponed': (p) => `Set aside; **${p.label}** comes back ${when(p)}.`,
  'concept-skipped': (p) =>
    `Set aside: **${p.label}**.${p.isLast ? '' : ` Say “teach me ${p.label}” whenever you want it back.`}`,
  'question-skipped': () => 'Skipped.',
  sleeping: (p) => `That is all for now. I will be back ${when(p)} with a review.`,
  completed: ({ topic, closing }) =>
    [
      howItEnded(topic, closing),
      sentence(
        'What took the most work',
        closing.hardest.map((c) => `*${c.label}* (${c.missed} of ${c.answers} answers missed)`),
      ),
      sentence(
        'What got better',
        closing.improved.map(
          (c) => `*${c.label}* (right at first: ${c.first} of ${c.of}; in the end: all ${c.of})`,
        ),
      ),
      sentence(
        'What to learn next',
        closing.next.map(({ label, kind }) => `*${label}* (${ONWARD[kind]})`),
        'Begin a new topic of that name whenever you like.',
      ),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  abandoned: () => 'This topic is closed. What you have learned stays on record.',
  paused: () => 'Paused. Nothing will come up until you are back; any message goes on.',
  resumed: () => 'Welcome back.',
  'put-again': (p) =>
    `${HOW_TO_ANSWER[p.format]} ${p.isCheck ? '“I don’t know” is a fine answer too.' : 'You can also ask for a “hint”.'}`,
  'put-again-offer': (p) =>
    `That does not look like an answer either. ${WAYS_TO_ANSWER[p.format]} ${
      p.isCheck
        ? 'Or say “I don’t know”, and the next question comes; “skip” ends the whole check.'
        : 'Or say “skip” to pass over the question, or “show me” for the solution.'
    }`,
  'option-closed': () => 'That one you have tried: it is not right. Choose another of the options.',
  'ask-again': () => 'I could not grade that, so nothing is stored. Please answer once more.',
  'question-closed': () => 'That question is already closed, so nothing was graded.',
  'nothing-open': (p) =>
    p.at === null
      ? 'Nothing is open at the moment.'
      : `Nothing is open at the moment; the next review comes ${when(p)}.`,
  'nothing-due': (p) =>
    p.at === null ? 'Nothing is due.' : `Nothing is due yet; the next review comes ${when(p)}.`,
  'off-topic': (p) => `Let us stay with **${p.topic}**.`,
  'open-question': () => 'The question is still open.',
  'contest-none': () => 'There is no grade that could be contested now.',
  'contest-kept-by-model': () => 'I looked at it again, and the grade stands.',
  'contest-unread': () =>
    'I looked at it again and could not read it as an answer, so the grade stands for now.',
  'contest-check': () =>
    'You are right, that answer is correct. A check question has no grade, so nothing is lost; on we go.',
  'contest-right': () => 'That answer was right, and it counts as right.',
  'contest-kept': () => 'I looked at it again by its rule, and the verdict stands.',
  'contest-read': (p) =>
    `I read your answer again: I understood **${p.readAs}**, and that is not the answer. So the verdict stands.`,
  'contest-first': () => 'I read it again: your first answer was right.',
  'contest-changed': (p) => `I looked again: your answer counts ${p.quality} of 5 now.`,
  'replan-done': (p) =>
    p.added
      ? `I looked at the plan again and added ${concepts(p.added)}.`
      : 'I looked at the plan again; the order is up to date.',
  'replan-early': () => 'There is no plan to change yet.',
  'blocked-slow': () =>
    'The model is not answering at the moment. Your place is kept; I go on by myself as soon as it is back.',
  'blocked-unreadable': () =>
    'What the model wrote just now could not be used. Your place is kept; I am asking again.',
  'blocked-internal': () =>
    'Something went wrong inside Meno. It has been logged; your place and your words are kept, and I try again by myself.',
  'help-failed': () => 'I cannot answer that at the moment. Please ask again, or in other words.',
  'again-failed': () => 'I could not write that again just now.',
  'not-processed': () =>
    'Something went wrong inside Meno with your last message, so it had no effect. Please say it again, or in other words.',
  'blocked-refused': (p) =>
    `The model cannot be used at the moment: ${p.reason} Your place is kept; whoever runs Meno can mend this.`,
  'blocked-plan': (p) =>
    `I have no sound plan yet (${p.reason}). I will try again in a quarter of an hour, or when you ask for a new plan.`,
  'going-stale': (p) =>
    `You have not been here for ${p.days} days. In a week I will close this topic; any message keeps it open.`,
  'practice-unavailable': () => 'There is nothing to practise yet.',
  'practice-open': (p) =>
    `Here is some practice on ${practised(p.labels)}: ${p.count === 1 ? 'one problem' : `${p.count} problems`}, one at a time. Your place here is kept.`,
  'practice-still-open': (p) =>
    `Your practice on ${practised(p.labels)} is still open. Finish it first, or end it.`,
  'practice-none': (p) =>
    `I have no practice problems on ${practised(p.labels)} that I could check by rule. Let us go on with the lesson.`,
  'practice-done': (p) =>
    `Back from practice on ${practised(p.labels)}: ${p.solved} of ${p.count} solved. It counts towards the concept.`,
  'practice-empty': (p) =>
    `You ended the practice on ${practised(p.labels)} before trying a problem, so nothing is counted.`,
  'program-failed': (p) => programFailed(p, 'en'),
  'program-unreadable': (p) => programUnreadable(p, 'en'),
  'program-unavailable': () =>
    'I cannot run programs at the moment, so nothing is counted. Here is another question instead.',
}

const PHRASES: Record<Language, Words> = { en: PHRASES_EN, de: PHRASES_DE }

/**
 * The words of a phrase in a language, filled in.
 * @throws Error on a stored name that does not exist
 */
export function phrase(said: BarePhrase | Phrase, language: Language = 'en'): string {
  const { phrase: name, params } = typeof said === 'string' ? { phrase: said, params: {} } : said
  const words = (PHRASES[language] as Partial<Record<PhraseName, (p: unknown) => string>>)[name]
  if (!words) throw new Error(`there is no phrase "${name}"`)
  return words(params)
}
