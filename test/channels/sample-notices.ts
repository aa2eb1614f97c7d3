import type { Notice, NoticeItem } from '../../src/contracts/channel.ts'
import type { DigestContent } from '../../src/domain/agenda/notice.ts'

type Language = Notice['language']

const FRACTIONS = '6f0c8d52-5f0e-4a5a-9a55-0d4f3a1c2b01'
const PYTHON = '6f0c8d52-5f0e-4a5a-9a55-0d4f3a1c2b02'

const items = (texts: [string, string, string][]): NoticeItem[] =>
  texts.map(([arcId, topic, label], i) => ({
    arcId,
    topic,
    nodeId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    label,
  }))

/** Reviews of two topics, one label with a formula. */
function reviews(language: Language): Notice {
  const german = language === 'de'
  return {
    id: 'a7d3c6f0-1111-4b5f-8a1e-0c8f3a1b2c01',
    kind: 'reviews',
    date: '2027-03-02',
    language,
    title: german ? '3 Wiederholungen stehen an' : '3 reviews are due',
    text: german
      ? 'Bruchrechnung (2), Python. Etwa 6 Minuten.'
      : 'Fractions (2), Python. About 6 minutes.',
    path: `/arcs/${FRACTIONS}?review=1`,
    action: german ? 'Jetzt wiederholen' : 'Review now',
    items: german
      ? items([
          [FRACTIONS, 'Bruchrechnung', 'Brüche kürzen'],
          [PYTHON, 'Python', 'Listen durchlaufen'],
          [FRACTIONS, 'Bruchrechnung', 'Brüche addieren: $\\frac{1}{2} + \\frac{1}{3}$'],
        ])
      : items([
          [FRACTIONS, 'Fractions', 'Reducing fractions'],
          [PYTHON, 'Python', 'Going through lists'],
          [FRACTIONS, 'Fractions', 'Adding fractions: $\\frac{1}{2} + \\frac{1}{3}$'],
        ]),
    minutes: 6,
  }
}

function digest(language: Language): Notice {
  const digest: DigestContent =
    language === 'de'
      ? {
          headline: 'Deine Woche: 31 Antworten an 5 Tagen',
          trends: [
            '11 von 12 Wiederholungen waren richtig',
            'Bruchrechnung: 63 % gemeistert (+15 Punkte)',
          ],
          achievements: ['Bruchrechnung: gemeistert: Brüche kürzen, Erweitern'],
          struggles: ['Gleichungen: Umstellen kommt noch einmal in Ruhe dran'],
          nextWeek: ['Bruchrechnung: 9 Wiederholungen', 'Python: eine Wiederholung'],
          body: 'Bei $2x + 3 = 11$ hast du **beide Seiten** richtig verändert. Achte auf:\n\n- das Vorzeichen, wenn etwas *hinüberwandert*\n- $-(a - b) = -a + b$\n\nMehr dazu [hier](https://example.com/boese).',
        }
      : {
          headline: 'Your week: 31 answers on 5 days',
          trends: ['11 of 12 reviews were right', 'Fractions: 63 % mastered (+15 points)'],
          achievements: ['Fractions: mastered Reducing fractions, Expanding'],
          struggles: ['Equations: Rearranging will come again more slowly'],
          nextWeek: ['Fractions: 9 reviews', 'Python: one review'],
          body: 'In $2x + 3 = 11$ you changed **both sides** correctly. Look out for:\n\n- the sign when something *moves over*\n- $-(a - b) = -a + b$\n\nMore of it [here](https://example.com/evil).',
        }
  const { headline, trends, achievements, struggles, nextWeek } = digest
  return {
    id: 'a7d3c6f0-1111-4b5f-8a1e-0c8f3a1b2c02',
    kind: 'digest',
    date: '2027-03-07',
    language,
    title: headline,
    text: [...trends, ...achievements, ...struggles, ...nextWeek].join('\n'),
    path: '/',
    action: language === 'de' ? 'Ansehen, was als Nächstes kommt' : 'See what comes next',
    items: [],
    minutes: null,
    digest,
  }
}

function stale(language: Language): Notice {
  const german = language === 'de'
  return {
    id: 'a7d3c6f0-1111-4b5f-8a1e-0c8f3a1b2c03',
    kind: 'stale',
    date: '2027-03-08',
    language,
    title: german
      ? '„Bruchrechnung“ wird in einer Woche geschlossen'
      : '“Fractions” will be closed in a week',
    text: german
      ? 'Das Thema wartet seit mehr als 30 Tagen auf dich. Eine Nachricht hält es offen.'
      : 'It has waited for you for more than 30 days. One message keeps it open.',
    path: `/arcs/${FRACTIONS}`,
    action: german ? 'Weitermachen' : 'Go on',
    items: [],
    minutes: null,
  }
}

function lockedExam(language: Language): Notice {
  const german = language === 'de'
  return {
    id: 'a7d3c6f0-1111-4b5f-8a1e-0c8f3a1b2c04',
    kind: 'locked-exam',
    date: '2027-03-09',
    language,
    title: german
      ? 'Eine Prüfungsfrage ist wieder offen: Lineare Gleichungen'
      : 'An exam question is open again: Linear equations',
    text: german ? 'Du kannst sie jetzt noch einmal versuchen.' : 'You may try it again now.',
    path: '/course/algebra-basics',
    action: german ? 'Zur Frage' : 'To the question',
    items: [],
    minutes: null,
  }
}

/** A notice of each kind, as the agenda writes them. */
export const sampleNotices = (language: Language): Notice[] => [
  reviews(language),
  digest(language),
  stale(language),
  lockedExam(language),
]

/** Names that somebody could make trouble with. */
export const HOSTILE_NAMES = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '"></a><a href="https://evil.example">Free',
  'Fractions\r\nBcc: victim@example.org\r\n\r\nA body of my own',
  'Line\u2028separated\u2029and\u0000nul\u000bvertical',
  '🦊👩‍👩‍👧‍👦 Füchse & Würfel 日本語',
  'שברים פשוטים',
  '\u202egnp.exe \u2066turned\u2069 round',
  '=?utf-8?q?encoded?= word',
  `${'a very long name '.repeat(20)}end`,
  '$\\frac{1}{2}$ & {{template}} <%= 1 %>',
]
