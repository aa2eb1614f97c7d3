/** How a step of the course tutor is asked: once, and within the time a student waits. */
export const ASKED_ONCE = { shown: null, askings: 1, silenceMs: 8_000, deadlineMs: 20_000 } as const
