import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { ankiPackage } from '../../src/api/learner/anki-package.ts'
import { type AnkiQuestion, ankiNotes } from '../../src/domain/anki/notes.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'meno-anki-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const AT = Date.UTC(2026, 10, 22)
const question = (text: string, more: Partial<AnkiQuestion> = {}): AnkiQuestion => ({
  text,
  options: null,
  answer: '$4$',
  solution: null,
  topic: 'Algebra',
  courseId: 'algebra-basics',
  unitId: 'ALG-01',
  concept: 'Sums',
  ...more,
})
const QUESTIONS = [
  question('What is $2 + 2$?'),
  question('Which is right?', { options: ['$4$', '$5$'], solution: 'It is `4`.' }),
  question('What does it print?\n\n```python\nprint(2 < 3)\n```', {
    topic: 'Python',
    answer: 'True',
  }),
]

function open(apkg: Uint8Array): DatabaseSync {
  const files = unzipSync(apkg)
  expect(strFromU8(files.media ?? new Uint8Array())).toBe('{}')
  const file = path.join(folder, 'collection.anki2')
  writeFileSync(file, files['collection.anki2'] ?? '')
  return new DatabaseSync(file, { readOnly: true })
}

describe('an Anki package', () => {
  test('is a collection of schema 11: a note and a new card for each question', async () => {
    const database = open(await ankiPackage(ankiNotes(QUESTIONS), AT))
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    const col = database.prepare('select ver, models, decks from col').get() as {
      ver: number
      models: string
      decks: string
    }
    expect(col.ver).toBe(11)
    const decks = new Map(
      Object.values(JSON.parse(col.decks) as Record<string, { id: number; name: string }>).map(
        ({ id, name }) => [id, name],
      ),
    )
    expect([...decks.values()]).toEqual(['Default', 'Meno', 'Meno::Algebra', 'Meno::Python'])
    const [[mid = '', model]] = Object.entries(
      JSON.parse(col.models) as Record<string, { flds: { name: string }[]; css: string }>,
    ) as [[string, { flds: { name: string }[]; css: string }]]
    const rows = database
      .prepare(
        'select did, type, queue, mid, flds from cards join notes on notes.id = nid order by due',
      )
      .all() as { did: number; type: number; queue: number; mid: number; flds: string }[]
    expect(rows.map(({ did }) => decks.get(did))).toEqual([
      'Meno::Algebra',
      'Meno::Algebra',
      'Meno::Python',
    ])
    for (const row of rows) {
      expect(row).toMatchObject({ type: 0, queue: 0, mid: Number(mid) })
      expect(row.flds.split('\u001f')).toHaveLength(model.flds.length)
    }
    expect(rows[1]?.flds).toContain('<li>\\(5\\)</li>')
    database.close()
  })

  test('names things the same way each time', async () => {
    const ids = async (at: number) => {
      const database = open(await ankiPackage(ankiNotes(QUESTIONS), at))
      const found = database.prepare('select id, guid, mid from notes order by id').all()
      const cards = database.prepare('select id, did from cards order by id').all()
      database.close()
      return { found, cards }
    }
    expect(await ids(AT)).toEqual(await ids(AT + 1_000_000))
  })

  test('without a question is an empty deck', async () => {
    const database = open(await ankiPackage([], AT))
    expect(database.prepare('select count(*) as count from notes').get()).toEqual({ count: 0 })
    database.close()
  })
})

/** Imports packages one after the other into a new collection; what Anki itself says of it. */
const IMPORT = `
import json, sys
from anki.collection import Collection, ImportAnkiPackageRequest, ImportAnkiPackageOptions
from anki.import_export_pb2 import ImportAnkiPackageUpdateCondition as Update
col = Collection(sys.argv[1])
told = []
for path in sys.argv[2:]:
    options = ImportAnkiPackageOptions(update_notes=Update.IMPORT_ANKI_PACKAGE_UPDATE_CONDITION_IF_NEWER,
        update_notetypes=Update.IMPORT_ANKI_PACKAGE_UPDATE_CONDITION_IF_NEWER)
    log = col.import_anki_package(ImportAnkiPackageRequest(package_path=path, options=options)).log
    told.append({"new": len(log.new), "updated": len(log.updated), "duplicate": len(log.duplicate),
        "conflicting": len(log.conflicting), "first_field_match": len(log.first_field_match)})
cards = []
for cid in col.find_cards(""):
    card = col.get_card(cid)
    cards.append({"deck": col.decks.name(card.did), "question": card.question(), "answer": card.answer(),
        "tags": card.note().tags})
problems, ok = col.fix_integrity()
print(json.dumps({"told": told, "cards": cards, "ok": ok, "problems": problems}))
col.close()
`

const python = process.env.MENO_ANKI_PYTHON ?? 'python3'
const hasAnki = (() => {
  try {
    execFileSync(python, ['-c', 'import anki.collection'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

// The library of Anki itself (PyPI: anki) is no part of this repository; MENO_ANKI_PYTHON names a Python that has it.
describe('Anki itself', () => {
  test('imports it, the second time as the same notes', async ({ skip }) => {
    skip(!hasAnki, `${python} has no library of Anki: see MENO_ANKI_PYTHON`)
    const write = async (name: string, questions: AnkiQuestion[], at: number) => {
      const file = path.join(folder, name)
      writeFileSync(file, await ankiPackage(ankiNotes(questions), at))
      return file
    }
    const [first, ...more] = QUESTIONS as [AnkiQuestion, ...AnkiQuestion[]]
    const changed = [{ ...first, solution: 'Two and two.' }, ...more]
    const files = [
      await write('first.apkg', QUESTIONS, AT),
      await write('again.apkg', QUESTIONS, AT),
      await write('later.apkg', [...changed, question('One more?')], AT + 60_000),
    ]
    const collection = path.join(folder, 'person.anki2')
    const output = execFileSync(python, ['-c', IMPORT, collection, ...files], { encoding: 'utf8' })
    const { told, cards, ok } = JSON.parse(output)
    const none = { new: 0, updated: 0, duplicate: 0, conflicting: 0, first_field_match: 0 }
    expect(told).toEqual([
      { ...none, new: 3 },
      { ...none, duplicate: 3 },
      { ...none, new: 1, updated: 3 },
    ])
    expect(ok).toBe(true)
    expect(cards).toHaveLength(4)
    const choice = cards.find(({ question: text }: { question: string }) => /right\?/.test(text))
    expect(choice.deck).toBe('Meno::Algebra')
    expect(choice.question).toContain('<li>\\(5\\)</li>')
    expect(choice.answer).toContain('<code>4</code>')
    expect(choice.tags).toContain('unit::algebra-basics::alg-01')
    const sum = cards.find(({ question: text }: { question: string }) => /2 \+ 2/.test(text))
    expect(sum.answer).toContain('Two and two.')
  }, 60_000)
})
