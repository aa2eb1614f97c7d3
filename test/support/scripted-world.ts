/**
 * The small world in which a scripted model lives: any topic has the same twelve parts, and every question is about a
 * sum, so that a scripted learner can be right or wrong on purpose.
 */

/** A call as it reaches the model, with what an answer may be made of. */
export interface AskedOfModel {
  /** What is asked, by the shape of the answer's schema; `help` where there is none. */
  step: string
  schema: JsonSchema | null
  system: string
  /** The text of the first user message: the request. */
  prompt: string
  /** How many calls of this step came before. */
  earlier: number
}

export interface JsonSchema {
  type?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  enum?: unknown[]
  anyOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
}

export interface World {
  /** Concepts below the root of a map. */
  concepts: number
}

const PARTS = [
  ...['Foundations', 'Core terms', 'First steps', 'Simple cases', 'Rules', 'Combined rules'],
  ...['Patterns', 'Exceptions', 'Techniques', 'Applications', 'Edge cases', 'Open problems'],
]
const DIFFICULTIES = ['beginner', 'intermediate', 'expert']
/** Each part needs the one three before it: three concepts at every depth, and twelve parts in four levels. */
const NEEDS = 3
const GOALS = 2

/** Which step a schema belongs to, by a field that only it has. */
const TELLING_FIELDS: [field: string, step: string][] = [
  ['concepts', 'inventory'],
  ['questions', 'quiz'],
  ['question_text', 'question'],
  ['quality', 'grade'],
  ['root', 'graph'],
  ['new_nodes', 'replan'],
  ['check_question', 'lesson'],
  ['error_patterns', 'feedback'],
  ['learner_level', 'summary'],
  ['learning_path', 'path'],
  ['intent', 'route'],
]

/** The step a schema asks for: its name in `WORLD_ANSWERS`, `help` for free text, `other` for an unknown schema. */
export function stepOfSchema(schema: JsonSchema | null): string {
  if (!schema) return 'help'
  const fields = Object.keys(schema.properties ?? {})
  if (fields.join() === 'feedback_text') return 'explain'
  return TELLING_FIELDS.find(([field]) => fields.includes(field))?.[1] ?? 'other'
}

/** What the model says: text, or a value to be sent as JSON. */
export function worldAnswer(asked: AskedOfModel, world: World): unknown {
  return WORLD_ANSWERS[asked.step]?.(asked, world) ?? sampleOf(asked.schema ?? {})
}

const WORLD_ANSWERS: Record<string, (asked: AskedOfModel, world: World) => unknown> = {
  inventory: ({ prompt }) => ({
    concepts: PARTS.map((part, index) => ({
      label: labelOf(part, prompt),
      description: `What ${part.toLowerCase()} are about.`,
      difficulty: DIFFICULTIES[Math.floor((index * DIFFICULTIES.length) / PARTS.length)],
    })),
  }),
  question: (asked) => question(conceptOf(asked.prompt), asked.earlier, 0),
  quiz: (asked) => {
    const count = Number(/Write (\d+) questions/.exec(asked.prompt)?.[1] ?? 3)
    const concept = conceptOf(asked.prompt)
    return {
      questions: Array.from({ length: count }, (_, index) =>
        question(concept, asked.earlier * count + index, index),
      ),
    }
  },
  lesson: (asked) => ({
    explanation: `**${conceptOf(asked.prompt)}** is best seen in a sum.\n\n$$\na + b = b + a\n$$\n\nSo "3 + 4" and "4 + 3" are the same \\ number: $7$ 🎯.`,
    example: 'For instance $2 + 5 = 5 + 2 = 7$.',
    check_question: question(conceptOf(asked.prompt), asked.earlier, 0),
  }),
  grade: ({ prompt }) => {
    const said = blockOf(prompt, 'learner_message')
    const quality = /\bright\b/i.test(said) ? 5 : /\bhalf\b/i.test(said) ? 2 : 1
    return {
      is_answer: true,
      quality,
      is_correct: quality >= 3,
      feedback_text: quality === 5 ? 'Well said.' : 'Something is missing.',
      ...(quality === 5 ? {} : { error_pattern: PATTERN }),
    }
  },
  explain: () => ({ feedback_text: 'Count on from the first number, one step at a time.' }),
  feedback: ({ prompt }) => ({
    error_patterns: [
      {
        ...PATTERN,
        affected_questions: [...blockOf(prompt, 'quiz').matchAll(/^- \[([^\]]+)\]/gm)].map(
          ([, id]) => id,
        ),
      },
    ],
    feedback_text: 'You add well; mind the order of the steps.',
    improvement_areas: ['order of steps'],
    facts_to_remember: ['Learns from pictures rather than rules.'],
  }),
  summary: ({ prompt }) => ({
    learner_level: /quality [3-5]/.test(blockOf(prompt, 'probe_results'))
      ? 'intermediate'
      : 'beginner',
    prerequisite_gaps: [
      ...blockOf(prompt, 'probe_results').matchAll(/^- (.+): quality [0-2]$/gm),
    ].map(([, label]) => label),
    recommendations: ['Start where the gaps are.'],
  }),
  graph: ({ prompt }, { concepts }) => graph(prompt, concepts),
  replan: ({ prompt }) => {
    const concept = blockOf(prompt, 'concept_in_difficulty')
    if (concept === '') return { new_nodes: [], new_edges: [], explanation: 'The plan is sound.' }
    const label = `A step towards ${concept}`
    return {
      new_nodes: [{ label, description: 'What was missing.', effort_minutes: 10 }],
      new_edges: [
        { parent: topicOf(prompt), child: label },
        { parent: label, child: concept },
      ],
      explanation: `A smaller step leads to ${concept} now.`,
    }
  },
  path: ({ prompt }) => {
    const ahead = [...listOf(prompt, 'concept_map')]
      .map((entry) => entry.replace(/ \(needs: .*$/, ''))
      .filter((label) => !blockOf(prompt, 'concept_standing').includes(`${label} (mastered`))
      .slice(0, 4)
    return {
      learning_path: ahead,
      next_topic: ahead[0] ?? `Beyond ${topicOf(prompt)}`,
      path_reasoning: `Next comes ${ahead[0] ?? `what lies beyond ${topicOf(prompt)}`}.`,
    }
  },
  route: ({ prompt }) => {
    const said = blockOf(prompt, 'learner_message')
    if (/\?\s*$/.test(said)) return { intent: 'help', reason: 'it is a question' }
    if (/\bplan\b/i.test(said)) return { intent: 'plan', reason: 'it is about the plan' }
    const isOpen = prompt.includes('<open_question>')
    return { intent: isOpen ? 'answer' : 'off_topic', reason: 'it asks nothing' }
  },
  help: ({ prompt }) =>
    `About "${blockOf(prompt, 'learner_message').slice(0, 80)}": think of a sum, and swap its parts.`,
}

const PATTERN = {
  pattern_type: 'procedural',
  description: 'The steps are taken in the wrong order.',
  suggested_remediation: 'Show the steps one by one.',
}

/** The right answer to a question of this world, as a learner would type it. */
export function rightAnswer(questionText: string): string {
  // After ten questions the tutor asks whether it is enough.
  if (questionText.startsWith('That was a good stretch')) return 'go_on'
  const [a, b] = termsOf(questionText)
  return questionText.startsWith('Explain') ? 'right: adding counts on' : String(a + b)
}

/** A wrong answer that is not even close. */
export function wrongAnswer(questionText: string): string {
  if (questionText.startsWith('That was a good stretch')) return 'go_on'
  const [a, b] = termsOf(questionText)
  if (questionText.startsWith('Explain')) return 'it just is'
  return questionText.startsWith('Which') ? String(a + b + 1) : String((a + b) * 3 + 50)
}

/** A sum in one of three formats: a number, a choice, a reason in words. */
function question(concept: string, drawn: number, format: number) {
  const a = 2 + ((drawn * 7 + concept.length) % 30)
  const b = 3 + ((drawn * 5) % 20)
  const sum = a + b
  const common = {
    ...{ concept_name: concept, difficulty: 'medium' },
    hints: ['What do both heaps make together?', 'Begin with the larger heap.'],
    solution: `Both heaps together: ${a} + ${b} = ${sum}`,
    mistakes: [{ answer: String(sum + 10), why: 'You may have carried a ten too many.' }],
  }
  if (format % 3 === 1) {
    return {
      ...common,
      question_text: `Which of these is ${a} + ${b}?`,
      format: 'multiple_choice',
      options: [sum + 1, sum, sum + 10].map(String),
      expected_answer: String(sum),
      scoring_criteria: 'The sum.',
    }
  }
  if (format % 3 === 2) {
    return {
      ...common,
      question_text: `Explain why ${a} + ${b} is ${sum}.`,
      format: 'short_answer',
      expected_answer: `Because ${b} steps on from ${a} one arrives at ${sum}.`,
      scoring_criteria: 'Says that adding counts on.',
    }
  }
  return {
    ...common,
    question_text: `What is ${a} + ${b}?`,
    format: 'short_answer',
    expected_answer: String(sum),
    scoring_criteria: 'The sum.',
  }
}

function termsOf(questionText: string): [number, number] {
  const [, a, b] = /(\d+) \+ (\d+)/.exec(questionText) ?? []
  if (a === undefined || b === undefined) throw new Error(`no sum in: ${questionText}`)
  return [Number(a), Number(b)]
}

function graph(prompt: string, concepts: number) {
  const root = topicOf(prompt)
  const listed = listOf(prompt, 'inventory')
  const known = listed.length > 0 ? listed : PARTS.map((part) => labelOf(part, prompt))
  const probed = [...blockOf(prompt, 'probe_results').matchAll(/^- (.+): quality/gm)]
  const first = new Set(probed.map(([, label]) => label ?? ''))
  const chosen = known
    .filter((label) => label !== root)
    .sort((a, b) => Number(first.has(b)) - Number(first.has(a)))
    .slice(0, concepts)
  const labels = known.filter((label) => chosen.includes(label))
  const last = labels.at(-1)
  const node = (label: string) => ({
    label,
    description: `One can handle ${label.toLowerCase()}.`,
    effort_minutes: 10 + label.length,
  })
  return {
    root,
    nodes: [root, ...labels].map(node),
    edges: labels.map((child, index) => ({ parent: labels[index - NEEDS] ?? root, child })),
    ...(blockOf(prompt, 'goal') && last ? { goal_labels: labels.slice(-GOALS) } : {}),
  }
}

function labelOf(part: string, prompt: string): string {
  return `${part} of ${topicOf(prompt)}`
}

function topicOf(prompt: string): string {
  return /^topic: (.+)$/m.exec(prompt)?.[1] ?? 'Sums'
}

function conceptOf(prompt: string): string {
  const probed = blockOf(prompt, 'probed_concept')
  return probed || (/^concept in hand: (.+)$/m.exec(prompt)?.[1] ?? topicOf(prompt))
}

/** The text of a data block in a prompt; empty when there is none. */
export function blockOf(prompt: string, name: string): string {
  return new RegExp(`<${name}>\\n([\\s\\S]*?)\\n</${name}>`).exec(prompt)?.[1] ?? ''
}

function listOf(prompt: string, name: string): string[] {
  return [...blockOf(prompt, name).matchAll(/^- (.+)$/gm)].map(([, item]) => item ?? '')
}

/** A value that fits a schema: what is said about steps this world knows nothing of. */
function sampleOf(schema: JsonSchema, defs = schema.$defs ?? {}): unknown {
  const referred = schema.$ref ? defs[schema.$ref.replace('#/$defs/', '')] : undefined
  if (referred) return sampleOf(referred, defs)
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], defs)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, value]) => [key, sampleOf(value, defs)]),
      )
    case 'array':
      return schema.items ? [sampleOf(schema.items, defs)] : []
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return 1
    case 'null':
      return null
    default:
      return 'something'
  }
}
