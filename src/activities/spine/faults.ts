import { storePasses } from '../../store/passing.ts'

/** An entity whose state was written by a later version of the code: a worker of that version takes it. */
export class NewerState extends Error {
  constructor(product: string, version: number) {
    super(`${product}: the state has version ${version}, which this worker does not know`)
    this.name = 'NewerState'
  }
}

/**
 * Whether an error passes by itself, so that trying again is right for as long as it takes: the store's, or a newer state.
 * Anything else is a fault of ours.
 */
export const passes = (error: unknown): boolean => error instanceof NewerState || storePasses(error)
