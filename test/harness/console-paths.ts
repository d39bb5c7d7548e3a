import type { ConsoleFixture } from './console.ts'

/** The demo data's seller, on whose account there is something of everything. */
export const demoSeller = 100000001

/** Addresses of the operator's pages below `/console`. */
export function operatorPaths(fixture: ConsoleFixture): string[] {
  const order = fixture.startupValue('ORDER')
  return [
    '/operator',
    '/operator/orders',
    `/operator/orders?seller=${demoSeller}&tags=paid`,
    `/operator/orders?seller=${demoSeller}&q=zzzz`,
    `/operator/orders/${order}`,
    '/operator/orders/1',
    '/operator/conversations',
    `/operator/conversations?seller=${demoSeller}`,
    `/operator/conversations/${fixture.startupValue('TALK')}/${demoSeller}`,
    '/operator/moderation',
    '/operator/catalogue',
    '/operator/catalogue?category=MLB1055',
    '/operator/catalogue/predictor',
    '/operator/catalogue/predictor?site=MLA&q=Heladera%20no%20frost%20blanca',
    '/operator/catalogue/predictor?site=MLA&q=zzzz',
    '/operator/catalogue/versions',
    '/operator/users',
    '/operator/users?nickname=nobody-so',
    `/operator/users/${demoSeller}`,
    '/operator/jobs',
    '/operator/jobs?state=failed',
    '/operator/jobs/000000000000000000000000',
    '/operator/account',
    '/operator/accounts',
    '/operator/accounts/1',
    '/operator/roles',
    '/operator/roles/support',
    '/operator/roles/nobody-has-it',
    '/operator/new-role?from=support',
    '/operator/keys',
    '/operator/audit',
    '/operator/audit?target=order:1',
    '/invitation',
    `/invitation#feria_invitation_${'0'.repeat(64)}`,
    '/operator/sandbox',
  ]
}

/** Addresses of an integrator's pages below `/console`, and what else the operator's token opens there. */
export function integratorPaths(fixture: ConsoleFixture): string[] {
  const id = fixture.startupValue('APPLICATION')
  const resource = encodeURIComponent(`/orders/${fixture.startupValue('ORDER')}`)
  const own = `/applications/${id}`
  return [
    '/',
    '/applications',
    '/applications/new',
    own,
    `${own}/feed`,
    `${own}/explain?resource=${resource}`,
    `${own}/replays`,
    `${own}/grants`,
    `${own}/settings`,
    '/tokens',
    '/try',
    '/nothing/here',
    '/try?op=PUT%20%2Fapplications%2F%7Bapplication_id%7D',
    '/operator/applications',
    `/operator${own}`,
  ]
}
