import { contextOf, type MindAsking } from '../../src/activities/arc/steps.ts'
import type { Course } from '../../src/contracts/course-pack.ts'
import type { ProgramVerdict } from '../../src/domain/answers/program.ts'
import { closingOf, type GradedAnswer } from '../../src/domain/arc/closing.ts'
import { admits, decide } from '../../src/domain/arc/decide.ts'
import type { Effect } from '../../src/domain/arc/effects.ts'
import type { Question } from '../../src/domain/arc/question.ts'
import {
  type ArcRules,
  type LoadedArc,
  newState,
  phraseLanguage,
} from '../../src/domain/arc/state.ts'
import type { Asking } from '../../src/domain/arc/steps.ts'
import { wakeAt, wantedSteps } from '../../src/domain/arc/view.ts'
import type { Input } from '../../src/domain/spine/decision.ts'
import { phrase } from '../../src/tutor/phrases.ts'
import { ARC_STEPS } from '../../src/tutor/steps.ts'

const RULES: ArcRules = {
  maxNodes: 30,
  maxDepth: 5,
  unlockAt: 'reviewing',
  scheduler: 'sm2',
  learningSteps: [1, 6],
  masteryThreshold: 0.85,
  maxCycles: 5,
  quizQuestions: 3,
  skipDiagnosis: false,
  diagnosisDepth: 'standard',
  maxInterval: 21,
  onMastered: 'complete',
  level: 'unknown',
  language: 'en',
}

type Sent = Extract<Input, { type: 'input' }>['input']

/** What a question was, and how it was answered. */
interface Asked {
  id: string
  nodeId: string | null
  kind: string
  concept: string
  question: Question
  quality: number | null
}

/**
 * An arc in memory: the real rules and the real offline tutor, with lists in the place of tables and a clock that is set.
 * What a step returns may be changed by `mind`; without it the offline tutor answers.
 */
export class SimulatedArc {
  arc: LoadedArc
  now = Date.UTC(2026, 0, 5, 9)
  readonly effects: Effect[] = []
  readonly asked: Asked[] = []
  readonly responses: { nodeId: string; question: string; answer: string; quality: number }[] = []
  /** What was graded on concepts, without the level check. */
  readonly graded: GradedAnswer[] = []
  readonly waiting: Sent[] = []
  readonly answered: string[] = []
  /** Steps in the order in which they were wanted. */
  readonly wanted: string[] = []
  /** What the sandbox says of a program. */
  verdictOn: (program: string) => ProgramVerdict = (program) =>
    program === this.arc.question?.expected
      ? { verdict: 'passed' }
      : { verdict: 'failed', failed: { fault: { kind: 'differs' }, input: '', hidden: true } }
  readonly #course: Course
  readonly #texts = new Map<string, string>()
  #inputs = 0

  constructor(
    course: Course,
    options: { rules?: Partial<ArcRules>; tutor?: LoadedArc['tutor']; goal?: string } = {},
  ) {
    this.#course = course
    const { rules, tutor = 'offline', goal = null } = options
    this.arc = {
      arcId: '00000000-0000-4000-8000-000000000001',
      mindMapId: '00000000-0000-4000-8000-000000000002',
      learnerId: '00000000-0000-4000-8000-000000000003',
      topic: 'Sums',
      goal,
      courseId: tutor === 'offline' ? course.courseId : null,
      goalUnitIds: [],
      tutor,
      rules: { ...RULES, ...rules },
      dayMs: 86_400_000,
      state: newState(this.now),
      map: {
        id: '00000000-0000-4000-8000-000000000002',
        status: 'creation',
        rootNodeId: null,
        nodes: [],
        edges: [],
      },
      histories: {},
      question: null,
      practiceSessionId: null,
      agenda: null,
    }
  }

  get state() {
    return this.arc.state
  }

  /** What the learner has been told, in order. */
  get said(): string[] {
    return this.effects.flatMap((effect) => {
      if (effect.type === 'ask') return [effect.question.text]
      if (effect.type !== 'say') return []
      return [
        effect.say
          .map((part) => ('phrase' in part ? phrase(part, phraseLanguage(this.arc)) : part.text))
          .join('\n\n'),
      ]
    })
  }

  /** The grades that were changed, as they are now. */
  get regraded(): number[] {
    return this.effects.flatMap((effect) => (effect.type === 'regrade' ? [effect.quality] : []))
  }

  /** The names of the phrases that were said. */
  get phrases(): string[] {
    return this.effects.flatMap((effect) =>
      effect.type === 'say'
        ? effect.say.flatMap((part) => ('phrase' in part ? [part.phrase] : []))
        : [],
    )
  }

  /** The concepts whose whole lesson was shown, each time. */
  get lessons(): string[] {
    return this.effects.flatMap((effect) =>
      effect.type === 'say'
        ? effect.say.flatMap((part) =>
            'phrase' in part && part.phrase === 'lesson-title' && part.params.showing === 1
              ? [part.params.label]
              : [],
          )
        : [],
    )
  }

  decide(input: Input): void {
    const { loaded, effects } = decide(this.arc, input, this.now)
    this.arc = structuredClone(loaded)
    for (const effect of effects) this.#note(effect)
  }

  /** Sends an input and lets the arc take it up when it may. */
  send(type: string, payload: Record<string, unknown> = {}): string {
    this.#inputs += 1
    const id = `input-${this.#inputs}`
    if (type === 'message') this.#texts.set(id, String(payload.text ?? ''))
    this.waiting.push({ type, id, payload, position: this.#inputs, receivedAt: this.now })
    this.turn()
    return id
  }

  say(text: string, extra: Record<string, unknown> = {}): string {
    return this.send('message', { text, action: null, questionId: null, channel: 'web', ...extra })
  }

  /** What a workflow would have done now: what may be taken up is, what time has brought too. */
  turn(): void {
    for (let turns = 0; turns < 50; turns += 1) {
      const next = this.waiting.find(({ type }) => admits(this.arc, type))
      const newest = this.waiting.at(-1)?.position ?? null
      if (next) {
        this.waiting.splice(this.waiting.indexOf(next), 1)
        this.decide({ type: 'input', input: next })
      } else this.decide({ type: 'clock', waiting: newest })
      if (this.arc.tutor === 'offline') this.answerSteps()
      if (!this.waiting.some(({ type }) => admits(this.arc, type))) return
    }
  }

  /** Answers the wanted steps as the offline tutor does, until none is wanted. */
  answerSteps(): void {
    for (let steps = 0; steps < 50; steps += 1) {
      const [step] = wantedSteps(this.arc)
      if (!step) return
      this.wanted.push(step.label)
      this.decide({ type: 'answer', key: step.key, output: this.offline(step.key) })
    }
    throw new Error('steps follow each other without end')
  }

  /** What the offline tutor says to a wanted step. */
  offline(key: string): unknown {
    const asking = this.state.asking.find((each) => each.key === key)
    if (!asking) throw new Error(`${key} is not asked for`)
    if (asking.kind === 'practice' || asking.kind === 'outcome') return null
    if (asking.kind === 'closing') {
      return closingOf(this.arc.map.nodes, this.graded, this.#course.units)
    }
    if (asking.kind === 'run-program')
      return this.verdictOn(this.#texts.get(asking.input.messageId) ?? '')
    const taught = { ...this.arc, courseId: this.#course.courseId }
    const context = contextOf(taught, asking as MindAsking, this.#rows(asking), [this.#course])
    const output = ARC_STEPS[context.kind].offline(context as never)
    return structuredClone(output)
  }

  /** Sleeps until the arc wants to be looked at. */
  sleep(): void {
    const at = wakeAt(this.arc)
    if (at === null) throw new Error('asleep for ever')
    this.now = Math.max(this.now, at)
    this.turn()
  }

  /** A right answer to the open question, or a wrong one. */
  answerText(right = true): string {
    const { question } = this.arc
    if (!question) throw new Error('no question is open')
    if (question.key?.type === 'choice') {
      const { correct } = question.key
      if (right) return correct
      return question.options?.find(({ id }) => id !== correct)?.id ?? ''
    }
    return right ? question.expected : '-987654'
  }

  #note(effect: Effect): void {
    this.effects.push(effect)
    if (effect.type === 'ask') {
      const { id, nodeId, kind, label, question } = effect
      this.asked.push({ id, nodeId, kind, concept: label, question, quality: null })
    }
    if (effect.type === 'close') {
      const asked = this.asked.find(({ id }) => id === effect.questionId)
      if (asked) asked.quality = effect.quality
    }
    if (effect.type === 'respond') {
      const { nodeId, questionId, messageId, quality } = effect
      this.graded.push({ nodeId, quality, type: effect.responseType })
      const question = this.asked.find(({ id }) => id === questionId)?.question.text ?? ''
      const answer = this.#texts.get(messageId ?? '') ?? ''
      this.responses.push({ nodeId, question, answer, quality })
    }
    if (effect.type === 'answered') this.answered.push(effect.inputId)
  }

  #rows({ input }: Asking): unknown[][] {
    const named = input as { nodeId?: string; label?: string; questionIds?: string[] } & {
      missed?: string[]
      questionId?: string
      messageId?: string
    }
    const nodeId = named.nodeId ?? this.state.question?.nodeId ?? this.state.lesson?.nodeId ?? null
    const label = this.arc.map.nodes.find(({ id }) => id === nodeId)?.label ?? named.label
    const of = this.asked.filter((asked) => asked.nodeId === nodeId || asked.concept === label)
    const ids = [...(named.questionIds ?? []), ...(named.missed ?? []), named.questionId]
    return [
      [{ description: '' }],
      this.responses
        .filter((response) => response.nodeId === nodeId)
        .reverse()
        .slice(0, 10),
      [],
      this.asked
        .filter(({ id }) => ids.includes(id))
        .map(({ question, ...asked }) => ({ ...question, ...asked })),
      named.messageId
        ? [{ id: named.messageId, text: this.#texts.get(named.messageId) ?? '' }]
        : [],
      of.map(({ id, question, quality }) => ({
        id,
        source: question.source,
        text: question.text,
        quality,
      })),
      [],
    ]
  }
}
