import type { StoredInput } from '../spine/decision.ts'

/** Buttons of the screen. Seed 004 PF-6.2. */
export type ClientEvent =
  | { type: 'NONE' }
  | { type: 'REQUEST_DRILL' | 'DRILL_STUCK'; unitId: string }
  | { type: 'DRILL_CONTINUE'; unitId: string; lastResult: 'correct' | 'incorrect' }
  | { type: 'EXAM_CONTINUE'; unitId: string; questionId: string; result: 'passed' | 'locked' }

/** What a student asks for, by type. */
export interface RequestPayloads {
  turn: {
    text: string | null
    latex: string | null
    voice: string | null
    clientEvent: ClientEvent
  }
  drill_grade: {
    unitId: string
    prompt: string
    questionLatex: string
    token: string
    studentAnswer: string
  }
  exam_answer: { questionId: string; selectedOptionId: string }
  support_view: { questionId: string; supportType: 'memo' | 'video' }
}
export type RequestType = keyof RequestPayloads

/** A request of a student in one of the threads of a course. */
export type CourseRequest<Type extends RequestType = RequestType> = {
  [T in Type]: { id: string; threadId: string; type: T; payload: RequestPayloads[T] }
}[Type]

/** The request that an input of the inbox holds. */
export function requestOf({ id, type, payload }: StoredInput): CourseRequest {
  const { threadId, ...rest } = payload
  return { id, type, threadId, payload: rest } as CourseRequest
}

/** All that the student has said in a turn, for the search. */
export function wordsOf({ text, latex, voice }: RequestPayloads['turn']): string {
  return [text, voice, latex].filter((part) => part !== null).join('\n')
}
