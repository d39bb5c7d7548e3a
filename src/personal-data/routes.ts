import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { linesType } from '../http/bodies/lines.ts'
import { ok, type Route, type RouteResponse, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { findUser } from '../identity/store.ts'
import type { User } from '../identity/user.ts'
import { timestamp } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { pathId } from '../kernel/ids.ts'
import { Id, IdText, OrNull, Timestamp } from '../kernel/schema.ts'
import type { Context } from '../platform/context.ts'
import { startErasure } from './commands.ts'
import { erasureSteps } from './erasure.ts'
import { endLine, exportRows } from './export.ts'
import { keptData } from './kept-data.ts'
import { type Erasure, erasureStates, findErasure } from './store.ts'

const tag = 'Operator: personal data'
const params = Type.Object({ id: IdText })

const ErasureAnswer = Type.Object({
  user_id: Id,
  state: Type.Enum([...erasureStates]),
  step: OrNull(
    Type.Enum([...erasureSteps], { description: 'What is erased next. Null once it is finished.' }),
  ),
  pass: Type.Integer({
    minimum: 1,
    description: 'The erasure passes through all steps until a pass finds nothing.',
  }),
  erased: Type.Record(Type.String(), Type.Integer(), {
    description: 'Number of changed or deleted rows, by what they are.',
    examples: [{ account: 9, orders: 3, messages: 12 }],
  }),
  kept: Type.Array(
    Type.Object({
      data: Type.String({
        description: 'What stays of the user.',
        examples: ['Claims and ratings without their texts'],
      }),
      reason: Type.String({
        description: 'Why it stays.',
        examples: ['The reputation and the history of the other party count them.'],
      }),
    }),
  ),
  date_created: Timestamp,
  last_updated: Timestamp,
  date_finished: OrNull(Timestamp),
})

const getPersonalData = route({
  method: 'GET',
  url: '/operator/users/:id/personal-data',
  scope: 'operator',
  permission: 'personal-data:export',
  sites: allSites,
  tag,
  summary: 'Export the personal data of a user',
  description:
    'Returns everything stored about a user, one JSON object per line, each with its `kind`. Files of attachments follow in pieces of `kind` `file`, in base64. The last line has the `kind` `end` and the number of lines before it: without it, the export is incomplete. What is about other parties only is left out. An unknown id answers 404 `not_found`.',
  refuses: { not_found: 'User not found: 468424240' },
  params,
  answers: {
    200: {
      ...Type.Object({
        kind: Type.String({ description: 'What the line is about.', examples: ['note'] }),
        data: Type.Object(
          {},
          {
            description: 'Its fields, which depend on the kind.',
            examples: [{ order_id: 2000003508419013, note: 'A gift' }],
          },
        ),
      }),
      contentMediaType: 'application/x-ndjson',
    },
  },
  async handle(ctx, { params }) {
    const id = pathId('id', params.id)
    const user = await findUser(ctx.db, id)
    if (!user) throw new Failure('not_found', `User not found: ${id}`)
    const content = Readable.from(exportText(ctx, user), { objectMode: false })
    return { status: 200, content, headers: { 'content-type': linesType } }
  },
})

async function* exportText(ctx: Context, user: User): AsyncGenerator<string> {
  let lines = 0
  for await (const row of exportRows(ctx, user)) {
    for await (const line of row.lines) {
      yield `${JSON.stringify(line)}\n`
      lines++
    }
  }
  yield endLine(lines)
}

const postErasure = route({
  method: 'POST',
  url: '/operator/users/:id/erasure',
  scope: 'operator',
  permission: 'personal-data:erase',
  sites: allSites,
  isSensitive: true,
  audits: 'user',
  tag,
  summary: 'Erase the personal data of a user',
  description:
    'Ends every session, token and authorization of the user at once, replaces the nickname, and starts to erase all other personal data in the background. It cannot be undone. Repeat it at any time: a running erasure goes on, a finished one looks for data that was written since. The id is not used again. Applications that the user owns end, unless you give them another owner first. Open sales lose their addresses too, so let them end first. An unknown id answers 404 `not_found`.',
  refuses: { not_found: 'User not found: 468424240' },
  params,
  answers: { 202: ErasureAnswer },
  async handle(ctx, { params, operator: actor }): Promise<RouteResponse> {
    const erasure = await startErasure(ctx, { userId: pathId('id', params.id), actor })
    return { status: 202, body: erasureView(erasure) }
  },
})

const getErasure = route({
  method: 'GET',
  url: '/operator/users/:id/erasure',
  scope: 'operator',
  permission: 'personal-data:erase',
  sites: allSites,
  tag,
  summary: 'Get the erasure of a user',
  description:
    'Returns how far the erasure of a user is, what was erased, and what is kept and why. Without an erasure the answer is 404 `not_found`.',
  refuses: { not_found: 'No erasure of user 468424240' },
  params,
  answers: { 200: ErasureAnswer },
  async handle({ db }, { params }) {
    const id = pathId('id', params.id)
    const erasure = await findErasure(db, id)
    if (!erasure) throw new Failure('not_found', `No erasure of user ${id}`)
    return ok(erasureView(erasure))
  },
})

function erasureView(erasure: Erasure): object {
  return {
    user_id: erasure.userId,
    state: erasure.state,
    step: erasure.state === 'running' ? erasure.step : null,
    pass: erasure.pass,
    erased: erasure.erased,
    kept: keptData,
    date_created: timestamp(erasure.dateCreated),
    last_updated: timestamp(erasure.lastUpdated),
    date_finished: timestamp(erasure.dateFinished),
  }
}

export const personalDataRoutes: Route[] = [getPersonalData, postErasure, getErasure]
