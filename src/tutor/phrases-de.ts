import type { Closing } from '../domain/arc/closing.ts'
import type { PhraseParams } from '../domain/arc/phrase.ts'
import type { Question } from '../domain/arc/question.ts'
import { ASIDES } from './aside-words.ts'
import { courseTitle } from './course-title.ts'
import { DISTRESS } from './distress.ts'
import type { Words } from './phrases.ts'
import { programFailed, programUnreadable } from './program-phrases.ts'
import { listed, practised, remedyIn, roughly, sentence, type Wait, waitUntil } from './wording.ts'

const UNITS = {
  second: ['einer Sekunde', 'Sekunden'],
  minute: ['einer Minute', 'Minuten'],
  hour: ['einer Stunde', 'Stunden'],
  day: ['einem Tag', 'Tagen'],
} as const

/** A point in time as a learner reads it: how long it is until then. */
function when(until: { at: number | null; now: number }): string {
  const wait = waitUntil(until)
  if (!wait) return 'später'
  const [one, many] = UNITS[wait.unit]
  return wait.amount === 1 ? `in ${one}` : `in ${wait.amount} ${many}`
}

const LEVELS: Record<string, string> = {
  beginner: 'am Anfang',
  intermediate: 'schon gut unterwegs',
  advanced: 'weit fortgeschritten',
}

const ONWARD = {
  aside: 'beiseitegelegt',
  extra: 'war freiwillig',
  course: 'baut darauf auf',
}

function howItEnded(topic: string, { total, mastered, aside, extra }: Closing): string {
  if (mastered === total) {
    return `Du beherrschst **${topic}**: alle ${total} Themen. Gut gemacht!`
  }
  if (mastered === 0) {
    return `In **${topic}** ist nichts mehr zu tun: Du hast alles beiseitegelegt, also zählt nichts davon als beherrscht.`
  }
  const rest = [
    ...(aside > 0 ? [`${aside} beiseitegelegt`] : []),
    ...(extra > 0 ? [`${extra} freiwillig und ausgelassen`] : []),
  ]
  return `Du bist mit **${topic}** durch: ${mastered} von ${total} Themen beherrschst du, ${rest.join(', ')}.`
}

const WAYS_TO_ANSWER: Record<Question['format'], string> = {
  multiple_choice: 'Wähle eine der Möglichkeiten.',
  short_answer: 'Schreib einfach, was du denkst; raten ist erlaubt.',
  program: 'Schreib dein Programm in den Editor.',
}

const HOW_TO_ANSWER: Record<Question['format'], string> = {
  multiple_choice:
    'Darin habe ich keine der Möglichkeiten erkannt: Der Buchstabe oder der Text genügt.',
  short_answer:
    'Das konnte ich nicht als Antwort lesen: Eine kurze genügt, etwa eine Zahl oder ein Wort.',
  program: 'Darin habe ich kein Programm erkannt: Schreib es in den Editor und schick es ab.',
}

const themen = (count: number): string => `${count} ${count === 1 ? 'Thema' : 'Themen'}`

function knownOf({ total, known }: PhraseParams['plan-made']): string {
  if (total === 1) return 'Das kennst du wohl schon, da stelle ich nur eine Frage.'
  return known === 1
    ? 'Eines davon kennst du wohl schon, da stelle ich nur eine Frage.'
    : `${known} davon kennst du wohl schon, da stelle ich nur je eine Frage.`
}

function duration({ amount, unit }: Wait): string {
  if (unit === 'hour' && amount === 1) return 'eine Stunde'
  return `${amount} ${unit === 'hour' ? 'Stunden' : 'Minuten'}`
}

function timeLeft({ topic, ofCheck, inHand, minutes }: PhraseParams['talk-time']): string {
  if (ofCheck !== null) {
    const most =
      ofCheck === 1
        ? 'Das ist die letzte Frage im Einstufungstest.'
        : `Im Einstufungstest sind es noch höchstens ${ofCheck} Fragen, oft weniger.`
    return `${most} Mit „Test überspringen“ geht es gleich mit den Lektionen los.`
  }
  const { label, questions = 0 } = inHand ?? {}
  const more = questions === 1 ? 'Das ist die letzte Frage' : `Noch ${questions} Fragen`
  const first = inHand ? `${more} zu **${label}**. ` : ''
  if (minutes === 0) {
    return `${first}Die Lektionen sind geschafft; es bleiben Wiederholungen, je eine Minute.`
  }
  return `${first}Für ganz **${topic}** ist es noch etwa ${duration(roughly(minutes))}, in Stücken, so kurz du magst.`
}

const leadingTo = ({ label, leadsTo }: PhraseParams['talk-use']): string =>
  `**${label}** führt zu ${practised(leadsTo)}`

/** What the tutor says in words of its own, in German. */
export const PHRASES_DE: Words = {
  'welcome-offline': (p) =>
    `Willkommen! Ich bin Menos **Offline-Tutor**: Es ist kein Sprachmodell verbunden, deshalb unterrichte ich nach dem Kurs *${courseTitle(p.course)}* und prüfe deine Antworten nach festen Regeln. Frei plaudern kann ich nicht, aber ich merke mir, wo du stehst, und melde mich, wenn etwas zu wiederholen ist.`,
  'welcome-model': (p) =>
    `Willkommen! Lass uns gemeinsam **${p.topic}** lernen. Ich merke mir, wo du stehst, wie lange es auch dauert, und melde mich, wenn etwas zu wiederholen ist.`,
  'course-in-english': () =>
    'Der Kurs selbst, also seine Lektionen, Aufgaben und Tipps, ist auf Englisch. Alles, was ich selbst sage, sage ich dir auf Deutsch.',
  'diagnosis-start': () =>
    'Zuerst ein paar Fragen, damit ich sehe, wo du stehst. Beantworte, was du kannst; „Ich weiß es nicht“ ist auch eine gute Antwort, und du darfst den ganzen Test überspringen.',
  'diagnosis-skipped': () => 'Gut, wir lassen den Test weg und fangen vorne an.',
  'diagnosis-done': (p) =>
    `Danke. Hier stehst du: **${LEVELS[p.level] ?? p.level}**. Danach richte ich den Plan.`,
  'diagnosis-again': () =>
    'Gut, sehen wir noch einmal nach, wo du stehst. Ich frage nach dem, was du noch nicht begonnen hast; was du gelernt hast, bleibt.',
  'diagnose-nothing': () =>
    'Es gibt nichts mehr zu prüfen: Jedes Thema hier ist begonnen. Sag „kann ich schon“ bei einem Thema, um es zu zeigen.',
  noted: () => 'Notiert.',
  'no-hint-in-check': () =>
    'In diesem Test gibt es keine Tipps; er sucht nur, wo wir anfangen. „Ich weiß es nicht“ ist auch eine gute Antwort.',
  'no-lesson-in-check': () =>
    'Das erkläre ich, wenn wir dort sind: Der Test sucht nur, wo wir anfangen. Schreib „Ich weiß es nicht“, dann kommt die nächste Frage.',
  'plan-made': (p) =>
    `Hier ist der Plan: **${themen(p.total)}**. ${
      p.known > 0 ? knownOf(p) : `Wir beginnen mit *${p.first}*.`
    }`,
  'goal-not-found': (p) =>
    `Zu deinem Ziel („${p.goal}“) habe ich keines der Themen gefunden, deshalb umfasst der Plan den ganzen Stoff.`,
  'lesson-title': (p) =>
    p.showing === 1 ? `### ${p.label}` : `### ${p.label}: noch einmal, auf einem anderen Weg`,
  'back-to': (p) => `Zurück zu **${p.label}**.`,
  right: () => '**Richtig.**',
  'right-after-help': () => '**Richtig**, mit ein wenig Hilfe.',
  close: () => '**Knapp daneben.** Schau noch einmal hin und versuch es erneut.',
  'still-close': () => '**Knapp daneben**, aber noch nicht richtig.',
  wrong: () => '**Das stimmt nicht.**',
  'wrong-once': () => '**Das stimmt noch nicht.** Versuch es noch einmal:',
  foreseen: (p) => `**Das stimmt noch nicht.** ${remedyIn('de', p)}`,
  remedy: (p) => remedyIn('de', p),
  'try-again': () => 'Versuch es noch einmal.',
  'easier-first': () => 'Nehmen wir zuerst eine kleinere.',
  abstained: () => 'Das macht nichts; so geht es.',
  answer: (p) => `**Antwort:** ${p.expected}`,
  'quiz-start': (p) =>
    p.count === 1
      ? `Nun eine Frage zu **${p.label}**, um zu sehen, ob es sitzt.`
      : `Nun ${p.count} Fragen zu **${p.label}**, um zu sehen, ob es sitzt.`,
  'cycle-passed': (p) =>
    `**${p.label}** ist geschafft (${p.right} von ${p.count} richtig). Ich frage dich ${when(p)} noch einmal danach.`,
  'cycle-again': (p) =>
    `${p.right} von ${p.count} richtig: Das reicht noch nicht. Schauen wir uns **${p.label}** noch einmal an.`,
  'cycle-remediate': (p) =>
    `**${p.label}** fällt gerade schwer. Wir stellen es hinter die anderen Themen und festigen zuerst *${p.weakest}*.`,
  'cycle-eased': (p) =>
    `**${p.label}** fällt schwer. Gehen wir es noch einmal in kleineren Schritten an.`,
  'review-due': (p) =>
    p.count === 1
      ? `Zeit, **${p.label}** zu wiederholen.`
      : `Zeit zum Wiederholen: ${p.count} Themen sind dran. Zuerst **${p.label}**.`,
  'review-next': (p) => `Als Nächstes wiederholen wir **${p.label}**.`,
  'review-lapsed': (p) =>
    `**${p.label}** ist dir entfallen. Ein paar Fragen zeigen, ob es noch da ist.`,
  'review-helped': (p) =>
    `**${p.label}** brauchte dreimal hintereinander Hilfe; sehen wir es uns frisch an.`,
  'offer-aside': (p) =>
    `**${p.label}** ist hartnäckig. Wenn du magst, legen wir es beiseite: Schreib „Thema überspringen“. Du bekommst es jederzeit zurück.`,
  'check-placed': (p) => `**${p.label}** kennst du wohl schon. Eine Frage, um sicher zu sein.`,
  'check-passed': (p) =>
    `Dann braucht **${p.label}** keine Lektion. Ich frage dich ${when(p)} wieder.`,
  'check-quiz': (p) => `**${p.label}** ist fast da. Ein paar Fragen zeigen es.`,
  'check-failed': (p) => `Dann nehmen wir **${p.label}** von vorn.`,
  'check-skipped': (p) => `Gut, **${p.label}** bekommt seine Lektion.`,
  'teach-now': (p) => `Gut, **${p.label}**.`,
  'teach-missing': (p) =>
    `**${p.label}** baut auf ${listed(p.missing)} auf, und das hatten wir noch nicht. Um dort anzufangen, schreib „lerne ${p.missing[0]}“. Willst du lieber gleich zu ${p.label}, dann bitte noch einmal darum.`,
  'know-quiz': (p) => `Gut, dann zeig es mir. Bestehst du, braucht **${p.label}** keine Lektion.`,
  'know-in-quiz': (p) =>
    `Gut, diese Fragen zeigen es. Bestehst du sie, ist **${p.label}** geschafft.`,
  'know-tried': (p) =>
    `Du hast **${p.label}** heute schon ohne Lektion versucht; machen wir hier weiter.`,
  'know-later': (p) =>
    p.at === null
      ? `**${p.label}** ist schon gelernt.`
      : `**${p.label}** ist schon gelernt; ich frage dich ${when(p)} wieder danach.`,
  'know-in-check': () =>
    'Antworte einfach: Nach richtigen Antworten kommen schwerere Fragen, und was du kannst, wird nicht unterrichtet.',
  'know-nothing': () => 'Im Augenblick ist kein Thema in Arbeit.',
  enough: (p) =>
    p.at === null
      ? 'Genug für jetzt. Ich merke mir, wo du bist; mit jeder Nachricht geht es weiter.'
      : `Genug für jetzt. Ich merke mir, wo du bist; mit jeder Nachricht geht es weiter. Die nächste Wiederholung kommt ${when(p)}.`,
  'go-on': () => 'Weiter geht es.',
  'talk-thanks': () => 'Gern geschehen.',
  'talk-greeting': () => 'Hallo! Ich bin Meno, ein Tutor aus Software, und merke mir, wo du bist.',
  'talk-fine': () => 'Alles klar.',
  'talk-upset': () =>
    'Das ist ärgerlich, und es geht jedem so, der lernt. Schreib „Tipp“ für einen Anstoß, „erklär das nochmal“ für einen anderen Weg, „zeig mir die Lösung“ für die Lösung oder „Pause“.',
  'talk-distress': () => DISTRESS.de,
  'talk-tired': () =>
    'Das verstehe ich. Eine Pause hilft oft mehr als noch eine Frage: Schreib „Pause“, und ich merke mir, wo du bist. Oder lass die Frage mit „überspringen“ aus, oder schreib „erklär das nochmal“.',
  'talk-other': () =>
    'Gern. Schreib „üben“ für Aufgaben, oder „lerne“ und den Namen eines Themas; bei „Pause“ merke ich mir, wo du bist.',
  'talk-hard': () => ASIDES.de.hard,
  'talk-stakes': () => ASIDES.de.stakes,
  'talk-tools': () => ASIDES.de.tools,
  'talk-time': timeLeft,
  'talk-schedule': (p) =>
    p.at === null
      ? ASIDES.de.schedule
      : `${ASIDES.de.schedule} Die nächste Wiederholung ist ${when(p)} fällig.`,
  'talk-use': (p) => {
    if (p.label === null) return ASIDES.de.use
    if (p.leadsTo.length > 0) return `${leadingTo(p)}: Ohne das sind sie schwer zu lernen.`
    return `**${p.label}** gehört zu den Zielen von **${p.topic}**: Hier baut nichts mehr darauf auf, alles andere war dafür da.`
  },
  'talk-exam': (p) =>
    p.leadsTo.length === 0
      ? ASIDES.de.exam
      : `${ASIDES.de.exam} Was ich sagen kann: ${leadingTo(p)}. Kommt davon etwas dran, brauchst du es.`,
  'review-kept': (p) => `**${p.label}** kommt ${when(p)} wieder.`,
  mastered: (p) => `**${p.label}** beherrschst du jetzt.`,
  'review-postponed': (p) => `Beiseitegelegt; **${p.label}** kommt ${when(p)} wieder.`,
  'concept-skipped': (p) =>
    `Beiseitegelegt: **${p.label}**.${p.isLast ? '' : ` Schreib „lerne ${p.label}“, wann immer du es zurückhaben willst.`}`,
  'question-skipped': () => 'Übersprungen.',
  sleeping: (p) => `Das ist für jetzt alles. Ich melde mich ${when(p)} mit einer Wiederholung.`,
  completed: ({ topic, closing }) =>
    [
      howItEnded(topic, closing),
      sentence(
        'Am meisten Arbeit machten',
        closing.hardest.map((c) => `*${c.label}* (${c.missed} von ${c.answers} Antworten daneben)`),
      ),
      sentence(
        'Besser geworden ist',
        closing.improved.map(
          (c) => `*${c.label}* (richtig am Anfang: ${c.first} von ${c.of}; zuletzt: alle ${c.of})`,
        ),
      ),
      sentence(
        'Weitergehen kann es mit',
        closing.next.map(({ label, kind }) => `*${label}* (${ONWARD[kind]})`),
        'Beginne dafür ein neues Thema dieses Namens, wann immer du magst.',
      ),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  abandoned: () => 'Dieses Thema ist geschlossen. Was du gelernt hast, bleibt gespeichert.',
  paused: () =>
    'Pause. Bis du zurück bist, kommt nichts Neues; mit jeder Nachricht geht es weiter.',
  resumed: () => 'Schön, dass du wieder da bist.',
  'put-again': (p) =>
    `${HOW_TO_ANSWER[p.format]} ${p.isCheck ? '„Ich weiß es nicht“ ist auch eine gute Antwort.' : 'Du kannst auch um einen „Tipp“ bitten.'}`,
  'put-again-offer': (p) =>
    `Auch das sieht nicht nach einer Antwort aus. ${WAYS_TO_ANSWER[p.format]} ${
      p.isCheck
        ? 'Oder schreib „Ich weiß es nicht“, dann kommt die nächste Frage; „überspringen“ beendet den ganzen Test.'
        : 'Oder schreib „überspringen“, um die Frage auszulassen, oder „zeig mir die Lösung“.'
    }`,
  'option-closed': () =>
    'Das hast du schon probiert, es ist nicht richtig. Wähl eine andere der Möglichkeiten.',
  'ask-again': () =>
    'Das konnte ich nicht bewerten, deshalb ist nichts gespeichert. Antworte bitte noch einmal.',
  'question-closed': () => 'Diese Frage ist schon abgeschlossen, deshalb habe ich nichts bewertet.',
  'nothing-open': (p) =>
    p.at === null
      ? 'Im Augenblick ist nichts offen.'
      : `Im Augenblick ist nichts offen; die nächste Wiederholung kommt ${when(p)}.`,
  'nothing-due': (p) =>
    p.at === null
      ? 'Es ist nichts zu wiederholen.'
      : `Es ist noch nichts zu wiederholen; die nächste Wiederholung kommt ${when(p)}.`,
  'off-topic': (p) => `Bleiben wir bei **${p.topic}**.`,
  'open-question': () => 'Die Frage ist noch offen.',
  'contest-none': () => 'Es gibt gerade keine Bewertung, die du anfechten könntest.',
  'contest-kept-by-model': () =>
    'Ich habe noch einmal hingesehen, und es bleibt bei der Bewertung.',
  'contest-unread': () =>
    'Ich habe noch einmal hingesehen und konnte es nicht als Antwort lesen; vorerst bleibt es bei der Bewertung.',
  'contest-check': () =>
    'Du hast recht, die Antwort stimmt. Diese Frage zählt nicht, also ist nichts verloren; weiter geht es.',
  'contest-right': () => 'Die Antwort war richtig, und sie zählt als richtig.',
  'contest-kept': () => 'Ich habe es noch einmal nach der Regel geprüft, und es bleibt dabei.',
  'contest-read': (p) =>
    `Ich habe deine Antwort noch einmal gelesen: Verstanden habe ich **${p.readAs}**, und das ist nicht die Antwort. Es bleibt also dabei.`,
  'contest-first': () => 'Ich habe sie noch einmal gelesen: Deine erste Antwort war richtig.',
  'contest-changed': (p) =>
    `Ich habe noch einmal hingesehen: Deine Antwort zählt jetzt ${p.quality} von 5.`,
  'replan-done': (p) =>
    p.added
      ? `Ich habe den Plan noch einmal angesehen und ${p.added === 1 ? 'ein Thema' : `${p.added} Themen`} ergänzt.`
      : 'Ich habe den Plan noch einmal angesehen; die Reihenfolge ist auf dem neuesten Stand.',
  'replan-early': () => 'Es gibt noch keinen Plan, der sich ändern ließe.',
  'blocked-slow': () =>
    'Das Modell antwortet im Augenblick nicht. Ich merke mir, wo du bist, und mache von selbst weiter, sobald es wieder da ist.',
  'blocked-unreadable': () =>
    'Was das Modell gerade geschrieben hat, war nicht zu gebrauchen. Ich merke mir, wo du bist, und frage noch einmal.',
  'blocked-internal': () =>
    'In Meno ist etwas schiefgegangen. Es ist vermerkt; dein Stand und deine Worte bleiben erhalten, und ich versuche es von selbst noch einmal.',
  'help-failed': () =>
    'Das kann ich im Augenblick nicht beantworten. Frag bitte noch einmal, oder mit anderen Worten.',
  'again-failed': () => 'Das konnte ich gerade nicht noch einmal schreiben.',
  'not-processed': () =>
    'Bei deiner letzten Nachricht ist in Meno etwas schiefgegangen, deshalb hatte sie keine Wirkung. Schreib sie bitte noch einmal, oder mit anderen Worten.',
  'blocked-refused': (p) =>
    `Das Modell lässt sich im Augenblick nicht nutzen: ${p.reason} Ich merke mir, wo du bist; wer Meno betreibt, kann das beheben.`,
  'blocked-plan': (p) =>
    `Ich habe noch keinen brauchbaren Plan (${p.reason}). In einer Viertelstunde versuche ich es wieder, oder sobald du um einen neuen Plan bittest.`,
  'going-stale': (p) =>
    `Du warst ${p.days} Tage lang nicht hier. In einer Woche schließe ich dieses Thema; mit jeder Nachricht bleibt es offen.`,
  'practice-unavailable': () => 'Es gibt noch nichts zu üben.',
  'practice-open': (p) =>
    `Hier ist etwas zum Üben: ${practised(p.labels)}, ${p.count === 1 ? 'eine Aufgabe' : `${p.count} Aufgaben, eine nach der anderen`}. Wo du hier bist, merke ich mir.`,
  'practice-still-open': (p) =>
    `Deine Übung zu ${practised(p.labels)} ist noch offen. Bring sie erst zu Ende, oder beende sie.`,
  'practice-none': (p) =>
    `Zu ${practised(p.labels)} habe ich keine Aufgaben, die ich nach festen Regeln prüfen könnte. Machen wir mit der Lektion weiter.`,
  'practice-done': (p) =>
    `Zurück vom Üben: ${practised(p.labels)}, ${p.solved} von ${p.count} gelöst. Das zählt für dieses Thema.`,
  'program-failed': (p) => programFailed(p, 'de'),
  'program-unreadable': (p) => programUnreadable(p, 'de'),
  'program-unavailable': () =>
    'Ich kann gerade keine Programme laufen lassen, deshalb zählt nichts. Hier ist stattdessen eine andere Frage.',
  'practice-empty': (p) =>
    `Du hast die Übung zu ${practised(p.labels)} beendet, bevor du eine Aufgabe versucht hast; es zählt also nichts.`,
}
