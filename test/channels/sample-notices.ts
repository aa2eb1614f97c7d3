import type { Notice, NoticeItem } from '../../src/contracts/channel.ts'

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
    title: german ? '3 Wiederholungen: Bruchrechnung, Python' : '3 reviews: Fractions, Python',
    text: german
      ? 'Das kommt heute wieder dran, bevor es verblasst.'
      : 'These come round today, before they fade.',
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
  const german = language === 'de'
  return {
    id: 'a7d3c6f0-1111-4b5f-8a1e-0c8f3a1b2c02',
    kind: 'digest',
    date: '2027-03-07',
    language,
    title: german ? 'Deine Woche: 4 Begriffe gefestigt' : 'Your week: 4 concepts settled',
    text: german ? 'Du warst an fünf von sieben Tagen da.' : 'You came by on five days of seven.',
    path: '/',
    action: german ? 'Weiterlernen' : 'Go on learning',
    items: [],
    minutes: null,
    digest: german
      ? {
          headline: 'Brüche sitzen, bei den Gleichungen lohnt ein zweiter Blick.',
          trends: ['31 Antworten, 26 davon richtig', 'Bruchrechnung: von 48 % auf 63 %'],
          achievements: ['Brüche kürzen ist gemeistert', '12 Wiederholungen ohne Hilfe'],
          struggles: ['Gleichungen umstellen: dreimal das Vorzeichen verloren'],
          nextWeek: ['9 Wiederholungen, die meisten am Dienstag', 'Als Nächstes: Dezimalbrüche'],
          body: 'Bei $2x + 3 = 11$ hast du **beide Seiten** richtig verändert. Achte auf:\n\n- das Vorzeichen, wenn etwas *hinüberwandert*\n- $-(a - b) = -a + b$\n\nMehr dazu [hier](https://example.com/boese).',
        }
      : {
          headline: 'Fractions have settled; equations deserve a second look.',
          trends: ['31 answers, 26 of them right', 'Fractions: from 48% to 63%'],
          achievements: ['Reducing fractions is mastered', '12 reviews without help'],
          struggles: ['Rearranging equations: three times the sign was lost'],
          nextWeek: ['9 reviews, most of them on Tuesday', 'Next: decimal fractions'],
          body: 'In $2x + 3 = 11$ you changed **both sides** correctly. Look out for:\n\n- the sign when something *moves over*\n- $-(a - b) = -a + b$\n\nMore of it [here](https://example.com/evil).',
        },
  }
}

function stale(language: Language): Notice {
  const german = language === 'de'
  return {
    id: 'a7d3c6f0-1111-4b5f-8a1e-0c8f3a1b2c03',
    kind: 'stale',
    date: '2027-03-08',
    language,
    title: german ? 'Bruchrechnung wartet auf dich' : 'Fractions is waiting for you',
    text: german
      ? 'Seit über 30 Tagen ist eine Frage offen. In einer Woche wird das Thema geschlossen; was du gelernt hast, bleibt.'
      : 'A question has been open for more than 30 days. In a week the topic is closed; what you learned stays.',
    path: `/arcs/${FRACTIONS}`,
    action: german ? 'Weitermachen' : 'Go on',
    items: [],
    minutes: 1,
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
