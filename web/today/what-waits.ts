import type { AgendaItem, AgendaView } from '../../src/contracts/agenda.ts'
import type { ArcView } from '../../src/contracts/arc.ts'
import { isEnded, nameOf } from '../topics/names.ts'

export interface DueTopic {
  arcId: string
  topic: string
  labels: string[]
}

/** What is due by topic, in the order in which the topics come first. */
export function dueByTopic(due: readonly AgendaItem[]): DueTopic[] {
  const topics = new Map<string, DueTopic>()
  for (const { arcId, topic, label } of due) {
    const known = topics.get(arcId)
    if (known) known.labels.push(label)
    else topics.set(arcId, { arcId, topic, labels: [label] })
  }
  return [...topics.values()]
}

/** Where to go on: what the agenda says, else the open topic with a question waiting, else the one last studied. */
export function openArc(
  next: AgendaView['next'],
  arcs: readonly ArcView[],
): { arcId: string; label: string; name: string } | null {
  const named = next && arcs.find(({ arcId }) => arcId === next.arcId)
  if (next) return { ...next, name: named ? nameOf(named) : next.label }
  const open = arcs
    .filter((arc) => !isEnded(arc) && !arc.archived && !arc.paused && arc.pendingQuestion !== null)
    .sort((a, b) => studiedAt(b) - studiedAt(a))[0]
  if (!open) return null
  const name = nameOf(open)
  return { arcId: open.arcId, label: open.currentNode?.label ?? name, name }
}

const studiedAt = ({ lastSessionAt, startedAt }: ArcView): number =>
  Date.parse(lastSessionAt ?? startedAt)
