import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldReader } from '../../../src/tutor/anthropic/field-reader.ts'

function readInPieces(json: string, cuts: readonly number[]): string[] {
  const read = fieldReader('explanation')
  const ends = [...new Set(cuts.map((cut) => cut % (json.length + 1)))].sort((a, b) => a - b)
  const pieces = [0, ...ends].map((from, i) => json.slice(from, ends[i] ?? json.length))
  return pieces.map(read)
}

describe('a field read from JSON as it streams in', () => {
  it('is the field’s text, wherever the JSON is cut', () => {
    const text = fc.string({
      unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '🎯', 'é')),
    })
    const object = fc.record({
      before: fc.jsonValue(),
      explanation: text,
      after: fc.record({ explanation: text }),
    })
    const spacing = fc.constantFrom(undefined, 2)
    fc.assert(
      fc.property(object, spacing, fc.array(fc.nat(), { maxLength: 12 }), (value, space, cuts) => {
        const pieces = readInPieces(JSON.stringify(value, null, space), cuts)
        expect(pieces.join('')).toBe(value.explanation)
      }),
      { seed: 42, numRuns: 200 },
    )
  })

  it('never ends a piece between the two halves of a character', () => {
    const json = '{"explanation":"a\\ud83c\\udfafb🎯c"}'
    const pieces = readInPieces(
      json,
      [...json].map((_, i) => i),
    )
    expect(pieces.join('')).toBe('a🎯b🎯c')
    expect(pieces.some((piece) => /[\uD800-\uDBFF]$/.test(piece))).toBe(false)
  })

  it('does not take a value for a key, nor a field of an inner object for its own', () => {
    const json =
      '{"kind":"explanation","x":{"explanation":"inner"},"l":["explanation","z"],"explanation":"own"}'
    expect(readInPieces(json, [5, 9, 30]).join('')).toBe('own')
  })

  it('reads nothing from text that is no JSON', () => {
    expect(readInPieces('Here you are: explanation: "so"', [4]).join('')).toBe('')
    expect(readInPieces('["explanation", "so"]', [4]).join('')).toBe('')
  })
})
