/** A learner's agenda at the edge: what waits today over all topics, and what was sent. */
import { z } from 'zod'
import { ChannelName } from './channel.ts'

export const AgendaItem = z.object({
  arcId: z.uuid(),
  topic: z.string(),
  nodeId: z.uuid(),
  label: z.string(),
  dueAt: z.iso.datetime(),
})

export const AgendaView = z.object({
  /** In the learner's zone, YYYY-MM-DD. */
  date: z.string(),
  /** What the cap lets through today, interleaved by arc. */
  due: z.array(AgendaItem),
  /** How long `due` takes, from the learner's own times. */
  minutes: z.int(),
  /** Where to go on when nothing is due, or after it. */
  next: z.object({ arcId: z.uuid(), label: z.string() }).nullable(),
  /** What waits behind the cap. */
  held: z.int(),
  /** How many come tomorrow, those that are held among them. */
  tomorrow: z.int(),
  nudges: z.array(
    z.object({
      id: z.uuid(),
      channel: z.union([ChannelName, z.literal('web')]),
      sentAt: z.iso.datetime(),
      answeredAt: z.iso.datetime().nullable(),
    }),
  ),
  holidayUntil: z.iso.datetime().nullable(),
  snoozedUntil: z.iso.datetime().nullable(),
})

export type AgendaItem = z.infer<typeof AgendaItem>
export type AgendaView = z.infer<typeof AgendaView>

/** `until`, or so many minutes from now; without either, an hour. */
export const Snooze = z.strictObject({
  until: z.iso.datetime({ offset: true }).optional(),
  minutes: z.int().min(1).max(43_200).optional(),
})
export type Snooze = z.infer<typeof Snooze>
