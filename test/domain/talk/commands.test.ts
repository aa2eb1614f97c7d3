import { describe, expect, it } from 'vitest'
import { looksLikeQuestion, readCommand } from '../../../src/domain/talk/commands.ts'
import { LEAVES, NO_LEAVES } from '../../support/ordinary-words.ts'

describe('typed commands', () => {
  it.each([
    ['skip', 'skip'],
    ['Skip this.', 'skip'],
    ['  NEXT  ', 'skip'],
    ['/skip', 'skip'],
    ['show me', 'show'],
    ['Show me the answer!', 'show'],
    ['I give up', 'show'],
    ["I don't know", 'dont_know'],
    ['I don’t know…', 'dont_know'],
    ['dont know', 'dont_know'],
    ['idk', 'dont_know'],
    ['No idea', 'dont_know'],
    ['not sure', 'dont_know'],
    ['contest', 'contest'],
    ['practice', 'practice'],
    ["let's practise", 'practice'],
    ['pause', 'pause'],
    ['resume', 'resume'],
    ['continue', 'resume'],
    ['plan', 'plan'],
    ["what's next?", 'plan'],
    ['hint', 'hint'],
    ['hint?', 'hint'],
    ['Give me a hint, please', 'hint'],
    ['please give me a hint', 'hint'],
    ["I'm stuck", 'stuck'],
    ['im stuck!!', 'stuck'],
    ['help me start', 'stuck'],
    ['help', 'help'],
  ])('%j is %s', (text, command) => {
    expect(readCommand(text)).toBe(command)
  })

  it.each([
    ...[
      '',
      ' ',
      '4',
      'b',
      'x = 2',
      'I will skip the first step',
      'you can skip 3',
      'show that x = 2',
    ],
    ...[
      'the next number is 5',
      'help the poor',
      'I am not sure but 4',
      'a plan of attack',
      'skips',
    ],
    ...['hint of blue', 'toString', 'constructor', '__proto__', 'skip skip', 'pause, then 4'],
  ])('%j is none', (text) => {
    expect(readCommand(text)).toBeNull()
  })
})

describe('German commands', () => {
  it.each([
    ['ich möchte nicht mehr weitermachen', 'pause'],
    ['aber ich will heute nicht mehr', 'pause'],
    ['thanks, bye', 'pause'],
    ['Thank you, see you tomorrow!', 'pause'],
    ['danke, tschüss', 'pause'],
    ['how am i doing?', 'plan'],
    ['wie weit bin ich?', 'plan'],
    ["that's wrong, i was right before", 'contest'],
    ['das war doch richtig', 'contest'],
    ['meine Antwort stimmt doch!', 'contest'],
  ])('%j is %s', (text, command) => expect(readCommand(text)).toBe(command))
})

describe('a leave', () => {
  it.each(LEAVES)('“%s” pauses', (said) => expect(readCommand(said)).toBe('pause'))
  it.each(NO_LEAVES)('“%s” does not', (said) => expect(readCommand(said)).not.toBe('pause'))
})

describe('a slip of the finger', () => {
  it.each([
    ['dont knwo', 'dont_know'],
    ['show me teh answer', 'show'],
    ['give me a hnit', 'hint'],
  ])('is passed over in “%s”', (said, command) => expect(readCommand(said)).toBe(command))

  it.each(['past', 'skin', 'plant', 'i can do it', 'hind', 'ended'])('is none in “%s”', (said) =>
    expect(readCommand(said) ?? 'none').not.toMatch(/^(skip|stuck|plan|hint|pause)$/),
  )
})

describe('what looks like a question', () => {
  it.each([
    'was ist eine variable',
    'wie löst man eine Gleichung',
    ...['why?', '4?', 'is it 4？', 'why is that so', 'what does this mean', 'How do I expand this'],
    ...["what's a prime number", 'can you explain that', 'is it negative then', '(really?)', 'b? '],
  ])('%j does', (text) => {
    expect(looksLikeQuestion(text)).toBe(true)
  })

  it.each([
    'was 4 before',
    'was gut ist',
    ...[
      '',
      '4',
      'x = 2',
      'why',
      'what now',
      'because it is even',
      'is a function',
      'whatever you say',
    ],
    ...['the question is hard', 'I know why it works', 'isosceles right triangle'],
  ])('%j does not', (text) => {
    expect(looksLikeQuestion(text)).toBe(false)
  })
})
