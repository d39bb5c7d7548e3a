import { Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { ok, type Route, route } from '../../http/route.ts'
import { allSites } from '../../http/site-rule.ts'
import { timestamp } from '../../kernel/clock.ts'
import { Failure } from '../../kernel/failure.ts'
import { pathId } from '../../kernel/ids.ts'
import { IdText, Timestamp } from '../../kernel/schema.ts'
import {
  permitWholeApplication,
  unknownApplication,
  wholeApplicationTokenRule,
  wholeRefusals,
} from '../applications/access.ts'
import { endAuthorization } from '../commands.ts'
import { findApplication } from '../store.ts'
import { type GrantedAuthorization, listAuthorizations } from './store.ts'

const tag = 'Users and applications'

const GrantAnswer = Type.Object({
  user_id: Type.String(),
  app_id: Type.String(),
  date_created: { ...Timestamp, description: 'When the user authorized the application' },
  scopes: Type.Array(Type.String()),
})

function grantView({ userId, applicationId, dateCreated, scopes }: GrantedAuthorization) {
  return {
    user_id: String(userId),
    app_id: String(applicationId),
    date_created: timestamp(dateCreated),
    scopes,
  }
}

/** Returns the user id of the path. Throws `access_denied` if the token belongs to another user. */
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
  summary: 'List the applications that a user has authorized',
  description:
    'Returns the applications that may act for you, with their scopes. A token of an application lists only that application; one without an application, such as one of the console, lists all. Another user’s id fails with `access_denied`.',
  params: Type.Object({ user_id: IdText }),
  answers: { 200: Type.Array(GrantAnswer) },
  async handle({ db }, { caller, params }) {
    const userId = ownId(params.user_id, caller)
    const { applicationId } = caller
    const filter = { userId, ...(applicationId === null ? {} : { applicationId }) }
    return ok((await listAuthorizations(db, filter)).granted.map(grantView))
  },
})

const deleteApplication = route({
  method: 'DELETE',
  url: '/users/:user_id/applications/:app_id',
  scope: 'write',
  tag,
  summary: 'Revoke the access of an application',
  description:
    'Deletes your authorization of an application. Its access and refresh tokens for you are refused at once. A token of an application can revoke only that application’s access. A token without an application, such as one of the console, can revoke any. Another user’s id, and another application than that of the token, fail with 403 `access_denied`. An application that you have not authorized answers 404 `not_found`.',
  refuses: { not_found: 'The user has not authorized this application' },
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
      throw new Failure('not_found', 'The user has not authorized this application')
    }
    const msg = 'Authorization deleted'
    return ok({ user_id: String(userId), app_id: String(applicationId), msg })
  },
})

/** The list of an application's grants, for the application as a whole and for the operator. */
function grantsUnder(prefix: '' | '/operator'): Route {
  const isOperators = prefix === '/operator'
  return route({
    method: 'GET',
    url: `${prefix}/applications/:application_id/grants`,
    scope: isOperators ? 'operator' : 'read',
    permission: 'applications:read',
    sites: allSites,
    tag: isOperators ? 'Operator: users and applications' : tag,
    summary: 'List the users who have authorized an application',
    description: isOperators
      ? 'Returns a page of the users with the scopes that they granted, the oldest grant first. Works for any application; an unknown one answers 404 `not_found`.'
      : `Returns a page of the users with the scopes that they granted, the oldest grant first. ${wholeApplicationTokenRule} As a user, call \`/users/{user_id}/applications\` instead.`,
    refuses: isOperators ? unknownApplication : wholeRefusals,
    params: Type.Object({ application_id: IdText }),
    permit: permitWholeApplication,
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Users per page. Default: 50' }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    }),
    answers: {
      200: Type.Object({
        paging: Type.Object({
          total: Type.Integer(),
          limit: Type.Integer(),
          offset: Type.Integer(),
        }),
        grants: Type.Array(GrantAnswer),
      }),
    },
    async handle({ db }, { caller, params, query }) {
      const applicationId = pathId('application_id', params.application_id)
      if (!caller && !(await findApplication(db, applicationId))) {
        throw new Failure('not_found', `Application not found: ${applicationId}`)
      }
      const { limit = 50, offset = 0 } = query
      const { granted, total } = await listAuthorizations(db, { applicationId, limit, offset })
      return ok({ paging: { total, limit, offset }, grants: granted.map(grantView) })
    },
  })
}

export const grantRoutes: Route[] = [getApplications, deleteApplication, grantsUnder('')]
export const grantAdminRoutes: Route[] = [grantsUnder('/operator')]
