import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import {
  anaId,
  applicationId,
  authorize,
  brunoId,
  createTestMarket,
  issueToken,
  placeOrder,
} from '../../test/harness/market.ts'
import { override } from '../../test/harness/override.ts'
import { pollUntil } from '../../test/harness/wait.ts'
import type { Context } from '../platform/context.ts'
import { createAuthenticate } from './tokens.ts'

let database: TestDatabase
let app: TestApp
let second: TestApp
let order: { id: number }

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  second = await openTestApp({ databaseUrl: database.url })
  await createTestMarket(app.client, null)
  order = await placeOrder(app.client)
})
after(async () => {
  await second.close()
  await app.close()
  await database.drop()
})

async function issue(more: object = {}): Promise<string> {
  return issueToken(app.client, { user_id: anaId, application_id: applicationId, ...more })
}

async function readsWith(token: string, at: TestApp = app): Promise<string | number> {
  const { status, body } = await at.client.get(`/orders/${order.id}`, token)
  return status === 200 ? status : body.message
}

const revoke = (access_token: string) =>
  app.client.operator('POST', '/operator/tokens/revoke', { access_token })

/** A way to look tokens up in which the answer of the database waits until it is let through. */
function slowly(ctx: Context) {
  const gate = Promise.withResolvers<void>()
  const queried = Promise.withResolvers<void>()
  let lookups = 0
  const db = override(ctx.db, {
    row: async <Row>(statement: Parameters<typeof ctx.db.row>[0]) => {
      lookups++
      const row = await ctx.db.row<Row>(statement)
      queried.resolve()
      await gate.promise
      return row
    },
  })
  const authenticate = createAuthenticate({ db, now: ctx.now, signals: ctx.signals })
  return { authenticate, queried: queried.promise, open: gate.resolve, lookups: () => lookups }
}

contract(
  'users',
  'a token is answered with its life and scope, in the recorded shape',
  async () => {
    const { body } = await app.client.operator('POST', '/operator/tokens', {
      user_id: anaId,
      application_id: applicationId,
    })
    assert.match(body.access_token, /^APP_USR-700700-031015-[0-9a-f]{32}-1001$/)
    const { access_token: _, ...rest } = body
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 21_600,
      scope: 'read write',
      user_id: anaId,
    })
  },
)

contract('users', 'a token itself lies nowhere in the database', async () => {
  const token = await issue()
  const secret = token.split('-')[3] ?? ''
  assert.equal(secret.length, 32)
  const tables = await app.ctx.db.rows<{ name: string }>({
    name: '',
    text: `select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
    values: [],
  })
  assert.ok(tables.length > 10)
  for (const { name } of tables) {
    const [row] = await app.ctx.db.rows<{ count: number }>({
      name: '',
      text: `select count(*) from ${name} t where t::text like '%' || $1 || '%'`,
      values: [secret],
    })
    assert.equal(row?.count, 0, name)
  }
})

contract(['5', 'errors'], 'a token ends with its life, remembered or not', async () => {
  const token = await issue({ expires_in: 60 })
  app.advance(59_999)
  assert.equal(await readsWith(token), 200)
  app.advance(1)
  assert.equal(await readsWith(token), 'invalid_token')
  second.advance(60_000)
  assert.equal(await readsWith(token, second), 'invalid_token')
})

contract(['5', 'errors'], 'a token may do what its scopes say, and no more', async () => {
  const denied = 'access to the requested resource is forbidden'
  assert.equal(await readsWith(await issue({ scopes: ['read'] })), 200)
  assert.equal(await readsWith(await issue({ scopes: ['write'] })), denied)
  assert.equal(await readsWith(await issue({ scopes: ['read', 'write'] })), 200)
})

contract('5', 'a token is issued only for what its user has authorised', async () => {
  await app.client.operator('PUT', `/operator/authorizations/${applicationId}/${anaId}`, {
    scopes: ['read'],
  })
  const cases: [body: object, field: string][] = [
    [{ user_id: 99 }, 'user_id'],
    [{ user_id: brunoId, application_id: applicationId }, 'application_id'],
    [{ user_id: anaId, application_id: 99 }, 'application_id'],
    [{ user_id: anaId, application_id: applicationId, scopes: ['write'] }, 'scopes'],
    [{ user_id: anaId, scopes: [] }, 'scopes'],
    [{ user_id: anaId, scopes: ['admin'] }, 'scopes[0]'],
    [{ user_id: anaId, expires_in: 0 }, 'expires_in'],
  ]
  for (const [body, field] of cases) {
    const refused = await app.client.operator('POST', '/operator/tokens', body)
    assert.equal(refused.status, 400, refused.text)
    assert.ok(refused.body.message.startsWith(`${field}: `), refused.body.message)
  }
  await authorize(app.client, applicationId, anaId)
})

contract(
  ['5', 'errors'],
  'a revoked token is refused at once here, and in the other process',
  async () => {
    const token = await issue()
    assert.equal(await readsWith(token), 200)
    assert.equal(await readsWith(token, second), 200)
    assert.equal((await revoke(token)).status, 204)
    assert.equal(await readsWith(token), 'invalid_token')
    await pollUntil(
      'the other process to forget it',
      async () => (await readsWith(token, second)) === 'invalid_token',
    )
    assert.equal((await revoke(token)).status, 404)
    assert.equal((await revoke('APP_USR-1')).status, 400)
  },
)

contract('5', 'ending an authorisation ends its tokens, and those alone', async () => {
  const token = await issue()
  const own = await issue({ application_id: null })
  const path = `/operator/authorizations/${applicationId}/${anaId}`
  assert.equal(await readsWith(token, second), 200)
  assert.equal((await app.client.operator('DELETE', path)).status, 204)
  assert.equal(await readsWith(token), 'invalid_token')
  await pollUntil(
    'the other process to forget it',
    async () => (await readsWith(token, second)) === 'invalid_token',
  )
  assert.equal(await readsWith(own), 200)
  assert.equal((await app.client.operator('DELETE', path)).status, 404)
  await app.client.operator('PUT', path, {})
  assert.equal(await readsWith(token), 'invalid_token', 'a new authorisation revives none')
})

contract('5', 'narrowing an authorisation ends the tokens that may do more', async () => {
  const path = `/operator/authorizations/${applicationId}/${anaId}`
  const wide = await issue()
  const narrow = await issue({ scopes: ['read'] })
  assert.equal(await readsWith(wide), 200)
  await app.client.operator('PUT', path, { scopes: ['read'] })
  assert.equal(await readsWith(wide), 'invalid_token')
  assert.equal(await readsWith(narrow), 200)
  await app.client.operator('PUT', path, {})
})

test('a look-up that began before a revocation is not remembered after it', async () => {
  const token = await issue()
  const slow = slowly(app.ctx)
  const early = slow.authenticate(token)
  await slow.queried
  await revoke(token)
  slow.open()
  assert.equal((await early)?.userId, anaId, 'it was valid when it was looked up')
  assert.equal(await slow.authenticate(token), undefined)
  assert.equal(slow.lookups(), 2)
})

test('a token is looked up once, and every time while revocations cannot be heard', async () => {
  const token = await issue()
  const tokenLookup = slowly(app.ctx)
  tokenLookup.open()
  for (let times = 0; times < 3; times++) assert.ok(await tokenLookup.authenticate(token))
  assert.equal(tokenLookup.lookups(), 1)

  const hearing = { listening: false, on: () => {} }
  const deaf = slowly({ ...app.ctx, signals: override(app.ctx.signals, hearing) })
  deaf.open()
  for (let times = 0; times < 3; times++) assert.ok(await deaf.authenticate(token))
  assert.equal(deaf.lookups(), 3)
  hearing.listening = true
  assert.ok(await deaf.authenticate(token))
  assert.equal(deaf.lookups(), 4, 'nothing was remembered meanwhile')
})

test('a text that is no token is not looked up, and an unknown one not remembered', async () => {
  const looked = slowly(app.ctx)
  looked.open()
  for (const text of ['', 'x', 'APP_USR-1-010101-0-1', "' or true --"])
    assert.equal(await looked.authenticate(text), undefined)
  assert.equal(looked.lookups(), 0)
  const unknown = `APP_USR-1-010101-${'0'.repeat(32)}-${anaId}`
  for (let times = 0; times < 2; times++)
    assert.equal(await looked.authenticate(unknown), undefined)
  assert.equal(looked.lookups(), 2)
})

test('no more tokens are remembered than there is room for', async () => {
  let lookups = 0
  // Rows that nobody stored: to issue 50,000 tokens would take a minute.
  const row = {
    applicationId: 1,
    scopes: ['read'],
    expiresAt: new Date(app.ctx.now().getTime() + 1),
  }
  const db = {
    row: async () => {
      lookups++
      return row
    },
  } as unknown as Context['db']
  const authenticate = createAuthenticate({ ...app.ctx, db })
  const tokenOf = (n: number) => `APP_USR-1-010101-${n.toString(16).padStart(32, '0')}-1`
  for (let n = 0; n <= 50_000; n++) await authenticate(tokenOf(n))
  assert.equal(lookups, 50_001)
  await authenticate(tokenOf(50_000))
  assert.equal(lookups, 50_001, 'the latest is remembered')
  await authenticate(tokenOf(0))
  assert.equal(lookups, 50_002, 'the one asked for the longest ago is not')
})
