import type { Route } from '../../src/http/route.ts'
import type { TestApp } from '../harness/app.ts'
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
export async function createOperatorResources(app: TestApp, { url }: Route) {
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
  return {
    id: [url.startsWith('/operator/keys') ? key.id : account.id],
    session_id: ['current'],
    operator_token: [account.token],
    email: [email],
    password: [operatorPassword],
    current_password: [operatorPassword],
    code: [codeAt(secret, app.ctx.now())],
    invitation: [invitation],
    role: [role],
    allowed_addresses: [['127.0.0.1']],
    expires_at: [new Date(app.ctx.now().getTime() + 60_000).toISOString()],
  }
}
