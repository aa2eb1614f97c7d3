/** The types of failures a model step ends with, as they stand in a workflow's history. */
export const STEP_FAILURE = {
  /** Too many requests, or an overloaded server: passes by itself. */
  overloaded: 'Llm.Overloaded',
  /** Down, broken off, timed out: passes by itself. */
  unavailable: 'Llm.Unavailable',
  /** A bad key, no credit, an unknown model: an operator has to act. */
  refused: 'Llm.Refused',
  /** The answer broke its schema twice. */
  malformed: 'Llm.Malformed',
} as const
