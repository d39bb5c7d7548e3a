import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createAccount, openAccount, sendAs } from '../../test/harness/operators.ts'
import { pollUntil } from '../../test/harness/wait.ts'

let database: TestDatabase
let app: TestApp
/** Another process on the same database. */
let other: TestApp
before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  other = await openTestApp({ databaseUrl: database.url })
})
after(async () => {
  await other.close()
  await app.close()
  await database.drop()
})

const users = (at: TestApp = app) => at.client.operator('GET', '/operator/users')
const switchOff = () => app.client.operator('PUT', '/operator/token', { is_enabled: false })

test('the operator token is switched off and on by an owner, and stays on without one', async () => {
  const alone = await switchOff()
  assert.deepEqual([alone.status, alone.body.error], [409, 'owner_required'])
  const invited = { email: 'o@example.com', name: 'O', role: 'owner' }
  await app.client.operator('POST', '/operator/accounts', invited)
  assert.equal((await switchOff()).body.error, 'owner_required')
  await createAccount(app, { email: 's@example.com', role: 'support' })
  assert.equal((await switchOff()).body.error, 'owner_required')

  const owner = await openAccount(app, { email: 'a@example.com', role: 'owner' })
  for (const process of [app, other]) assert.equal((await users(process)).status, 200)
  const off = await sendAs(app, owner.token, 'PUT', '/operator/token', { is_enabled: false })
  assert.deepEqual([off.status, off.body.is_enabled], [200, false])
  assert.equal((await users()).status, 401)
  await pollUntil('the other process refuses the token', async () => {
    return (await users(other)).status === 401
  })
  assert.equal((await sendAs(other, owner.token, 'GET', '/operator/users')).status, 200)

  const on = await sendAs(app, owner.token, 'PUT', '/operator/token', { is_enabled: true })
  assert.deepEqual([on.status, on.body], [200, { is_enabled: true, disabled_at: null }])
  assert.equal((await users()).status, 200)
  await pollUntil('the other process accepts the token', async () => {
    return (await users(other)).status === 200
  })
})
