import type { BankQuestion, QuestionTemplate } from '../contracts/course-pack.ts'
import { seededRandom } from '../domain/random/seeded-random.ts'
import { evaluate, holds, type ParamValue, plain } from './template-expression.ts'

/** A question drawn from a template; `params` are what was drawn and what was derived from it. */
export type DrawnQuestion = BankQuestion & { params: Record<string, ParamValue> }

const MAX_DRAWS = 200

/**
 * The question a template gives for a seed, always the same; its id is the template's with the
 * seed behind a `#`. Draws are repeated until every condition of `where` holds and every derived
 * value is finite.
 * @throws Error when 200 draws have failed, or an expression or a placeholder names no parameter
 */
export function drawQuestion(template: QuestionTemplate, seed: number): DrawnQuestion {
  const random = seededRandom(seed)
  for (let draw = 0; draw < MAX_DRAWS; draw++) {
    const params = drawParams(template, random)
    if (!params || !template.where.every((condition) => holds(condition, params))) continue
    const { params: _, derived: __, where: ___, kind: ____, check: _____, ...question } = template
    return { ...filled(question, params), id: `${template.id}#${seed}`, params }
  }
  throw new Error(`${template.id}: no draw in ${MAX_DRAWS} meets the conditions`)
}

function drawParams(template: QuestionTemplate, random: () => number) {
  const params: Record<string, ParamValue> = {}
  for (const [name, param] of Object.entries(template.params)) {
    const choices = 'pick' in param ? param.pick : wholeNumbers(param)
    const drawn = choices[Math.floor(random() * choices.length)]
    if (drawn === undefined) throw new Error(`${template.id}: "${name}" has no value to draw`)
    params[name] = drawn
  }
  for (const [name, expression] of Object.entries(template.derived)) {
    const value = evaluate(expression, params)
    if (typeof value === 'number' && !Number.isFinite(value)) return null
    params[name] = value
  }
  return params
}

function wholeNumbers({ from, to, not }: { from: number; to: number; not: number[] }): number[] {
  const all = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
  return all.filter((value) => !not.includes(value))
}

/** The same structure with the placeholders of every text in it filled in. */
function filled<T>(value: T, params: Readonly<Record<string, ParamValue>>): T {
  if (typeof value === 'string') return fill(value, params) as T
  if (Array.isArray(value)) return value.map((item) => filled(item, params)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, filled(item, params)])
  return Object.fromEntries(entries) as T
}

function fill(text: string, params: Readonly<Record<string, ParamValue>>): string {
  return text.replace(/\{\{(\+?)(\w+)\}\}/g, (_, sign: string, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined) throw new Error(`{{${sign}${name}}} names no parameter`)
    if (sign === '') return plain(value)
    const size = plain(value)
    return size.startsWith('-') ? `- ${size.slice(1)}` : `+ ${size}`
  })
}
