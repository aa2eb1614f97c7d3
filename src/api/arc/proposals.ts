import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { requireArc, requireOpen, wakeArc } from '../../commands/arc/arcs.ts'
import type { Dependencies } from '../../commands/context.ts'
import { notFound, Problem } from '../../commands/problem.ts'
import { ReplanProposal } from '../../contracts/arc.ts'
import { text } from '../../contracts/text.ts'
import type { ArcRow } from '../../store/arc/arcs.ts'
import { decideProposal, readProposals } from '../../store/arc/proposals.ts'
import type { Api, Environment } from '../http/environment.ts'
import { arcParams, json, onInvalid, problems } from '../http/route-parts.ts'

const DECISIONS = [
  { path: 'accept', decision: 'accepted', summary: 'Have the part planned again' },
  { path: 'decline', decision: 'declined', summary: 'Leave the part as it is' },
] as const

/** `/api/arcs/:arcId/proposals`: parts of the map that struggle, to be planned again if the learner likes. */
export function arcProposalRoutes(dependencies: Dependencies): Api {
  const { db } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/proposals',
      summary: 'Proposals to plan a struggling part again, newest first',
      request: { params: arcParams },
      responses: {
        200: json(z.object({ items: z.array(ReplanProposal) }), 'Proposals'),
        ...problems(404),
      },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      return c.json({ items: await readProposals(db, arc.id) }, 200)
    },
  )

  for (const { path, decision, summary } of DECISIONS) {
    api.openapi(
      createRoute({
        method: 'post',
        path: `/{arcId}/proposals/{proposalId}/${path}`,
        summary,
        request: { params: arcParams.extend({ proposalId: text }) },
        responses: { 202: json(ReplanProposal, 'Taken up'), ...problems(404, 409, 422) },
      }),
      async (c) => {
        const { arcId, proposalId } = c.req.valid('param')
        const arc = await requireArc(dependencies, c.var.actor, arcId)
        return c.json(await decide(dependencies, arc, proposalId, decision), 202)
      },
    )
  }
  return api
}

/**
 * Takes the learner's word on a proposal; the same word again changes nothing.
 * @throws {Problem} 404 for a proposal the arc does not have, 409 once it is decided otherwise or the arc is closed
 */
async function decide(
  dependencies: Dependencies,
  arc: ArcRow,
  proposalId: string,
  decision: 'accepted' | 'declined',
): Promise<ReplanProposal> {
  const { db } = dependencies
  const [proposal] = await readProposals(db, arc.id, proposalId)
  if (!proposal) throw notFound('proposal')
  requireOpen(arc)
  const { id, reason } = proposal
  const input = { entityId: arc.id, id: `proposal/${id}`, type: 'replan', payload: { reason } }
  const isAccepted = decision === 'accepted'
  const before = await decideProposal(db, id, decision, isAccepted ? input : null)
  if (before === 'open' && isAccepted) await wakeArc(dependencies, arc)
  if (before !== 'open' && before !== decision) {
    throw new Problem(409, `The proposal is ${before} already.`)
  }
  const [decided] = await readProposals(db, arc.id, id)
  return decided ?? proposal
}
