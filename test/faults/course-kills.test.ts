import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFailed, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { type MenoProcess, startMenoProcess, type Victim } from '../support/meno-process.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { type Answered, audit, learnIn, move, openThread, sendAllAgain } from './course-student.ts'

const VICTIMS = ['worker', 'api', 'temporal', 'postgres'] as const satisfies Victim[]
const ROUNDS = 10
/** How often it is all done, each time with other moments and answers. */
const TIMES = Number(process.env.MENO_CAMPAIGN_ROUNDS || 1)
/** The least a thread asks for in a round: to talk, for a drill, for its grade, and to go on. */
const CALLS = 2 * ROUNDS * 3

/** The next victim falls though the calls stand still, so that one outage meets the other. */
const LONGEST_PAUSE_MS = 3_000

/** Each victim once, in an order and at moments of the seed. */
async function killOnceEach(meno: MenoProcess, random: () => number, answered: Answered) {
  const done = () => answered.turns.length + answered.grades.length + answered.exams.length
  const victims = VICTIMS.map((victim) => ({ victim, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ victim }) => victim)
  for (const [index, victim] of victims.entries()) {
    const moment = Math.floor(((index + 0.5 + random() * 0.4) / VICTIMS.length) * CALLS)
    const latest = Date.now() + LONGEST_PAUSE_MS
    while (done() < moment && (index === 0 || Date.now() < latest)) await sleep(2)
    await sleep(random() * 40)
    await meno.kill(victim)
  }
}

const SEEDS = Array.from({ length: TIMES }, (_, time) => 21 + time)

test.for(SEEDS)(
  'each process killed once while a student learns in two threads (seed %i): all evidence counts once',
  { timeout: 180_000 },
  async (seed, { task }) => {
    const model = await startScriptedModel()
    model.answer('*', ({ prompt, earlier }) =>
      prompt.includes('<policy>')
        ? move(prompt, earlier)
        : { is_correct: false, feedback_text: 'Count on from there.', common_mistake_tag: null },
    )
    onTestFinished(() => model.close())
    const meno = await startMenoProcess({
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'scripted',
    })
    onTestFinished(() => meno.remove())
    onTestFailed(() => console.log(meno.log()))

    const answered: Answered = { turns: [], grades: [], exams: [] }
    const threads = await Promise.all([0, 1].map(() => openThread(meno)))
    await Promise.all([
      killOnceEach(meno, seededRandom(seed), answered),
      ...threads.map((thread, index) =>
        learnIn(meno, thread, ROUNDS, seededRandom(seed * 2 + index), answered),
      ),
    ])

    expect(answered.grades.length).toBeGreaterThan(ROUNDS)
    expect(answered.exams.length).toBeGreaterThan(0)
    for (const { status, body } of answered.grades) expect(status, JSON.stringify(body)).toBe(200)
    await audit(meno, threads, answered)
    await sendAllAgain(meno, answered)
    await audit(meno, threads, answered)
    task.meta.counted = { kills: VICTIMS.length, threads: 2 }
  },
)
