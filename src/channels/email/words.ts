import type { Notice } from '../../contracts/channel.ts'

/** What a mail says of itself, beside what the notice says. */
export interface MailWords {
  andMore: (count: number) => string
  sections: Record<'trends' | 'achievements' | 'struggles' | 'nextWeek', string>
  /** Why it came, and what a reply does. */
  why: Record<Notice['kind'], string>
  replies: string
  repliesToPeople: string
  unsubscribe: string
  linkInstead: string
  confirm: { subject: string; text: string; action: string; ignore: string; why: string }
}

const english: MailWords = {
  andMore: (count) => `and ${count} more`,
  sections: {
    trends: 'How it went',
    achievements: 'What you managed',
    struggles: 'What is still hard',
    nextWeek: 'Next week',
  },
  why: {
    reviews: 'Meno writes when something you learned is due for review.',
    digest: 'Meno writes once a week, and only when something happened.',
    stale: 'Meno writes when a topic has waited for you for long.',
    'locked-exam': 'Meno writes when something about your exam questions changes.',
  },
  replies: 'Nobody reads replies to this mail: please answer in Meno.',
  repliesToPeople: 'Replies go to the people who run this Meno; the tutor answers in Meno only.',
  unsubscribe: 'No more mail from Meno',
  linkInstead: 'If the button does not work, open this address:',
  confirm: {
    subject: 'Please confirm your address',
    text: 'Someone, most likely you, asked Meno to write to this address: when something is due for review, and once a week how it went.',
    action: 'Confirm the address',
    ignore: 'If it was not you, do nothing: without this confirmation Meno does not write again.',
    why: 'The link works for a short time only, and once.',
  },
}

const german: MailWords = {
  andMore: (count) => `und ${count} weitere`,
  sections: {
    trends: 'Wie es lief',
    achievements: 'Was du geschafft hast',
    struggles: 'Was noch schwerfällt',
    nextWeek: 'Nächste Woche',
  },
  why: {
    reviews: 'Meno schreibt, wenn etwas Gelerntes wiederholt werden sollte.',
    digest: 'Meno schreibt einmal in der Woche, und nur, wenn etwas geschehen ist.',
    stale: 'Meno schreibt, wenn ein Thema lange auf dich gewartet hat.',
    'locked-exam': 'Meno schreibt, wenn sich bei deinen Prüfungsfragen etwas ändert.',
  },
  replies: 'Antworten auf diese Mail liest niemand: Antworte bitte in Meno.',
  repliesToPeople:
    'Antworten gehen an die Menschen, die dieses Meno betreiben; der Tutor antwortet nur in Meno.',
  unsubscribe: 'Keine Mails mehr von Meno',
  linkInstead: 'Falls der Knopf nicht funktioniert, öffne diese Adresse:',
  confirm: {
    subject: 'Bitte bestätige deine Adresse',
    text: 'Jemand, vermutlich du, möchte von Meno Post an diese Adresse bekommen: wenn etwas zu wiederholen ist, und einmal in der Woche, wie es lief.',
    action: 'Adresse bestätigen',
    ignore: 'Warst du es nicht, tu einfach nichts: Ohne Bestätigung schreibt Meno nicht wieder.',
    why: 'Der Link gilt nur kurze Zeit und nur einmal.',
  },
}

export const MAIL_WORDS: Record<Notice['language'], MailWords> = { en: english, de: german }
