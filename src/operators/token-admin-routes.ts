import { Type } from 'typebox'
import { ok, type Route, route } from '../http/route.ts'
import { allSites } from '../http/site-rule.ts'
import { timestamp } from '../kernel/clock.ts'
import { OrNull, StrictObject, Timestamp } from '../kernel/schema.ts'
import { switchToken } from './commands.ts'
import { findTokenDisabledAt } from './store.ts'
import { stateOfToken, versionedToken } from './versioned.ts'
import { tag } from './view.ts'

const common = {
  scope: 'operator',
  permission: 'accounts:manage',
  sites: allSites,
  tag,
  url: '/operator/token',
} as const
const TokenAnswer = Type.Object({
  is_enabled: Type.Boolean({ description: 'Whether the operator token is accepted' }),
  disabled_at: OrNull({ ...Timestamp, description: 'When it was switched off. Null: it is on' }),
})

const getToken = route({
  ...common,
  method: 'GET',
  versioned: versionedToken,
  summary: 'Get the state of the operator token',
  description: 'Returns whether the token of `FERIA_OPERATOR_TOKEN` is accepted.',
  answers: { 200: TokenAnswer },
  async handle({ db }) {
    const disabledAt = await findTokenDisabledAt(db)
    return { ...ok(tokenView(disabledAt)), state: stateOfToken(disabledAt) }
  },
})

const putToken = route({
  ...common,
  isSensitive: true,
  method: 'PUT',
  audits: 'operator_token',
  versioned: versionedToken,
  summary: 'Switch the operator token on or off',
  description:
    'Switches the token of `FERIA_OPERATOR_TOKEN` off once everybody has an account or a key, or on again. It applies at once, in every process. Without an active account with the role `owner`, switching it off answers 409 `owner_required`. It takes every permission (403 `permission_denied`).',
  refuses: { owner_required: '' },
  body: StrictObject({ is_enabled: Type.Boolean({ description: 'Whether it is accepted' }) }),
  answers: { 200: TokenAnswer },
  async handle(ctx, { body, operator }) {
    return ok(tokenView(await switchToken(ctx, { actor: operator, isEnabled: body.is_enabled })))
  },
})

function tokenView(disabledAt: Date | null) {
  return { is_enabled: disabledAt === null, disabled_at: timestamp(disabledAt) }
}

/** The operations about the operator's token. */
export const tokenAdminRoutes: Route[] = [getToken, putToken]
