import { expect, it } from 'vitest'
import { wantedSteps } from '../../src/domain/arc/view.ts'
import type { StepFault } from '../../src/domain/spine/decision.ts'
import { blockedWords } from '../../web/arc/blocked-words.ts'
import { SimulatedArc } from '../support/simulated-arc.ts'
import { smallCourse } from '../support/small-course.ts'

/** The reason that an arc gives when its step after so many others, the first of which is its plan, meets a fault. */
function reasonAfter(fault: StepFault | 'slow', reason: string, others = 0): string {
  const rules = { skipDiagnosis: true }
  const arc = new SimulatedArc(smallCourse(), { tutor: 'anthropic', rules })
  arc.turn()
  for (let n = 0; n < others; n += 1) {
    const done = wantedSteps(arc.arc)[0]?.key ?? ''
    arc.decide({ type: 'answer', key: done, output: arc.offline(done) })
  }
  const key = wantedSteps(arc.arc)[0]?.key ?? ''
  if (fault === 'slow') arc.decide({ type: 'slow', key })
  else arc.decide({ type: 'no-answer', key, fault, reason, retryAfterMs: null })
  return arc.state.blocked?.reason ?? ''
}

it('says in words of the page what an arc calls its own outages', () => {
  expect(blockedWords(reasonAfter('slow', ''))).toBe('blocked.silent')
  expect(blockedWords(reasonAfter('malformed', 'no JSON'))).toBe('blocked.plan')
  expect(blockedWords(reasonAfter('malformed', 'no JSON', 1))).toBe('blocked.unreadable')
  // What `src/store/arc/telling.ts` writes of a fault of Meno's own.
  expect(blockedWords('internal')).toBe('blocked.internal')
})

it('leaves what a model’s service says as it is: whoever has the key can act on it', () => {
  expect(blockedWords(reasonAfter('refused', '401 invalid x-api-key'))).toBeNull()
  expect(blockedWords(reasonAfter('unavailable', '529 overloaded'))).toBeNull()
})
