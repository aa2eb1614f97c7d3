import type { z } from 'zod'
import type {
  ArcMessage,
  ArcSettings,
  ArcSummary,
  ArcView,
  ChangeArc,
  CreateArc,
  CreatedArc,
  MindMapView,
  SendMessage,
  Turn,
} from '../contracts/arc.ts'
import type { ArcEvent } from './arc-event.ts'
import { type Address, type CallServer, createCall } from './call.ts'
import { type Following, followEvents } from './event-stream.ts'

/** A course as the API lists it. */
export interface CourseSummary {
  courseId: string
  title: string
  description?: string
  units: { unitId: string; title: string; effortMinutes: number }[]
  /** The units that a wish asks for, with what they build on. */
  needed: string[]
}

/** An answer as it was graded. */
export interface GradedAnswer {
  id: string
  questionText: string
  userAnswer: string | null
  /** The same, of an option its text. */
  answerInWords: string | null
  quality: number
  responseType: 'diagnostic' | 'teach' | 'review'
  attemptNumber: number
  respondedAt: string
}

export type NewArc = z.input<typeof CreateArc>

/** What a person may do to an arc as a whole. */
export type ArcCommand = 'abandon' | 'replan' | 'reviews/start' | 'pause' | 'resume'

export type ArcClient = ReturnType<typeof createArcClient>

const MOST_ARCS = 100
const MOST_MESSAGES = 1_000

/** The API of arcs at an address. What was sent twice under one key or id has one effect. Every call throws `Problem`. */
export function createArcClient(address: Address, call: CallServer = createCall(address)) {
  const post = <T = unknown>(path: string, body?: object, idempotencyKey?: string) =>
    call<T>(path, { method: 'POST', body, ...(idempotencyKey ? { idempotencyKey } : {}) })
  return {
    courses: async (signal?: AbortSignal) =>
      (await call<{ items: CourseSummary[] }>('/api/courses', withSignal(signal))).items,
    /** What a topic would become: the course it is taught from, or of a course what a goal needs; null: nobody knows yet. */
    plan: (wish: { topic: string; courseId?: string; goal?: string }, signal?: AbortSignal) =>
      readPlan(call, wish, signal),
    begin: (arc: NewArc, idempotencyKey: string = crypto.randomUUID()) =>
      post<CreatedArc>('/api/arcs', arc, idempotencyKey),
    /** All arcs that the caller may see, or only the caller's own; newest first. */
    arcs: (of: 'all' | 'me', signal?: AbortSignal) => allArcs(call, of, signal),
    arc: (arcId: string, signal?: AbortSignal) => call<ArcView>(pathOf(arcId), withSignal(signal)),
    mindMap: (arcId: string, signal?: AbortSignal) =>
      call<MindMapView>(`${pathOf(arcId)}/mind-map`, withSignal(signal)),
    messages: (arcId: string, after: string | null = null, signal?: AbortSignal) =>
      messagesAfter(call, arcId, after, signal),
    /** The last `limit` messages before the one given, or of all; oldest first. */
    lastMessages: async (
      arcId: string,
      before: string | null,
      limit: number,
      signal?: AbortSignal,
    ) => {
      const from = encodeURIComponent(before ?? '')
      const path = `${pathOf(arcId)}/messages?before=${from}&limit=${limit}`
      return (await call<{ items: ArcMessage[] }>(path, withSignal(signal))).items
    },
    send: (arcId: string, message: SendMessage & { messageId: string }) =>
      post<{ messageId: string }>(`${pathOf(arcId)}/messages`, message),
    /** Says something and waits for what comes of it, for at most so many seconds. */
    say: (arcId: string, message: SendMessage & { messageId: string }, waitSeconds: number) =>
      call<Partial<Turn>>(`${pathOf(arcId)}/messages`, {
        ...{ method: 'POST', body: message, waitSeconds },
      }),
    change: (arcId: string, change: ChangeArc) =>
      call<ArcView>(pathOf(arcId), { method: 'PATCH', body: change }),
    /** Graded answers on a concept, newest first. */
    responses: async (arcId: string, nodeId: string, signal?: AbortSignal) =>
      (
        await call<{ items: GradedAnswer[] }>(
          `${pathOf(arcId)}/responses?nodeId=${encodeURIComponent(nodeId)}`,
          withSignal(signal),
        )
      ).items,
    /** The topic looked back upon, from the learner's own answers. */
    summary: (arcId: string, signal?: AbortSignal) =>
      call<ArcSummary>(`${pathOf(arcId)}/summary`, withSignal(signal)),
    /** Goes on with a closed arc in a new one, with settings of its own. */
    revive: (arcId: string, settings: Partial<ArcSettings> = {}) =>
      post<CreatedArc>(`${pathOf(arcId)}/revive`, { settings }),
    /** Ends the text being written: what is shown of it becomes the message. */
    stop: (arcId: string, turnId: string) => post(`${pathOf(arcId)}/stop`, { turnId }),
    /** Has the tutor's last lesson or answer written again. */
    writeAgain: (arcId: string, messageId: string) =>
      post(`${pathOf(arcId)}/regenerate`, { messageId }),
    command: (
      arcId: string,
      command: ArcCommand,
      body: { reason?: string; goal?: string } = {},
      idempotencyKey: string = crypto.randomUUID(),
    ) => post(`${pathOf(arcId)}/${command}`, body, idempotencyKey),
    follow: (arcId: string, following: Following<ArcEvent>) =>
      followEvents(address, `${pathOf(arcId)}/events`, following as Following),
  }
}

const pathOf = (arcId: string) => `/api/arcs/${encodeURIComponent(arcId)}`
const withSignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {})

async function readPlan(
  call: CallServer,
  { topic, courseId, goal }: { topic: string; courseId?: string; goal?: string },
  signal?: AbortSignal,
): Promise<CourseSummary | null> {
  const query = new URLSearchParams({
    ...(courseId ? {} : { topic }),
    ...(goal ? { goal } : {}),
  })
  if (courseId) {
    const path = `/api/courses/${encodeURIComponent(courseId)}?${query}`
    return call<CourseSummary>(path, withSignal(signal))
  }
  const { items } = await call<{ items: CourseSummary[] }>(
    `/api/courses?${query}`,
    withSignal(signal),
  )
  return items[0] ?? null
}

async function allArcs(
  call: CallServer,
  of: 'all' | 'me',
  signal?: AbortSignal,
): Promise<ArcView[]> {
  const arcs: ArcView[] = []
  let cursor: string | null = null
  do {
    const after: string = cursor === null ? '' : `&cursor=${cursor}`
    const owner = of === 'me' ? '&learnerId=me' : ''
    const path = `/api/arcs?limit=${MOST_ARCS}${owner}${after}`
    const page: { items: ArcView[]; nextCursor: string | null } = await call(
      path,
      withSignal(signal),
    )
    arcs.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return arcs
}

/** All messages after the one given, or from the first on; oldest first. */
async function messagesAfter(
  call: CallServer,
  arcId: string,
  after: string | null,
  signal?: AbortSignal,
): Promise<ArcMessage[]> {
  const messages: ArcMessage[] = []
  for (;;) {
    const last = messages.at(-1)?.id ?? after
    const from = last === null ? '' : `&after=${encodeURIComponent(last)}`
    const { items } = await call<{ items: ArcMessage[] }>(
      `${pathOf(arcId)}/messages?limit=${MOST_MESSAGES}${from}`,
      withSignal(signal),
    )
    messages.push(...items)
    if (items.length < MOST_MESSAGES) return messages
  }
}
