import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { strToU8, zipSync } from 'fflate'
import { type AnkiNote, FIELDS, ROOT_DECK } from '../../domain/anki/notes.ts'

/** Anki's ids are times in ms; these stay for good, so that what is imported again meets itself. */
const NOTE_TYPE_ID = 1_732_233_600_001
const DEFAULT_DECK_ID = 1
const PRESET_ID = 1

/** The tables of schema 11, which every Anki since 2.1 reads. */
const SCHEMA = `
  create table col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
    ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
    models text not null, decks text not null, dconf text not null, tags text not null);
  create table notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
    usn integer not null, tags text not null, flds text not null, sfld text not null, csum integer not null,
    flags integer not null, data text not null);
  create table cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
    mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null,
    ivl integer not null, factor integer not null, reps integer not null, lapses integer not null,
    left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
  create table revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null,
    ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null,
    type integer not null);
  create table graves (usn integer not null, oid integer not null, type integer not null);
  create index ix_notes_csum on notes (csum);
  create index ix_cards_nid on cards (nid);
  create index ix_cards_sched on cards (did, queue, due);`

const STYLE = `.card { font-family: system-ui, sans-serif; font-size: 20px; line-height: 1.5; text-align: left;
  max-width: 40rem; margin: 0 auto; padding: 0 1rem; color: #1c1e21; background: #fff; }
.card.nightMode { color: #e4e6eb; background: #1f2124; }
ol { list-style: lower-alpha; padding-left: 1.6em; }
pre { overflow-x: auto; padding: 0.6em 0.8em; border-radius: 6px; background: rgba(127, 127, 127, 0.15); }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
hr#answer { border: 0; border-top: 1px solid rgba(127, 127, 127, 0.5); margin: 1em 0; }
.answer { font-weight: 600; }
.solution { margin-top: 0.8em; }`

const FRONT = '{{Question}}{{Options}}'
const BACK = `{{FrontSide}}
<hr id="answer">
<div class="answer">{{Answer}}</div>
{{#Solution}}<div class="solution">{{Solution}}</div>{{/Solution}}`

/**
 * The notes as a deck that Anki imports, an `.apkg`: new cards in decks by topic, nothing of their schedule.
 * @param at UTC ms: what is imported again counts as changed then
 */
export async function ankiPackage(notes: readonly AnkiNote[], at: number): Promise<Uint8Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'meno-anki-'))
  try {
    const file = path.join(folder, 'collection.anki2')
    writeCollection(file, notes, at)
    return zipSync({ 'collection.anki2': await readFile(file), media: strToU8('{}') })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function writeCollection(file: string, notes: readonly AnkiNote[], at: number): void {
  const database = new DatabaseSync(file)
  try {
    database.exec('begin')
    database.exec(SCHEMA)
    const seconds = Math.floor(at / 1000)
    const decks = [...new Set(notes.map(({ deck }) => deck))]
    database
      .prepare("insert into col values (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')")
      .run(
        ...[seconds, at, at, JSON.stringify(CONFIGURATION), JSON.stringify(noteTypes(seconds))],
        ...[JSON.stringify(deckTable([ROOT_DECK, ...decks], seconds)), JSON.stringify(PRESETS)],
      )
    const insertNote = database.prepare(
      "insert into notes values (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
    )
    const insertCard = database.prepare(
      "insert into cards values (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')",
    )
    for (const [index, { guid, deck, fields, tags }] of notes.entries()) {
      const id = stableId(guid)
      const [first = ''] = fields
      const sort = first.replace(/<[^>]*>/g, '')
      insertNote.run(
        ...[id, guid, NOTE_TYPE_ID, seconds, ` ${tags.join(' ')} `],
        ...[fields.join('\u001f'), sort, checksum(sort)],
      )
      insertCard.run(id + 1, id, deckId(deck), seconds, index + 1)
    }
    database.exec('commit')
  } finally {
    database.close()
  }
}

/** An even number that the text alone decides, in the range of Anki's ids. */
function stableId(text: string): number {
  const digest = createHash('sha256').update(text).digest()
  return 1_000_000_000_000 + (digest.readUIntBE(0, 5) % 500_000_000_000) * 2
}

const deckId = (name: string): number => stableId(`deck ${name}`)

/** Anki finds duplicates by the first eight digits of a SHA-1. */
const checksum = (text: string): number =>
  Number.parseInt(createHash('sha1').update(text).digest('hex').slice(0, 8), 16)

function noteTypes(mod: number) {
  const field = (name: string, ord: number) => ({
    ...{ name, ord, sticky: false, rtl: false, font: 'Arial', size: 20, media: [] },
  })
  const template = { name: 'Card 1', ord: 0, qfmt: FRONT, afmt: BACK }
  return {
    [NOTE_TYPE_ID]: {
      ...{ id: NOTE_TYPE_ID, name: 'Meno question', type: 0, mod, usn: -1, sortf: 0 },
      ...{ did: DEFAULT_DECK_ID, css: STYLE, latexPre: '', latexPost: '', tags: [], vers: [] },
      flds: FIELDS.map(field),
      tmpls: [{ ...template, bqfmt: '', bafmt: '', did: null, bfont: '', bsize: 0 }],
      req: [[0, 'any', [0, 1]]],
    },
  }
}

function deckTable(names: readonly string[], mod: number) {
  const deck = (id: number, name: string) => ({
    ...{ id, name, mod, usn: -1, desc: '', dyn: 0, conf: PRESET_ID, collapsed: false },
    ...{ browserCollapsed: false, extendNew: 10, extendRev: 50 },
    ...{ newToday: [0, 0], revToday: [0, 0], lrnToday: [0, 0], timeToday: [0, 0] },
  })
  const rows = [
    deck(DEFAULT_DECK_ID, 'Default'),
    ...names.map((name) => deck(deckId(name), name)),
  ].map((each) => [each.id, each])
  return Object.fromEntries(rows)
}

const CONFIGURATION = {
  ...{ activeDecks: [1], curDeck: 1, newSpread: 0, collapseTime: 1200, timeLim: 0 },
  ...{ estTimes: true, dueCounts: true, curModel: NOTE_TYPE_ID, nextPos: 1 },
  ...{ sortType: 'noteFld', sortBackwards: false, addToCur: true },
}

const PRESETS = {
  [PRESET_ID]: {
    ...{ id: PRESET_ID, name: 'Default', mod: 0, usn: 0, maxTaken: 60, timer: 0, autoplay: true },
    ...{ replayq: true, dyn: false },
    new: {
      ...{
        bury: false,
        delays: [1, 10],
        initialFactor: 2500,
        ints: [1, 4, 0],
        order: 1,
        perDay: 20,
      },
    },
    rev: { bury: false, ease4: 1.3, fuzz: 0.05, ivlFct: 1, maxIvl: 36500, perDay: 200 },
    lapse: { delays: [10], leechAction: 0, leechFails: 8, minInt: 1, mult: 0 },
  },
}
