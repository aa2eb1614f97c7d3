import type { TurnOutcome } from '../brief.ts'
import { courseTags } from '../course.ts'
import type { FallbackMaterial } from '../policy/fallback-action.ts'
import { fallbackAction } from '../policy/fallback-action.ts'
import { forbiddenClaims } from '../policy/forbidden-claims.ts'
import { validateAgainstPolicy } from '../policy/policy-validation.ts'
import type { TutorMove } from '../policy/tutor-response.ts'
import type { LoadedCourse, PreparedTurn, Violation } from '../state.ts'
import { keepKnownUnits, type TurnAnalysis } from '../units/mapped-units.ts'
import { courseWords } from '../words.ts'
import type { AskedQuestion } from './asked-question.ts'

/** The move that is shown, and what was wrong with the one that is not. */
export interface Verdict {
  move: TutorMove
  analysis: TurnAnalysis | null
  fallback: boolean
  violations: Violation[]
  drillSource: string | null
  asks: AskedQuestion | null
}

/** The mind's move where it can be read and holds before the policy, else the fallback. Seed 004 PF-3.7. */
export function judgeMove(
  { course, state }: LoadedCourse,
  { brief, examCandidates, examAvailability, fallback }: PreparedTurn,
  outcome: TurnOutcome,
): Verdict {
  const { policy } = brief
  const instead = (violations: Violation[]): Verdict => {
    const words = courseWords(brief.spoken ?? 'en')
    const move = fallbackAction({ policy, material: fallback, words, turnNumber: state.done })
    const asks = askedBy(move, fallback)
    return { move, analysis: null, fallback: true, violations, drillSource: null, asks }
  }
  if (!outcome.ok) return instead([{ rule: outcome.kind, detail: outcome.detail }])
  const { reading, drillSource, asks } = outcome.said
  if (!reading.ok) return instead(reading.problems.map(malformed))
  const { analysis, ...move } = reading.value
  const sayable = { courseTags: courseTags(course), examIds: examAvailability.candidateIds }
  const violations = [
    ...validateAgainstPolicy(move, { policy, examCandidates, examAvailability }),
    ...tooLongDrill(move, policy.constraints.maxConceptWords),
    ...forbiddenClaims(move, sayable).map(malformed),
  ]
  if (violations.length > 0) return instead(violations)
  const known = keepKnownUnits(analysis, course)
  return { move, analysis: known, fallback: false, violations: [], drillSource, asks }
}

/** What a question of the course's own asks. */
function askedBy({ tutorText }: TutorMove, { socraticQuestions, asks = [] }: FallbackMaterial) {
  const place = socraticQuestions.findIndex((question) => tutorText.endsWith(question))
  return asks[place] ?? null
}

const malformed = (detail: string): Violation => ({ rule: 'malformed', detail })

function tooLongDrill({ action, drillCard }: TutorMove, maxWords: number): Violation[] {
  if (action !== 'DRILL_CARD' || !drillCard) return []
  const words = `${drillCard.prompt} ${drillCard.questionLatex}`.match(/\S+/g)?.length ?? 0
  return words > maxWords
    ? [{ rule: 'too_many_words', detail: `${words} words in the drill card` }]
    : []
}
