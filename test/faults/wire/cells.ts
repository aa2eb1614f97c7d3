import type { ProductName } from '../../../src/contracts/spine.ts'
import type { Fault, RecordedCall } from '../../support/scripted-model.ts'
import { worldAnswer } from '../../support/scripted-world.ts'

/** The products that ask a model. */
export type ProductOfMinds = Exclude<ProductName, 'agenda'>

/** Concepts below the root of every map. */
export const CONCEPTS = 3

/** The kinds of model steps, by product. `regrade`: a contested grade; `parting`: the path at the end of an arc. */
export const KINDS = {
  arc: [
    ...(['inventory', 'probe', 'summary', 'graph', 'lesson', 'quiz', 'grade', 'feedback'] as const),
    ...(['review', 'route', 'help', 'path', 'replan', 'regrade'] as const),
    ...(['lesson again', 'help again', 'parting'] as const),
  ],
  practice: ['extraction', 'verdict', 'reply', 'smaller question'],
  course: ['turn', 'drill grade'],
  curriculum: ['inventory', 'graph', 'replan'],
} as const satisfies Record<ProductOfMinds, readonly string[]>

export type ArcKind = (typeof KINDS)['arc'][number]
export type PracticeKind = (typeof KINDS)['practice'][number]
export type CourseKind = (typeof KINDS)['course'][number]
export type CurriculumKind = (typeof KINDS)['curriculum'][number]

const SILENCE_MS = 60_000
const HUGE = 200_000

interface WireFault {
  name: string
  /** How many calls of the step it strikes. */
  times: number
  strike(time: number, call: RecordedCall): Fault
}

/** An answer that cannot be used is asked for once more: it has to come twice. */
const TWICE = 2

/** What goes wrong. A broken stream strikes as often as Temporal tries the step. */
export const FAULTS: WireFault[] = [
  {
    name: 'malformed',
    times: TWICE,
    strike: (time) =>
      time === 1
        ? { kind: 'text', text: 'Well, let me think: {"so": tru' }
        : { kind: 'json', value: { nothing: 'of what was asked for' } },
  },
  { name: 'cut off', times: TWICE, strike: () => ({ kind: 'truncated' }) },
  { name: '200 KB', times: TWICE, strike: () => ({ kind: 'huge', length: HUGE }) },
  { name: 'empty', times: TWICE, strike: () => ({ kind: 'text', text: '' }) },
  { name: 'one of three', times: TWICE, strike: (_, call) => onlyOne(call) },
  { name: 'broken stream', times: 3, strike: () => ({ kind: 'cut', after: 1 }) },
  { name: '500 ten times', times: 10, strike: () => ({ kind: 'status', status: 500 }) },
  { name: '401', times: 1, strike: () => ({ kind: 'status', status: 401 }) },
  { name: '60 s of silence', times: 1, strike: () => ({ kind: 'silence', ms: SILENCE_MS }) },
]

/** Only a quiz has several questions; and any text is a good answer where text is asked for. */
function applies(fault: WireFault, kind: string): boolean {
  if (fault.name === 'one of three') return kind === 'quiz'
  const isText = kind === 'help' || kind === 'help again' || kind === 'reply'
  return !(fault.name === 'malformed' && isText)
}

function onlyOne(call: RecordedCall): Fault {
  const { step, schema, system, messages } = call
  const asked = { step, schema, system, prompt: messages[0]?.text ?? '', earlier: 0 }
  const { questions } = worldAnswer(asked, { concepts: CONCEPTS }) as { questions: unknown[] }
  return { kind: 'json', value: { questions: questions.slice(0, 1) } }
}

/** One step of one product with one fault, as it is tried: which calls are struck, and when the first one was. */
export class Cell {
  readonly product: ProductOfMinds
  readonly kind: string
  readonly fault: WireFault
  /** Stands in every prompt of the cell's entity, and in no other. */
  readonly mark: string
  /** Whether the step has come that is to be struck. */
  armed = true
  struck = 0
  firstStruckAt: number | null = null

  constructor(product: ProductOfMinds, kind: string, fault: WireFault, number: number) {
    this.product = product
    this.kind = kind
    this.fault = fault
    this.mark = `Weaving${String(number).padStart(4, '0')}`
  }

  get name(): string {
    return `${this.product} ${this.kind} × ${this.fault.name}`
  }

  /** What becomes of a call. */
  strike(call: RecordedCall): Fault | null {
    if (!this.armed || this.struck >= this.fault.times) return null
    if (!isOfKind(call, this.kind)) return null
    this.struck += 1
    this.firstStruckAt ??= call.startedAt
    return this.fault.strike(this.struck, call)
  }
}

/** Every kind with every fault that it can meet, the longest first. */
export function allCells(wanted: (cell: Cell) => boolean = () => true): Cell[] {
  let number = 0
  const products = Object.entries(KINDS) as [ProductOfMinds, readonly string[]][]
  return [...FAULTS]
    .reverse()
    .flatMap((fault) =>
      products.flatMap(([product, kinds]) =>
        kinds.flatMap((kind) => {
          number += 1
          return applies(fault, kind) ? [new Cell(product, kind, fault, number)] : []
        }),
      ),
    )
    .filter(wanted)
}

/** The steps that a kind's calls are told by, where the model's schema alone does not tell them apart. */
const TOLD_BY: Record<string, (call: RecordedCall) => boolean> = {
  probe: ({ system }) => system.includes('Write one probe question'),
  review: ({ system }) => system.includes('Write one review question'),
  grade: (call) => call.step === 'grade' && !isContested(call),
  regrade: (call) => call.step === 'grade' && isContested(call),
  'lesson again': ({ step }) => step === 'lesson',
  'help again': ({ step }) => step === 'help',
  path: ({ step }) => step === 'path',
  parting: (call) => call.step === 'path' && /^phase: COMPLETED$/m.test(promptOf(call)),
  extraction: ({ system }) => system.includes('Extract EXACTLY'),
  verdict: ({ system }) => system.includes("judge the student's message"),
  reply: (call) => isReply(call) && call.schema === null,
  'smaller question': (call) => isReply(call) && call.schema !== null,
  turn: ({ system }) => system.includes('You decide one move of one turn'),
  'drill grade': ({ system }) => system.includes("You grade a student's answer"),
}

const promptOf = ({ messages }: RecordedCall) => messages[0]?.text ?? ''
const isContested = (call: RecordedCall) => promptOf(call).includes('contests the first grade')
const isReply = ({ system }: RecordedCall) => system.includes("write the tutor's reply")

/** Whether a call asks for a step of the kind. */
export function isOfKind(call: RecordedCall, kind: string): boolean {
  return TOLD_BY[kind]?.(call) ?? call.step === kind
}
