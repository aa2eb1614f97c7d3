import { describe, expect, it } from 'vitest'
import { type ArcPhase, ForbiddenMove, isTerminal, moveTo } from '../../../src/domain/arc/phase.ts'
import { proves } from '../../spec/scenario.ts'

const PHASES: ArcPhase[] = [
  'PENDING',
  'DIAGNOSING',
  'PLANNING',
  'TEACHING',
  'QUIZZING',
  'REVIEWING',
  'COMPLETED',
  'ABANDONED',
]

const ALLOWED = new Set(
  `PENDING→DIAGNOSING DIAGNOSING→PLANNING PLANNING→TEACHING TEACHING→QUIZZING
   QUIZZING→TEACHING QUIZZING→REVIEWING QUIZZING→COMPLETED REVIEWING→TEACHING REVIEWING→COMPLETED
   TEACHING→REVIEWING TEACHING→COMPLETED
   TEACHING→DIAGNOSING QUIZZING→DIAGNOSING REVIEWING→DIAGNOSING
   PENDING→ABANDONED DIAGNOSING→ABANDONED PLANNING→ABANDONED TEACHING→ABANDONED QUIZZING→ABANDONED
   REVIEWING→ABANDONED`.split(/\s+/),
)

describe(
  'the moves of an arc',
  proves(
    '000 D3 Teaching flow state machine: The flow takes the moves of the state diagram',
    '000 D3 Teaching flow state machine: A flow can be abandoned from every state that is not terminal, and from those nothing leads on',
    '000 D3 Teaching flow state machine: Any other move is an error that names it',
  ),
  () => {
    for (const from of PHASES) {
      for (const to of PHASES) {
        if (from === to) continue
        const allowed = ALLOWED.has(`${from}→${to}`)
        it(`${from}→${to} is ${allowed ? 'allowed' : 'an error that names it'}`, () => {
          if (allowed) expect(moveTo(from, to)).toBe(to)
          else {
            expect(() => moveTo(from, to)).toThrow(ForbiddenMove)
            expect(() => moveTo(from, to)).toThrow(`from ${from} to ${to}`)
          }
        })
      }
    }

    it('ends in two phases', () => {
      expect(PHASES.filter(isTerminal)).toEqual(['COMPLETED', 'ABANDONED'])
    })
  },
)
