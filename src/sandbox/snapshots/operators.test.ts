import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import {
  createAccount,
  createKey,
  openAccount,
  sendAs,
  signIn,
  succeed,
} from '../../../test/harness/operators.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

test('loading a snapshot gives nobody a right that was taken, and takes none', async () => {
  const owner = await openAccount(app, { email: 'owner@example.com', role: 'owner' })
  const demoted = await openAccount(app, { email: 'demoted@example.com', role: 'owner' })
  const revoked = await createKey(app, { role: 'read-only' })
  const snapshot = '/operator/sandbox/snapshots/before'
  await succeed(app.client.operator('PUT', snapshot, {}))

  const account = `/operator/accounts/${demoted.id}`
  await succeed(sendAs(app, owner.token, 'PATCH', account, { role: 'read-only' }))
  await succeed(sendAs(app, owner.token, 'DELETE', `/operator/keys/${revoked.id}`))
  const laterId = await createAccount(app, { email: 'later@example.com', role: 'support' })
  const laterKey = await createKey(app, { role: 'read-only' })
  await succeed(sendAs(app, owner.token, 'PUT', '/operator/token', { is_enabled: false }))
  await succeed(sendAs(app, owner.token, 'POST', `${snapshot}/load`, {}))

  const list = (token: string) => sendAs(app, token, 'GET', '/operator/users')
  assert.equal((await list(revoked.key)).status, 401)
  assert.equal((await list(laterKey.key)).status, 200)
  assert.equal((await app.client.operator('GET', '/operator/users')).status, 401)
  const denied = await sendAs(app, demoted.token, 'GET', '/operator/accounts')
  assert.deepEqual([denied.status, denied.body.error], [403, 'permission_denied'])
  await signIn(app, { email: 'later@example.com' })
  // New ids do not meet those that were given since the snapshot.
  const invited = { email: 'next@example.com', name: 'Next', role: 'support' }
  const next = await succeed(sendAs(app, owner.token, 'POST', '/operator/accounts', invited))
  assert.ok(next.account.id > laterId)
  const key = { name: 'next', role: 'read-only' }
  const nextKey = await succeed(sendAs(app, owner.token, 'POST', '/operator/keys', key))
  assert.ok(nextKey.id > laterKey.id)
})
