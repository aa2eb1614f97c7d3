import type { NodeHistory } from '../mastery/status.ts'
import { strugglingNodes, strugglingSubtrees } from '../mastery/struggling.ts'
import { descendants, prerequisiteGraph } from '../mind-map/graph.ts'
import type { MindMap } from '../mind-map/mind-map.ts'

const DAY_MS = 86_400_000
/** A part of the map is not brought up again within this many real days of the learner's word on it. */
const QUIET_DAYS = 7

/** A part of the map that struggles: the child of the root it hangs from, and what is hard in it. */
export interface StrugglingPart {
  nodeId: string
  strugglingNodes: string[]
}

/** A proposal to plan a part again, made earlier; `decidedAt` in UTC ms, null while it is open. */
export interface EarlierProposal {
  id: string
  nodeId: string
  status: 'open' | 'accepted' | 'declined' | 'withdrawn'
  decidedAt: number | null
}

export interface ProposalChanges {
  made: StrugglingPart[]
  /** Ids of open ones whose part no longer struggles. */
  withdrawn: string[]
}

/** The parts of a map with two struggling nodes or more. */
export function strugglingParts(
  map: MindMap,
  histories: Readonly<Record<string, NodeHistory>>,
): StrugglingPart[] {
  const struggling = new Set(strugglingNodes(map, histories))
  const graph = prerequisiteGraph(map)
  return strugglingSubtrees(map, struggling).map((nodeId) => {
    const below = descendants(graph, [nodeId])
    const inPart = map.nodes.filter(({ id }) => below.has(id) && struggling.has(id))
    return { nodeId, strugglingNodes: inPart.map(({ id }) => id) }
  })
}

/**
 * What becomes of the proposals of a map at `now`, in UTC ms: a part that struggles is proposed once, and after the
 * learner's word on it not for a week; an open proposal whose part no longer struggles is withdrawn.
 */
export function proposalChanges(
  parts: readonly StrugglingPart[],
  earlier: readonly EarlierProposal[],
  now: number,
): ProposalChanges {
  const isQuiet = (nodeId: string) =>
    earlier.some(
      (one) =>
        one.nodeId === nodeId &&
        (one.status === 'open' ||
          (one.status !== 'withdrawn' && now - (one.decidedAt ?? now) < QUIET_DAYS * DAY_MS)),
    )
  const struggles = new Set(parts.map(({ nodeId }) => nodeId))
  return {
    made: parts.filter(({ nodeId }) => !isQuiet(nodeId)),
    withdrawn: earlier
      .filter(({ status, nodeId }) => status === 'open' && !struggles.has(nodeId))
      .map(({ id }) => id),
  }
}
