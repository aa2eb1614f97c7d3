import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import type { CourseInput, CourseState } from '../../contracts/course-workflow.ts'
import { SEARCH_ATTRIBUTE } from '../../contracts/temporal.ts'

const masteryPct = defineSearchAttributeKey(
  SEARCH_ATTRIBUTE.masteryPct.name,
  SearchAttributeType.DOUBLE,
)

/** Shows the course in the Temporal UI: the share of units in gold, and the details as a page to read. */
export function showToOperator(
  { courseId }: CourseInput,
  state: CourseState,
  waiting: number,
): void {
  const { bronze, silver, gold, total } = state.mastered
  const pct = total === 0 ? 0 : Math.round((gold / total) * 100) / 100
  if (workflowInfo().typedSearchAttributes.get(masteryPct) !== pct) {
    upsertSearchAttributes([{ key: masteryPct, value: pct }])
  }
  const wakeAt = state.wakeAt === null ? 'none' : `${new Date(state.wakeAt).toISOString()}`
  setCurrentDetails(
    [
      `**Course ${courseId}**, focus ${state.focusUnitId}`,
      '',
      `- Units in bronze ${bronze}, silver ${silver}, gold ${gold}, of ${total}`,
      `- Questions to revisit: ${state.revisits}; next call-back: ${wakeAt}`,
      `- Requests waiting: ${waiting}; commits: ${state.generation}`,
    ].join('\n'),
  )
}
