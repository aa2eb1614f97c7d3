import type { Supposed } from '../../contracts/forecast.ts'
import { finishReason } from '../../domain/agenda/finish-reason.ts'
import { whatIf } from '../../domain/agenda/what-if.ts'
import { languageOfTag } from '../../domain/language/languages.ts'
import { hashText } from '../../domain/random/seeded-random.ts'
import { readPace, readStudies } from '../../store/agenda/studies.ts'
import type { Db } from '../../store/database.ts'

const DAYS = 90
/** Of somebody who was not there lately. */
const USUAL_MINUTES_PER_DAY = 15
const USUAL_MINUTES_PER_QUESTION = 1
const LEAST_MINUTES_PER_DAY = 5

/**
 * What becomes of a learner's topics if they study so; what is not said is as they did lately. The same on the same day
 * of the learner's, as long as they do nothing.
 */
export async function suppose(
  db: Db,
  learnerId: string,
  supposed: Supposed,
  dayMs: number,
  now: number,
) {
  const [studies, pace] = await Promise.all([
    readStudies(db, learnerId, dayMs),
    readPace(db, learnerId, now),
  ])
  const { aim = null, holidayFrom: from, holidayTo: to } = supposed
  const own = Math.max(LEAST_MINUTES_PER_DAY, pace.minutesPerDay ?? USUAL_MINUTES_PER_DAY)
  const minutesPerDay = supposed.minutesPerDay ?? Math.round(own)
  const found = whatIf(
    studies,
    {
      now,
      timeZone: pace.timeZone,
      studyMinute: minuteOf(pace.studyTime),
      minutesPerDay,
      minutesPerQuestion: pace.minutesPerQuestion ?? USUAL_MINUTES_PER_QUESTION,
      noWeekends: supposed.noWeekends === 'true',
      holiday: from && to ? { from, to } : null,
      aim,
      reviews: pace.reviews,
      quizzes: pace.quizzes,
    },
    supposed.days ?? DAYS,
    hashText(learnerId),
  )
  const { days: forecast, finish, limit } = found
  if (!finish || !limit) return { forecast, finish: null }
  const told = { days: limit.days, minutes: minutesPerDay }
  const reason = finishReason(limit.limit, told, languageOfTag(pace.language))
  return { forecast, finish: { ...finish, reason } }
}

function minuteOf(clock: string | null): number | null {
  if (clock === null) return null
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}
