import { workflowId } from '../../../src/contracts/temporal.ts'
import { TutorFailure } from '../../../src/tutor/mind.ts'
import { allRuns } from '../../support/histories.ts'
import type { Servers } from '../../support/house.ts'
import { createPracticeWorld, type PracticeWorld, studentOf } from '../../support/practice-world.ts'
import { type ScriptedMind, scriptedMind } from '../../support/scripted-mind.ts'
import type { Captured } from '../capture.ts'

/** What a student says here, so that the histories can be searched for it. */
const STUDENT_SAYS = 'my xylophone says it is around seventy'

/** Each takes a session to a state and leaves it there; the history is what it looks like from that state. */
const SCENARIOS: Record<string, (worlds: Worlds) => Promise<Left>> = {
  async 'waiting-for-the-first-message'({ offline }) {
    const { sessionId } = await offline.student()
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { world: offline, sessionId }
  },

  async 'judged-by-code'({ offline }) {
    const student = await offline.student(['p1', 'p2'])
    for (const message of ['9', 'stuck', '2', 'skip', '-4']) await student.say(message)
    await offline.post(`/sessions/${student.sessionId}/complete`, '')
    return { world: offline, sessionId: student.sessionId }
  },

  async 'scaffolded-by-a-model'({ modelled }) {
    const student = await modelled.student(['p1', 'p2'])
    for (const message of ['stuck', '11', '70', STUDENT_SAYS]) await student.say(message)
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'explanation-wanted'({ modelled }) {
    const student = await modelled.student(['p1', 'p2'])
    for (const message of ['9', '2', 'what does that mean?']) await student.say(message)
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'unjudged-then-judged-late'({ modelled, mind }) {
    const open = Promise.withResolvers<void>()
    mind.extraction = async () => {
      await open.promise
      return { is_answer: true, category: 'answer', extracted_value: 'seventy' }
    }
    const student = await modelled.student(['p1', 'p2'])
    await student.say(STUDENT_SAYS)
    open.resolve()
    await new Promise((resolve) => setTimeout(resolve, 500))
    await student.say('2')
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'model-down'({ modelled, mind }) {
    const down = () => {
      throw new TutorFailure('refused', 'no credit')
    }
    Object.assign(mind, { extraction: down, words: down })
    const student = await modelled.student(['p1', 'p2'])
    for (const message of [STUDENT_SAYS, '9']) await student.say(message)
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'implicit-with-an-appended-problem'({ offline }) {
    const student = studentOf(offline, 'implicit', 'someone')
    for (const id of ['first', 'second']) {
      await offline.post('/webhook/tutor/message', {
        session_id: student.sessionId,
        student_id: student.studentId,
        message: '2',
        current_problem: { id, text: 'How much is 1 + 1?', correct_answer: '2' },
      })
    }
    return { world: offline, sessionId: student.sessionId }
  },

  async 'verdict-still-wanted'({ modelled, mind }) {
    mind.extraction = () => new Promise<never>(() => {})
    const student = await modelled.student(['p1', 'p2'])
    await student.say(STUDENT_SAYS)
    return { world: modelled, sessionId: student.sessionId }
  },

  async 'report-not-delivered-yet'({ offline }) {
    const student = await offline.student(['p1'])
    await student.say('2')
    return { world: offline, sessionId: student.sessionId }
  },
}

interface Worlds {
  offline: PracticeWorld
  modelled: PracticeWorld
  mind: ScriptedMind
}

interface Left {
  world: PracticeWorld
  sessionId: string
}

/** The practice session's histories; steps that run in them are left running. */
export async function* practiceHistories(
  servers: Servers,
  isWanted: (scenario: string) => boolean,
): Captured {
  const mind = scriptedMind()
  // Nobody listens there: reports wait.
  const lms = { url: 'http://127.0.0.1:9/reports', secret: null }
  const worlds = {
    mind,
    offline: await createPracticeWorld({ servers, lms }),
    modelled: await createPracticeWorld({ servers, mind }),
  }
  for (const [scenario, reach] of Object.entries(SCENARIOS)) {
    if (!isWanted(scenario)) continue
    mind.reset()
    const { world, sessionId } = await reach(worlds)
    const { session_id } = await world.own.db
      .selectFrom('tutoring_sessions')
      .select('session_id')
      .where('external_session_id', '=', sessionId)
      .executeTakeFirstOrThrow()
    yield [scenario, await allRuns(world.env.client.workflow, workflowId.practice(session_id))]
  }
}
