import { Connection, WorkflowClient } from '@temporalio/client'
import { allRuns } from '../../support/histories.ts'
import { rowsOf, type WireWorld } from './trial.ts'

/** Rows that no fault of a model may leave behind, by what is wrong with them; each query names the entity. */
const INVALID: Record<string, string> = {
  'a fault of ours holds it up':
    'select id, fault::text as found from entities where fault is not null',
  'an input was set aside':
    'select entity_id as id, failure as found from inbox where failure is not null',
  'a question without text, answer or options': `
    select arc_id as id, text as found from arc_questions
    where btrim(text) = '' or btrim(expected) = '' or length(text) > 4000
      or (format = 'multiple_choice' and coalesce(jsonb_array_length(options), 0) < 2)`,
  'a message of junk': `
    select arc_id as id, left(text, 60) as found from arc_messages
    where btrim(text) = '' and role <> 'learner' or length(text) > 20000 or text ~ 'x{40}'`,
  'a quality out of range': `
    select session_id as id, quality::text as found from quiz_responses where quality not between 0 and 5`,
  'a response without a question': `
    select response.session_id as id, '' as found from quiz_responses response
    where question_id is null and response_type <> 'diagnostic'`,
  'an answer of 50 KB was kept':
    'select entity_id as id, step_key as found from model_steps where length(output::text) > 50000',
  'a turn of junk': `
    select session_id as id, left(tutor_response, 60) as found from conversation_turns
    where btrim(tutor_response) = '' or tutor_response ~ 'x{40}'`,
  'a concept that nothing leads to': `
    select coalesce(arcs.id, map.id) as id, node.label as found
    from mind_map_nodes node join mind_maps map on map.id = mind_map_id
      left join arcs on arcs.mind_map_id = map.id
    where node.id <> map.root_node_id
      and not exists (select 1 from mind_map_edges where child_node_id = node.id)`,
  'events with a gap': `
    select id, last_event::text as found from entities
    where last_event <> (select count(*) from events where stream = entities.id::text)`,
}

/** What is wrong with what is stored, by entity. */
export async function invalidRows(world: WireWorld): Promise<Map<string, string[]>> {
  const faults = new Map<string, string[]>()
  for (const [what, query] of Object.entries(INVALID)) {
    for (const { id, found } of await rowsOf<{ id: string; found: string | null }>(world, query)) {
      faults.set(id, [...(faults.get(id) ?? []), `${what}: ${found}`])
    }
  }
  return faults
}

/** What is wrong with the histories of all entities, by entity; none may have a workflow task that failed. */
export async function faultsOfHistories(
  world: WireWorld,
  address: string,
): Promise<{ faults: Map<string, string[]>; workflows: number; events: number }> {
  const entities = await rowsOf<{ id: string; workflow_id: string }>(
    world,
    'select id, workflow_id from entities',
  )
  const connection = await Connection.connect({ address })
  const client = new WorkflowClient({ connection })
  const faults = new Map<string, string[]>()
  let events = 0
  try {
    for (const { id, workflow_id } of entities) {
      const runs = await allRuns(client, workflow_id)
      const all = runs.flatMap((run) => run.events)
      events += all.length
      const bad = all.filter((event) => FAILED.test(event.eventType) && !isOvertaken(event))
      if (bad.length > 0) faults.set(id, [...new Set(bad.map((event) => JSON.stringify(event)))])
    }
  } finally {
    await connection.close()
  }
  return { faults, workflows: entities.length, events }
}

/** A signal came while the workflow was about to end: the server has it look again. */
const isOvertaken = (event: object) => JSON.stringify(event).includes('UNHANDLED_COMMAND')

const FAILED = /WORKFLOW_(TASK|EXECUTION)_FAILED|WORKFLOW_EXECUTION_(TERMINATED|TIMED_OUT)/
