/**
 * How a step of the course tutor is asked: once, and within the time a student waits. Silence is noted here before the
 * course notes it, which has no prompt to show.
 */
export const ASKED_ONCE = { shown: null, askings: 1, silenceMs: 7_500, deadlineMs: 20_000 } as const
