import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../test/harness/app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createAccount, openAccount, sendAs } from '../../test/harness/operators.ts'
import { override } from '../../test/harness/override.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import type { Db } from '../platform/database/database.ts'
import { createAuthenticateOperator } from './authenticate.ts'

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

test('whoever may write to the database switches the token on again, within five seconds', async () => {
  const owner = await openAccount(app, { email: 'b@example.com', role: 'owner' })
  const off = await sendAs(app, owner.token, 'PUT', '/operator/token', { is_enabled: false })
  assert.equal(off.status, 200)
  assert.equal((await users()).status, 401)
  const text = 'update operator_access set token_disabled_at = null'
  await app.ctx.db.rows({ name: '', text, values: [] })
  app.advance(5_000)
  assert.equal((await users()).status, 200)
})

test('a process that hears of no changes remembers no credential', async () => {
  const { id, token } = await openAccount(app, { email: 'c@example.com', role: 'owner' })
  const signals = override(app.ctx.signals, { listening: false })
  const authenticate = createAuthenticateOperator(override(app.ctx, { signals }))
  const request = { authorization: `Bearer ${token}`, address: '127.0.0.1' }
  assert.equal((await authenticate(request))?.actor.kind, 'account')
  const text = `update operator_accounts set status = 'disabled' where id = $1`
  await app.ctx.db.rows({ name: '', text, values: [id] })
  assert.equal(await authenticate(request), undefined)
})

test('while the database does not answer, the token stays as it was, and sessions are not known', async () => {
  const { token } = await openAccount(app, { email: 'd@example.com', role: 'owner' })
  let isDown = false
  const row: Db['row'] = (statement) =>
    isDown ? Promise.reject(new Error('no database')) : app.ctx.db.row(statement)
  const db = override(app.ctx.db, { row })
  const authenticate = createAuthenticateOperator(override(app.ctx, { db }))
  const by = (bearer: string) =>
    authenticate({ authorization: `Bearer ${bearer}`, address: '127.0.0.1' })
  isDown = true
  await assert.rejects(by(operatorToken), 'it was never read')
  isDown = false
  assert.equal((await by(operatorToken))?.actor.kind, 'token')
  isDown = true
  app.advance(60_000)
  assert.equal((await by(operatorToken))?.actor.kind, 'token')
  await assert.rejects(by(token))
})
