/** What the workflow of a student's course and its activities say to each other: ids and counts, never texts. */

export interface CourseInput {
  courseId: string
  /** The learner's uuid. */
  learnerId: string
  /** A run is rolled over at this many events; a few in tests. */
  maxEvents?: number
}

/** One request of the student; all that belongs to it is in the store under its id. */
export interface RequestRef extends CourseInput {
  requestId: string
}

/** What a request needs next: a mind's answer, the exam authority's word, its commit; or nothing more. */
export type NextStep = 'mind' | 'authority' | 'commit' | 'done'

/** Where a course stands after its last commit; times in UTC ms. */
export interface CourseState {
  generation: number
  /** Whether a turn asks a model. */
  asksModel: boolean
  /** When the student is to be called back to a question whose lock ends; null when to none. */
  wakeAt: number | null
  focusUnitId: string
  mastered: { bronze: number; silver: number; gold: number; total: number }
  revisits: number
}

/** `superseded`: the store has gone on without this workflow; nothing was written. */
export interface CommitOutcome {
  outcome: 'written' | 'superseded'
  state: CourseState
}

/** Short reads and writes, safe to run twice. */
export interface CourseStoreActivities {
  /** The course as it was last committed, begun if it is new; null when it is not installed. */
  loadCourse(course: CourseInput & { at: number }): Promise<CourseState | null>
  prepareRequest(request: RequestRef & { at: number }): Promise<NextStep>
  commitRequest(request: RequestRef & { at: number; generation: number }): Promise<CommitOutcome>
  /** Ends a request that could not be carried out; it counts for nothing and may be made again. */
  giveUp(request: RequestRef): Promise<void>
  /** Writes to the student about every question that is open again. */
  callBack(course: CourseInput & { at: number; generation: number }): Promise<CommitOutcome>
}

/** Asks the mind about a request, once; its answer, or why there is none, is in the store afterwards. */
export interface CourseMindActivities {
  /** Prepares a turn and asks, in one go: what a turn with a model waits for. */
  takeTurn(request: RequestRef & { at: number }): Promise<NextStep>
  /** Asks about a request that is prepared. */
  askCourseMind(request: RequestRef): Promise<void>
}

/** The argument of the Update; `kind` only says what to begin with. */
export interface TakeRequest {
  requestId: string
  kind: 'turn' | 'drill_grade' | 'exam_answer' | 'support_view'
}

/** Tells the exam authority of an answer or a viewed support; its word is in the store afterwards. */
export interface ExamAuthorityActivities {
  askExamAuthority(request: RequestRef & { at: number }): Promise<void>
}

/** The one Update of the workflow: take up a stored request, and return when it is answered. */
export const TAKE_REQUEST_UPDATE = 'takeRequest'

/** The type of the failure of an Update whose request could not be carried out. */
export const REQUEST_FAILURE = 'CourseTutor.NotCarriedOut'
