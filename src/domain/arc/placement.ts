import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import { inferMastery } from '../diagnosis/mastery-inference.ts'
import { isPlaced } from '../mind-map/frontier.ts'
import { descendants, prerequisiteGraph } from '../mind-map/graph.ts'
import { labelKey } from '../mind-map/label.ts'
import type { MindMap, MindMapNode } from '../mind-map/mind-map.ts'

/** So sure has the diagnosis to be of a concept that it did not measure. */
const SURE = 0.9

/**
 * What the diagnosis says about each concept of the map, 0..1: its own chance, or, for one outside the inventory, the
 * highest among the concepts that need it.
 */
export function chances(map: MindMap, diagnosis: Diagnosis): Map<string, number> {
  const byLabel = new Map(
    inferMastery(diagnosis).map(({ label, inferred }) => [labelKey(label), inferred]),
  )
  const graph = prerequisiteGraph(map)
  const own = new Map(map.nodes.map((node) => [node.id, byLabel.get(labelKey(node.label))]))
  const found = new Map<string, number>()
  for (const { id } of map.nodes) {
    const chance = own.get(id)
    const needed = [...descendants(graph, [id])].flatMap((other) => own.get(other) ?? [])
    if (chance !== undefined) found.set(id, chance)
    else if (needed.length > 0) found.set(id, Math.max(...needed))
  }
  return found
}

/** The map with the concepts placed that the diagnosis is sure of and that nothing was answered on since. */
export function place(map: MindMap, diagnosis: Diagnosis): MindMap {
  const chance = chances(map, diagnosis)
  const nodes = map.nodes.map((node) => {
    const isNew = node.masteryStatus === 'unseen' || node.masteryStatus === 'diagnosed'
    const isKnown = node.masteryStatus === 'diagnosed' || (chance.get(node.id) ?? 0) >= SURE
    const wasMissed = diagnosis.probes.some(
      ({ label, quality }) => labelKey(label) === labelKey(node.label) && quality < 3,
    )
    return isNew ? withPlace(node, isKnown && !wasMissed) : node
  })
  return { ...map, nodes }
}

/** The concepts that lose their place because the check of one they depend on was not passed: the unmeasured ones. */
export function losePlace(map: MindMap, nodeId: string): MindMapNode[] {
  const dependants = descendants(prerequisiteGraph(map), [nodeId])
  return map.nodes
    .filter((node) => dependants.has(node.id) && isPlaced(node) && node.masteryStatus === 'unseen')
    .map((node) => withPlace(node, false))
}

/** The concept, placed or not. */
export function withPlace(node: MindMapNode, placed: boolean): MindMapNode {
  if (placed === (node.metadata.placed === true)) return node
  const { placed: _, ...metadata } = node.metadata
  return { ...node, metadata: placed ? { ...metadata, placed } : metadata }
}
