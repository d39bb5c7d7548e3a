import { Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText, Timestamp } from '../../kernel/schema.ts'
import { permitWhole, takesWhole } from '../owned/owner.ts'
import { findApplication } from '../store.ts'
import { endAuthorization } from './commands.ts'
import { type Granted, listGranted } from './store.ts'

const tag = 'Users and applications'

const GrantedAnswer = Type.Object({
  user_id: Type.String(),
  app_id: Type.String(),
  date_created: Timestamp,
  scopes: Type.Array(Type.String()),
})

function view({ userId, applicationId, dateCreated, scopes }: Granted) {
  return {
    user_id: String(userId),
    app_id: String(applicationId),
    date_created: timestamp(dateCreated),
    scopes,
  }
}

/** The user of the path, who must be the one of the token. */
function ownId(text: string, caller: Caller): number {
  const userId = pathId('user_id', text)
  if (userId !== caller.userId) throw new Failure('access_denied')
  return userId
}

const getApplications = route({
  method: 'GET',
  url: '/users/:user_id/applications',
  scope: 'read',
  tag,
  summary: 'Which applications a user lets act in the user’s name',
  description: 'A token of an application is told of that application alone.',
  params: Type.Object({ user_id: IdText }),
  answers: { 200: Type.Array(GrantedAnswer) },
  async handle({ db }, { caller, params }) {
    const userId = ownId(params.user_id, caller)
    const { applicationId } = caller
    const asked = { userId, ...(applicationId === null ? {} : { applicationId }) }
    return ok((await listGranted(db, asked)).granted.map(view))
  },
})

const deleteApplication = route({
  method: 'DELETE',
  url: '/users/:user_id/applications/:app_id',
  scope: 'write',
  tag,
  summary: 'Take access away from an application',
  description:
    'Its tokens are refused from now on, by every process. A token of an application ends what that application may do, one without an application whatever its user has granted.',
  params: Type.Object({ user_id: IdText, app_id: IdText }),
  answers: {
    200: Type.Object({ user_id: Type.String(), app_id: Type.String(), msg: Type.String() }),
  },
  async handle(ctx, { caller, params }) {
    const userId = ownId(params.user_id, caller)
    const applicationId = pathId('app_id', params.app_id)
    if (caller.applicationId !== null && caller.applicationId !== applicationId) {
      throw new Failure('access_denied')
    }
    const revokedBy = caller.applicationId === null ? 'user' : 'application'
    if (!(await endAuthorization(ctx, { userId, applicationId, revokedBy }))) {
      throw new Failure('not_found', 'The user has not authorised this application')
    }
    const msg = 'Authorization deleted'
    return ok({ user_id: String(userId), app_id: String(applicationId), msg })
  },
})

/** The same for who acts for the application as a whole and, under a prefix, for the operator. */
function grantsUnder(prefix: '' | '/operator'): Route {
  const isOperators = prefix === '/operator'
  return route({
    method: 'GET',
    url: `${prefix}/applications/:application_id/grants`,
    scope: isOperators ? 'operator' : 'read',
    tag: isOperators ? 'Operator: users and applications' : tag,
    summary: 'Which users let an application act in their name',
    description: isOperators
      ? 'Of any application.'
      : `${takesWhole} A user asks \`/users/{user_id}/applications\`.`,
    params: Type.Object({ application_id: IdText }),
    permit: permitWhole,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    }),
    answers: {
      200: Type.Object({
        paging: Type.Object({
          total: Type.Integer(),
          limit: Type.Integer(),
          offset: Type.Integer(),
        }),
        grants: Type.Array(GrantedAnswer),
      }),
    },
    async handle({ db }, { caller, params, query }) {
      const applicationId = pathId('application_id', params.application_id)
      if (!caller && !(await findApplication(db, applicationId))) {
        throw new Failure('not_found', `Application not found: ${applicationId}`)
      }
      const { limit = 50, offset = 0 } = query
      const { granted, total } = await listGranted(db, { applicationId, limit, offset })
      return ok({ paging: { total, limit, offset }, grants: granted.map(view) })
    },
  })
}

export const grantRoutes: Route[] = [getApplications, deleteApplication, grantsUnder('')]
export const grantAdminRoutes: Route[] = [grantsUnder('/operator')]
