/** What may be supposed of a learner's time, as the query of a forecast. */
import { z } from 'zod'

const date = z.iso.date()

export const Supposed = z
  .object({
    days: z.coerce.number().int().min(1).max(366).optional(),
    minutesPerDay: z.coerce.number().int().min(1).max(1_440).optional(),
    noWeekends: z.enum(['true', 'false']).optional(),
    aim: z.coerce.number().min(0.5).max(1).optional(),
    holidayFrom: date.optional(),
    holidayTo: date.optional(),
  })
  .refine(
    ({ holidayFrom, holidayTo }) =>
      (holidayFrom === undefined) === (holidayTo === undefined) &&
      (holidayFrom ?? '') <= (holidayTo ?? ''),
    { message: 'a holiday has a first day and a last one, in this order', path: ['holidayTo'] },
  )

export type Supposed = z.infer<typeof Supposed>
