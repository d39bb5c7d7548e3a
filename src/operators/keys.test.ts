import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createKey, sendAs, succeed } from '../../test/harness/operators.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import { hourMs, minuteMs, secondMs } from '../kernel/clock.ts'
import { isAllowedAddress, parseNetwork } from './credentials.ts'

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

const list = (token: string, at: TestApp = app) => sendAs(at, token, 'GET', '/operator/users')
const keyOf = async (id: number) => {
  const { keys } = await succeed(app.client.operator('GET', '/operator/keys'))
  return keys.find((key: { id: number }) => key.id === id)
}

test('a key may do what its role may, and nothing else', async () => {
  const { key } = await createKey(app, { role: 'read-only' })
  assert.match(key, /^feria_key_[0-9a-f]{64}$/)
  assert.equal((await list(key)).status, 200)
  const user = { site_id: 'MLA', nickname: 'X' }
  const refused = await sendAs(app, key, 'PUT', '/operator/users/7', user)
  assert.deepEqual([refused.status, refused.body.error], [403, 'permission_denied'])
  assert.match(refused.body.message, /users:write/)
})

test('a key is shown once and stored as a digest', async () => {
  const { id, key } = await createKey(app, { role: 'read-only' })
  const stored = await app.ctx.db.rows<{ row: string }>({
    name: '',
    text: 'select k::text as row from operator_keys k where id = $1',
    values: [id],
  })
  assert.ok(stored[0] && !stored[0].row.includes(key.slice('feria_key_'.length)))
  const listed = await keyOf(id)
  assert.equal(listed.key, undefined)
  assert.ok(key.startsWith(listed.begins_with))
})

test('a key ends at its moment, also while it is cached', async () => {
  const expires_at = new Date(app.ctx.now().getTime() + 2 * secondMs).toISOString()
  const { key } = await createKey(app, { role: 'read-only', expires_at })
  assert.equal((await list(key)).status, 200)
  app.advance(2 * secondMs)
  assert.equal((await list(key)).status, 401)
})

test('a revoked key is refused at once, in every process', async () => {
  const { id, key } = await createKey(app, { role: 'read-only' })
  for (const process of [app, other]) assert.equal((await list(key, process)).status, 200)
  await succeed(app.client.operator('DELETE', `/operator/keys/${id}`))
  assert.equal((await list(key)).status, 401)
  // The signal travels with the commit, and the clock stands still: nothing else ends the cached key.
  await pollUntil(
    'the other process refuses the key',
    async () => (await list(key, other)).status === 401,
  )
  assert.equal((await app.client.operator('DELETE', `/operator/keys/${id}`)).status, 404)
})

test('a rotated key works until its overlap ends, and the one before it ends at once', async () => {
  const first = await createKey(app, { role: 'read-only' })
  const rotate = (body: object) =>
    succeed(app.client.operator('POST', `/operator/keys/${first.id}/rotate`, body))
  const second = await rotate({ overlap_hours: 2 })
  assert.deepEqual([(await list(first.key)).status, (await list(second.key)).status], [200, 200])
  const third = await rotate({ overlap_hours: 2 })
  assert.equal((await list(first.key)).status, 401)
  app.advance(2 * hourMs)
  assert.deepEqual([(await list(second.key)).status, (await list(third.key)).status], [401, 200])
})

test('a key is accepted from its addresses only', async () => {
  const elsewhere = await createKey(app, {
    role: 'read-only',
    allowed_addresses: ['203.0.113.0/24'],
  })
  assert.equal((await list(elsewhere.key)).status, 401)
  const here = await createKey(app, { role: 'read-only', allowed_addresses: ['127.0.0.1'] })
  assert.equal((await list(here.key)).status, 200)
  const body = { name: 'x', role: 'read-only', allowed_addresses: ['127.0.0.1', 'localhost'] }
  const refused = await app.client.operator('POST', '/operator/keys', body)
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^allowed_addresses\[1\]: /)
})

test('addresses are compared by value, however they are written', () => {
  const cases: [address: string, networks: string[], expected: boolean][] = [
    ['10.1.2.3', [], true],
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8', '11.1.2.3'], true],
    ['11.1.2.4', ['10.0.0.0/8', '11.1.2.3'], false],
    ['2001:db8::1', ['2001:DB8::/32'], true],
    ['2001:db9::1', ['2001:db8::/32'], false],
    ['10.1.2.3', ['::/0'], false],
    ['nonsense', ['0.0.0.0/0'], false],
    ['10.1.2.3:443', ['10.0.0.0/8'], true],
    ['[2001:db8::1]:443', ['2001:db8::/32'], true],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['0x0a.1.2.3', ['10.0.0.0/8'], false],
    ['167838211', ['10.0.0.0/8'], false],
  ]
  for (const [address, networks, expected] of cases) {
    const parsed = networks.map((network) => parseNetwork(network) ?? assert.fail(network))
    assert.equal(isAllowedAddress(address, parsed), expected, `${address} in ${networks}`)
  }
  const wrong = ['', '10', '10.1', '0x0a.1.1.1', '10.0.0.0/33', 'a', '1.2.3.4/8/8', '10.0.0.0/']
  // Programs read these differently, or would find no address in them.
  const odd = ['010.0.0.0/8', '0x0a.0.0.0/8', '10.1/16', '::ffff:10.0.0.0/104', 'fe80::1%eth0/64']
  for (const text of [...wrong, ...odd]) {
    assert.equal(parseNetwork(text), undefined, text)
  }
})

test('the last use of a key is stored at most once a minute', async () => {
  const { id, key } = await createKey(app, { role: 'read-only' })
  assert.equal((await keyOf(id)).last_used, null)
  await list(key)
  const first = app.ctx.now().toISOString()
  assert.equal((await keyOf(id)).last_used, first)
  app.advance(30 * secondMs)
  await list(key)
  assert.equal((await keyOf(id)).last_used, first)
  app.advance(minuteMs)
  await list(key)
  assert.equal((await keyOf(id)).last_used, app.ctx.now().toISOString())
})

test('a key calls no sensitive operation, whatever its role', async () => {
  const { key } = await createKey(app, { role: 'owner' })
  assert.equal((await sendAs(app, key, 'GET', '/operator/keys')).status, 200)
  const body = { name: 'x', role: 'owner' }
  const refused = await sendAs(app, key, 'POST', '/operator/keys', body)
  assert.deepEqual([refused.status, refused.body.error], [403, 'account_required'])
  assert.equal((await sendAs(app, key, 'GET', '/operator/accounts/me')).status, 403)
})

test('unknown and damaged keys are refused, in the header and in the query', async () => {
  const { key } = await createKey(app, { role: 'owner' })
  for (const token of [`${key}0`, key.slice(0, -1), key.toUpperCase(), 'feria_key_', '']) {
    assert.equal((await list(token)).status, 401, token)
  }
  assert.equal((await app.client.get(`/operator/users?access_token=${key}`)).status, 401)
})

test('an operator who may read listings sees why the search ranks them so', async () => {
  const path = '/sites/MLA/search?q=pava&explain=true'
  const reader = await createKey(app, { role: 'read-only' })
  assert.equal((await app.client.get(path, reader.key)).status, 200)
  const finance = await createKey(app, { role: 'finance' })
  assert.equal((await app.client.get(path, finance.key)).status, 401)
  const discovery = '/sites/MLA/domain_discovery/search?q=pava&explain=true'
  assert.equal((await app.client.get(discovery, reader.key)).status, 200)
  assert.equal((await app.client.get(discovery, finance.key)).status, 401)
})
