import { createArcClient } from '../../src/client/arc-client.ts'
import { type CallServer, createCall } from '../../src/client/call.ts'
import { fetchOrTake } from './early-reads.ts'

/** Calls this origin, also where the address is not the API's own: practice sessions live at the root. */
export const callServer = createCall(() => '', undefined, fetchOrTake)

/** Calls the API of this origin. */
export const callApi: CallServer = (path, call) => callServer(`/api${path}`, call)

export const arcs = createArcClient(() => '', callServer)
