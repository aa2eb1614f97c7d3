import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseMath } from '../../web/markdown/normalise-math.ts'
import { splitBlocks } from '../../web/markdown/split-blocks.ts'

describe('normaliseMath', () => {
  it.each([
    ['leaves plain text alone', 'Two and two.', 'Two and two.'],
    ['leaves $ formulas alone', 'So $x = 3$ and $y$.', 'So $x = 3$ and $y$.'],
    ['turns \\( \\) into $', 'So \\( x = 3 \\).', 'So $x = 3$.'],
    ['turns \\[ \\] into a block', 'So\n\\[ x = 3 \\]\nfits.', 'So\n$$\nx = 3\n$$\nfits.'],
    ['breaks a line around \\[ \\]', 'So \\[x=3\\] fits.', 'So \n$$\nx=3\n$$\nfits.'],
    ['keeps a block of several lines', '\\[\na\nb\n\\]', '$$\na\nb\n$$'],
    ['opens a lone one-line $$', 'So\n\n$$x = 3$$\n\nfits.', 'So\n\n$$\nx = 3\n$$\n\nfits.'],
    ['keeps the indent of a list item', '- a\n  $$x$$\n- b', '- a\n  $$\n  x\n  $$\n- b'],
    ['leaves $$ within a line', 'So $$x$$ fits.', 'So $$x$$ fits.'],
    ['escapes prices', 'It costs $5 and $10.', 'It costs \\$5 and \\$10.'],
    ['knows a price from a formula', 'Pay $5 for $x$ apples.', 'Pay \\$5 for $x$ apples.'],
    ['leaves escaped dollars', 'It costs \\$5 and \\$10.', 'It costs \\$5 and \\$10.'],
    ['leaves line breaks in a matrix', '$$\na \\\\[2pt] b\n$$', '$$\na \\\\[2pt] b\n$$'],
    ['leaves an open \\( alone', 'So \\(x = 3', 'So \\(x = 3'],
    ['leaves code spans', 'Write `\\(x\\)` or `$5`.', 'Write `\\(x\\)` or `$5`.'],
    ['leaves fences', '```\n\\[x\\] costs $5\n```\n\\(y\\)', '```\n\\[x\\] costs $5\n```\n$y$'],
    ['leaves a fence that is never closed', '~~~\n\\(x\\)', '~~~\n\\(x\\)'],
  ])('%s', (_, markdown, expected) => {
    expect(normaliseMath(markdown)).toBe(expected)
  })

  const piece = fc.constantFrom(
    ...['$', '$$', '\\(', '\\)', '\\[', '\\]', '\\\\', '\\', '`', '``', '```', '~~~', '\n', '\n\n'],
    ...[' ', '  ', 'x', '5', 'a^2', '- ', '> ', '|', 'text', '\\frac{1}{2}', '\\$'],
  )
  const markdown = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''))

  it('does nothing more the second time', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const once = normaliseMath(text)
        expect(normaliseMath(once)).toBe(once)
      }),
      { seed: 42, numRuns: 20_000 },
    )
  })

  it('never changes a code span', () => {
    const code = fc
      .array(fc.constantFrom('$', '\\(', '\\)', '\\[', '\\]', '$$', 'x', ' '), { minLength: 1 })
      .map((pieces) => `\`a${pieces.join('')}b\``)
    const plain = fc.constantFrom('So ', 'it is ', '\\(x\\) and ', '$x$ or ', '\\[x\\] and ')
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, code), { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.flat().join('')
        const kept = normaliseMath(text).match(/`[^`]*`/g)
        expect(kept).toEqual(parts.map(([, span]) => span))
      }),
      { seed: 42, numRuns: 2_000 },
    )
  })
})

describe('splitBlocks', () => {
  it('splits at blank lines', () => {
    expect(splitBlocks('a\nb\n\nc\n\n\nd')).toEqual(['a\nb', 'c', 'd'])
  })

  it('keeps fences, formulas and lists in one piece', () => {
    const fence = '```\na\n\nb\n```'
    const formula = '$$\nx\n\ny\n$$'
    const list = '1. a\n\n   more\n\n2. b'
    expect(splitBlocks([fence, formula, list, 'end'].join('\n\n'))).toEqual([
      fence,
      `${formula}\n\n${list}`,
      'end',
    ])
  })

  it('loses nothing but blank lines', () => {
    const line = fc.constantFrom('', 'a', '- b', '  c', '```', '$$', '$$x$$', '> d')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const kept = splitBlocks(lines.join('\n')).join('\n').split('\n')
        const words = (all: string[]) => all.filter((each) => each.trim() !== '')
        expect(words(kept)).toEqual(words(lines))
      }),
      { seed: 42, numRuns: 5_000 },
    )
  })
})
