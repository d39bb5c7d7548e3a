import type { Route } from '../../src/http/route.ts'
import { minuteMs } from '../../src/kernel/clock.ts'
import type { TestApp } from '../harness/app.ts'
import { begin, scriptedCode, signInPath } from '../harness/openid-provider.ts'
import {
  codeAt,
  createKey,
  openAccount,
  operatorPassword,
  sendAs,
  setUpTotp,
  succeed,
} from '../harness/operators.ts'

const paths = /^\/operator\/(accounts|invitations|keys|sessions|sign-in)\b/

export const isAboutOperators = ({ url }: Route) => paths.test(url)

/** An account with a session, an app to confirm and a key, and an invitation that nobody has accepted. None is an
 * owner: the operator's token stays on. */
export async function createOperatorResources(app: TestApp, route: Route) {
  const { url } = route
  const role = 'support'
  const email = `${app.ctx.random.hex(6)}@example.com`
  const account = await openAccount(app, { email, role })
  const invited = { email: `i${email}`, name: 'Invited', role }
  const { invitation } = await succeed(app.client.operator('POST', '/operator/accounts', invited))
  const twoFactor = '/operator/accounts/me/two-factor'
  const hasApp = url.endsWith('/recovery-codes')
  const { secret } = hasApp
    ? await setUpTotp(app, account.token)
    : await succeed(sendAs(app, account.token, 'POST', twoFactor))
  const key = await createKey(app, { role })
  const flow = /\/(openid|identity)$/.test(url) ? await createFlow(app, route, account.token) : {}
  return {
    id: [url.startsWith('/operator/keys') ? key.id : account.id],
    session_id: ['current'],
    operator_token: [account.token],
    email: [email],
    password: [operatorPassword],
    current_password: [operatorPassword],
    ...flow,
    code: [codeAt(secret, app.ctx.now())],
    invitation: [invitation],
    role: [role],
    allowed_addresses: [['127.0.0.1']],
    expires_at: [new Date(app.ctx.now().getTime() + 60_000).toISOString()],
  }
}

const identityPath = '/operator/accounts/me/identity'

/** A flow that the provider has answered, for an operation that finishes it. Its person is invited, or has the account,
 * which is linked unless the operation links it. */
async function createFlow(app: TestApp, { method, url }: Route, token: string) {
  const sub = app.ctx.random.hex(6)
  const answer = async (path: string, bearer?: string) => {
    const { authorization_url, state, verifier } = await begin(app, path, bearer)
    return { state, verifier, authorization_code: scriptedCode(authorization_url, sub) }
  }
  if (url === signInPath) {
    const invited = { email: `${sub}@example.com`, name: 'Invited', role: 'support' }
    await succeed(app.client.operator('POST', '/operator/accounts', invited))
    // Generated requests have begun as many as a network may.
    app.advance(15 * minuteMs)
    return asKnownValues(await answer(url))
  }
  if (method === 'POST' && url === identityPath) return asKnownValues(await answer(url, token))
  const body = await answer(identityPath, token)
  await succeed(sendAs(app, token, 'POST', identityPath, body))
  return method === 'POST' ? asKnownValues(await answer(url, token)) : {}
}

const asKnownValues = (values: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]))
