import { describe, expect, it } from 'vitest'
import { withoutHedges } from '../../../src/domain/talk/hedges.ts'

describe('an answer freed of what says nothing', () => {
  it.each([
    ["I think it's three?", 'three'],
    ['its 23 i guess', '23'],
    ['Hmm… minus fifteen', 'minus fifteen'],
    ['pretty sure it is 23 :)', '23'],
    ['Ich glaube, das ist 5', '5'],
    ['je pense que 2,5', '2,5'],
    ['12 😅🙏🏽', '12'],
    ['x = 4, right??', 'x = 4'],
    ['not sure, but (y - c)/x', '(y - c)/x'],
    ['-7!', '-7'],
    ['so 7', '7'],
    ['ok, abef', 'abef'],
    ['idk maybe 4', '4'],
    ['idk -4', '-4'],
    ['not sure, but -4', '-4'],
    ['I am guessing append', 'append'],
    ['it prints 8 - 3', '8 - 3'],
    ['8 - 3 is printed', '8 - 3'],
    ['23 oder?', '23'],
    ['b right?', 'b'],
    ['ich habe 4 raus', '4'],
    ['das müsste 4 sein', '4'],
    ['es gibt 8 - 3 aus', '8 - 3'],
    ['keine Ahnung, vielleicht 4', '4'],
    ['4 würde ich sagen', '4'],
    ['für y kommt 4 raus', 'y = 4'],
    ['maybe??', ''],
    ['um...', ''],
    ['', ''],
  ])('%j is %j', (text, answer) => {
    expect(withoutHedges(text)).toBe(answer)
  })

  it.each([
    'short right',
    '23 right',
    'not sure about this one',
    'print 8-3',
    'keine 4',
    'it does not print 4',
    'so cold',
    'well done',
    '3 or',
    'not 4',
    'then',
    'so',
    '4 or 5',
    'I do not think 4',
    'x = 3 or x = 4',
    'e^x',
    '2.5',
    'a',
  ])('%j is left as it is', (text) => {
    expect(withoutHedges(text)).toBe(text)
  })
})
