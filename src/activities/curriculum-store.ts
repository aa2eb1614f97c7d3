import { ApplicationFailure } from '@temporalio/activity'
import { type CurriculumStoreActivities, JOB_FAILURE } from '../contracts/curriculum-job.ts'
import { labelKey } from '../domain/mind-map/label.ts'
import { MapStatusError } from '../domain/mind-map/lifecycle.ts'
import { MapRuleError } from '../domain/mind-map/violation.ts'
import type { Db } from '../store/database.ts'
import { adoptGraph, replanMap } from '../store/maps/curriculum.ts'
import { GraphRefusal } from '../store/maps/stored-map.ts'
import { readStep } from '../store/model-steps.ts'

/** What a curriculum job writes; each in one transaction, and running it twice writes once. */
export function createCurriculumStoreActivities({ db }: { db: Db }): CurriculumStoreActivities {
  return {
    async adoptGraph({ generated, stepKey }) {
      const texts = await describedBy(db, stepKey)
      const descriptions = generated.map.nodes.map(({ id, label }) => ({
        nodeId: id,
        description: texts.get(labelKey(label)) ?? '',
      }))
      return adoptGraph(db, { ...generated, descriptions }).catch(asFailure)
    },

    async replanMap({ mindMapId, advice }) {
      if (!advice) return replanMap(db, mindMapId, null).catch(asFailure)
      const texts = await describedBy(db, advice.stepKey)
      const nodes = advice.additions.nodes.map((node) => ({
        ...node,
        description: texts.get(labelKey(node.label)) ?? '',
      }))
      const additions = { nodes, edges: advice.additions.edges }
      return replanMap(db, mindMapId, additions).catch(asFailure)
    },
  }
}

/** The descriptions of a step's concepts by label; they never pass through a workflow's history. */
async function describedBy(db: Db, stepKey: string): Promise<Map<string, string>> {
  const output = (await readStep(db, stepKey)) as {
    nodes?: { label: string; description?: string }[]
  } | null
  return new Map(
    (output?.nodes ?? []).map((node) => [labelKey(node.label), node.description ?? '']),
  )
}

function asFailure(error: unknown): never {
  if (error instanceof GraphRefusal || error instanceof MapStatusError) {
    throw ApplicationFailure.nonRetryable(error.message, JOB_FAILURE.conflict)
  }
  if (error instanceof MapRuleError) {
    throw ApplicationFailure.nonRetryable(error.message, JOB_FAILURE.refused)
  }
  throw error
}
