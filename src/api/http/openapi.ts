/** What the OpenAPI document says beyond the routes' own schemas: groups, names of operations, words, and examples. */

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  format?: string
  minimum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Content {
  schema?: Schema
  example?: unknown
}

export interface Operation {
  tags?: string[]
  operationId?: string
  summary?: string
  description?: string
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    schema?: Schema
  }[]
  requestBody?: { required?: boolean; content?: Record<string, Content> }
  responses?: Record<string, { description?: string; content?: Record<string, Content> }>
}

export interface OpenApiDocument {
  info: { title: string; description?: string }
  tags?: { name: string; description: string }[]
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** Groups by the beginning of an address; the first that fits. */
const GROUPS = [
  { at: '/api/arcs', name: 'Arcs', description: 'Learning a topic: conversation, map, reviews.' },
  { at: '/api/courses', name: 'Courses', description: 'The courses that are installed.' },
  {
    at: '/api/tutor',
    name: 'Course tutor',
    description: 'Threads of a course: words, drills, exam questions.',
  },
  {
    at: '/api/learners',
    name: 'Learners',
    description:
      'A person: settings, memory, calendar, what can be taken along. `me` is the caller.',
  },
  {
    at: '/api/teacher',
    name: 'Teaching',
    description: 'What a teacher sees: sessions, reports, alerts, classes.',
  },
  {
    at: '/api/integrations',
    name: 'Integrations',
    description: 'Other platforms that may call the problem tutor.',
  },
  { at: '/api/operator', name: 'Operating', description: 'How the installation stands.' },
  { at: '/api/push-key', name: 'Learners', description: '' },
  { at: '', name: 'Practice', description: 'Sessions over sets of problems, for other platforms.' },
]

/** What a summary has no room for, by operation. */
const DESCRIPTIONS: Record<string, string> = {
  postArcs:
    'Begins a conversation on a topic. Where no model is connected, the topic has to fit an installed course. With an `Idempotency-Key` a repeat begins nothing twice.',
  getArcs: 'With `cursor`, the `nextCursor` of a page, the page behind it.',
  postArcMessages:
    'The message is kept before this answers 202; the tutor’s reply comes over `…/events` and `…/messages`. `Prefer: wait=30` waits for the reply, at most so many seconds. A `messageId` of the caller’s makes a repeat harmless.',
  getArcMessages:
    '`after` pages forwards, `before` backwards from a message or, empty, from the end. Every page is oldest first.',
  postArcRegenerate: 'No grade and no question changes.',
  postArcReplan: 'The order of what comes next is worked out afresh; what was learned stays.',
  postWebhookTutorMessage:
    'One turn of a practice session. An unknown session with a problem begins one.',
  postQuestionSets: 'The answers are never shown to anybody but the platform that brought them.',
}

const EXAMPLES: Record<string, unknown> = {
  postArcs: {
    topic: 'Algebra basics',
    goal: 'pass the test in June',
    settings: { skipDiagnosis: true },
  },
  postArcMessages: { text: 'x = 4', messageId: 'my-message-1' },
  patchArc: { title: 'Algebra for June' },
  postArcReplan: { reason: 'more practice with fractions first' },
  postArcAbandon: { reason: 'learned elsewhere' },
  postTutorThreads: { courseId: 'algebra-basics' },
  postTutorThreadTurn: { messageText: 'How do I solve 3x + 5 = 20?' },
  patchLearner: { timeZone: 'Europe/Berlin', studyTime: '18:00', dailyReviewCap: 20 },
  postSessions: { question_set_id: 'algebra_basics_set_1', student_id: 'student-1' },
  postWebhookTutorMessage: {
    session_id: 'session-1',
    student_id: 'student-1',
    message: '2',
    message_id: 'message-1',
  },
  putTeacherClass: { title: '8b', studentIds: ['student-1', 'student-2'] },
}

/** The document with every operation in its group, under a name of its own, with an example of its body. */
export function described<T extends object>(document: T): T & OpenApiDocument {
  const { paths = {}, components, ...rest } = document as unknown as OpenApiDocument
  const operations = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        describedOperation(method, path, operation, components),
      ]),
    ),
  ])
  return {
    ...rest,
    tags: GROUPS.filter(({ description }) => description !== '').map(({ name, description }) => ({
      name,
      description,
    })),
    paths: Object.fromEntries(operations),
    components,
  } as unknown as T & OpenApiDocument
}

function describedOperation(
  method: string,
  path: string,
  operation: Operation,
  components: OpenApiDocument['components'],
): Operation {
  const operationId = operationName(method, path)
  const group = GROUPS.find(({ at }) => path.startsWith(at))
  const description = operation.description ?? DESCRIPTIONS[operationId]
  return {
    ...operation,
    operationId,
    tags: group ? [group.name] : [],
    ...(description ? { description } : {}),
    ...(operation.requestBody
      ? { requestBody: withExample(operation.requestBody, operationId, components) }
      : {}),
  }
}

function withExample(
  body: NonNullable<Operation['requestBody']>,
  operationId: string,
  components: OpenApiDocument['components'],
): NonNullable<Operation['requestBody']> {
  const content = Object.entries(body.content ?? {}).map(([type, { schema, example }]) => [
    type,
    { schema, example: example ?? EXAMPLES[operationId] ?? sampleOf(schema, components) },
  ])
  return { ...body, content: Object.fromEntries(content) }
}

/** `get /api/arcs/{arcId}/mind-map` is `getArcMindMap`; what has an id is one of its kind. */
export function operationName(method: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'api')
  const words = parts.flatMap((part, at) => {
    if (part.startsWith('{')) return []
    const word = parts[at + 1]?.startsWith('{') ? part.replace(/(?:(ss)es|([^s])s)$/, '$1$2') : part
    return word.split(/[-.]/)
  })
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

const DEEPEST = 6

/** The smallest value that a schema describes, with what it asks for and nothing else. */
export function sampleOf(
  schema: Schema | undefined,
  components: OpenApiDocument['components'],
  depth = 0,
): unknown {
  if (!schema || depth > DEEPEST) return {}
  const named = schema.$ref?.split('/').at(-1)
  if (named) return sampleOf(components?.schemas?.[named], components, depth + 1)
  for (const given of [schema.example, schema.const, schema.default, schema.enum?.[0]]) {
    if (given !== undefined) return given
  }
  const one = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (one) return sampleOf(one, components, depth + 1)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'array':
      return []
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'string':
      return schema.format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : 'text'
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name))
          .map(([name, part]) => [name, sampleOf(part, components, depth + 1)]),
      )
  }
}
