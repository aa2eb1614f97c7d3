/** What the bare workflow, its worker and its API call each other by. */
export const BARE_QUEUE = 'bare'
export const BARE_STEP_QUEUE = 'bare-steps'
export const BARE_WORKFLOW = 'bareTurns'
export const BARE_SLEEPER = 'bareSleeper'
export const TURN_SIGNAL = 'turn'
export const BARE_CHANNEL = 'bare_turn'

export interface BareTurn {
  id: string
  /** Regular activities before the write. */
  steps: number
  /** Whether each of them asks a model something short; else it does nothing. */
  asks?: boolean
}
