import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  openTestDatabase,
  type TestDatabase,
  withLockedTable,
} from '../../../test/harness/database.ts'
import { anaId, applicationId, createTestMarket } from '../../../test/harness/market.ts'
import {
  clientSecret,
  createPkcePair,
  enableSignIn,
  exchangeAuthorizationCode,
  exchangeRefreshToken,
  obtainCode,
  openSignedInBrowser,
  registerClient,
  waitUntilTokenRefused,
} from '../../../test/harness/oauth.ts'
import { minuteMs, secondMs } from '../../kernel/clock.ts'
import { systemRandom } from '../../platform/random.ts'
import { deleteExpiredSuccessors } from './commands.ts'
import {
  grantRefusal,
  type RefreshVerdict,
  reuseRefusal,
  type TokenAnswer,
  validateRefreshToken,
} from './grant.ts'
import { openAnswer, sealAnswer } from './successor.ts'

/** A refresh token that its own client presents again: two workers at once, or a lost answer. With two
 * processes on one database. What happens without a grace is in `refresh.test.ts`. */

let database: TestDatabase
let app: TestApp
let second: TestApp
const otherId = 700_703
const graceMs = 30 * secondMs

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  second = await openTestApp({ databaseUrl: database.url })
  await createTestMarket(app.client, null)
})
after(async () => {
  await second.close()
  await app.close()
  await database.drop()
})
beforeEach(() => enableSignIn(app))

function advance(ms: number): void {
  for (const testApp of [app, second]) testApp.advance(ms)
}

const readsWith = async (token: string, at = app) =>
  (await at.client.get('/users/me', token)).status
const granted = async () =>
  (await exchangeAuthorizationCode(app, await obtainCode(await openSignedInBrowser(app)))).body

/** Asserts that nothing of a family is worth anything, in either process. */
async function assertEnded(tokens: { access_token: string; refresh_token: string }): Promise<void> {
  for (const process of [app, second]) await waitUntilTokenRefused(process, tokens.access_token)
  assert.equal((await exchangeRefreshToken(app, tokens.refresh_token)).body.error, 'invalid_grant')
}

contract(
  'users',
  'of many uses of a refresh token at once, in two processes, all are answered the same new tokens',
  async () => {
    const { refresh_token } = await granted()
    const lock = { url: database.url, table: 'refresh_tokens', waiting: 8 }
    const answers = await withLockedTable(lock, () =>
      Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          exchangeRefreshToken(n % 2 === 0 ? app : second, refresh_token),
        ),
      ),
    )
    const [{ body } = { body: undefined }] = answers
    for (const answer of answers) {
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, body)
    }
    for (const at of [app, second]) assert.equal(await readsWith(body.access_token, at), 200)
    assert.equal((await exchangeRefreshToken(second, body.refresh_token)).status, 200)
  },
)

contract(
  'users',
  'a lost answer is given again within 30 seconds, and after them a spent refresh token ends the family',
  async () => {
    const { refresh_token } = await granted()
    const lostTokens = (await exchangeRefreshToken(app, refresh_token)).body
    assert.equal(
      await readsWith(lostTokens.access_token),
      200,
      'a used access token does not matter',
    )
    advance(graceMs - 1)
    const again = await exchangeRefreshToken(second, refresh_token)
    assert.deepEqual(again.body, { ...lostTokens, expires_in: 21_570 })
    assert.equal(await readsWith(lostTokens.access_token, second), 200)
    advance(1)
    const late = await exchangeRefreshToken(second, refresh_token)
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant'])
    await assertEnded(lostTokens)
  },
)

contract(
  'users',
  'a spent refresh token ends the family as soon as the one that it led to is spent too',
  async () => {
    const { refresh_token } = await granted()
    const next = (await exchangeRefreshToken(app, refresh_token)).body
    const last = (await exchangeRefreshToken(second, next.refresh_token)).body
    const replayed = await exchangeRefreshToken(app, refresh_token)
    assert.deepEqual([replayed.status, replayed.body.error], [400, 'invalid_grant'])
    await assertEnded(last)
  },
)

contract(
  'users',
  'a refresh may ask for less again within the grace; for other scopes it ends the family',
  async () => {
    const { refresh_token } = await granted()
    const less = (await exchangeRefreshToken(app, refresh_token, { scope: 'write read' })).body
    const again = await exchangeRefreshToken(second, refresh_token, { scope: 'read write' })
    assert.deepEqual(again.body, less)
    const other = await exchangeRefreshToken(second, refresh_token, { scope: 'read' })
    assert.equal(other.body.error, 'invalid_grant')
    await assertEnded(less)
  },
)

contract('users', 'another application has no grace, and ends nothing', async () => {
  await registerClient(app.client, otherId)
  const { refresh_token } = await granted()
  const next = (await exchangeRefreshToken(app, refresh_token)).body
  const stolen = await exchangeRefreshToken(app, refresh_token, { client_id: String(otherId) })
  assert.equal(stolen.body.error, 'invalid_grant')
  assert.equal(await readsWith(next.access_token), 200)
  assert.deepEqual((await exchangeRefreshToken(app, refresh_token)).body, next)
})

contract('users', 'a public application has no grace, with a secret or without one', async () => {
  for (const client_secret of ['', clientSecret]) {
    await registerClient(app.client, applicationId, { is_public: true })
    const { verifier, challenge } = createPkcePair()
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await obtainCode(await openSignedInBrowser(app), pkce)
    const more = { client_secret, code_verifier: verifier }
    const first = (await exchangeAuthorizationCode(app, code, more)).body
    const next = (await exchangeRefreshToken(app, first.refresh_token, { client_secret })).body
    const replayed = await exchangeRefreshToken(app, first.refresh_token, { client_secret })
    assert.equal(replayed.body.error, 'invalid_grant')
    await assertEnded(next)
  }
})

contract('users', 'a code has no grace', async () => {
  const code = await obtainCode(await openSignedInBrowser(app))
  const { body } = await exchangeAuthorizationCode(app, code)
  assert.equal((await exchangeAuthorizationCode(second, code)).body.error, 'invalid_grant')
  await assertEnded(body)
})

test('FERIA_REFRESH_GRACE_SECONDS=0 switches the grace off', async () => {
  const env = { FERIA_REFRESH_GRACE_SECONDS: '0' }
  const strict = await openTestApp({ databaseUrl: database.url, env })
  try {
    const first = await granted()
    const next = (await exchangeRefreshToken(strict, first.refresh_token)).body
    assert.equal(
      (await exchangeRefreshToken(strict, first.refresh_token)).body.error,
      'invalid_grant',
    )
    await assertEnded(next)
  } finally {
    await strict.close()
  }
})

const path = `/operator/authorizations/${applicationId}/${anaId}`
const revoke = (token: string) =>
  app.client.send('POST', '/oauth/revoke', {
    body: { token, client_id: applicationId, client_secret: clientSecret },
  })
type Tokens = { access_token: string; refresh_token: string }
const endings: [name: string, end: (tokens: Tokens) => Promise<{ status: number } | undefined>][] =
  [
    [
      'its user',
      async () => {
        const browser = await openSignedInBrowser(app)
        return browser.submit(await browser.load('/account'), '/account', {})
      },
    ],
    [
      'the application',
      ({ access_token: token }) =>
        app.client.send('DELETE', `/users/${anaId}/applications/${applicationId}`, { token }),
    ],
    ['the application, by its new refresh token', ({ refresh_token }) => revoke(refresh_token)],
    ['the application, by its new access token', ({ access_token }) => revoke(access_token)],
    ['the operator', () => app.client.operator('DELETE', path)],
    ['the operator, who narrows it', () => app.client.operator('PUT', path, { scopes: ['read'] })],
    [
      'fewer scopes of the application',
      async () => {
        await registerClient(app.client, applicationId, { scopes: ['offline_access', 'read'] })
        return undefined
      },
    ],
  ]
for (const [name, end] of endings) {
  contract('users', `no grace outlasts what was granted: ended by ${name}`, async () => {
    const { refresh_token } = await granted()
    const next = (await exchangeRefreshToken(app, refresh_token)).body
    const done = await end(next)
    assert.ok((done?.status ?? 200) < 400)
    for (const at of [second, app]) {
      assert.equal((await exchangeRefreshToken(at, refresh_token)).body.error, 'invalid_grant')
    }
    await assertEnded(next)
    await app.client.operator('PUT', path, {})
    assert.equal((await exchangeRefreshToken(app, refresh_token)).body.error, 'invalid_grant')
  })
}

test('a clock that is behind or moved lengthens no grace and no access token', async () => {
  const { refresh_token } = await granted()
  const next = (await exchangeRefreshToken(app, refresh_token)).body
  second.advance(-secondMs)
  const behind = await exchangeRefreshToken(second, refresh_token)
  assert.deepEqual(behind.body, next, 'its life is not longer than it was')
  second.advance(secondMs)
  advance(10 * minuteMs)
  advance(-10 * minuteMs)
  assert.deepEqual(
    (await exchangeRefreshToken(app, refresh_token)).body,
    next,
    'back in time is in time',
  )
  second.advance(-graceMs)
  assert.equal((await exchangeRefreshToken(second, refresh_token)).body.error, 'invalid_grant')
  second.advance(graceMs)
  await assertEnded(next)
})

test('a token that an older release has spent has no grace', async () => {
  const { refresh_token } = await granted()
  const next = (await exchangeRefreshToken(app, refresh_token)).body
  await query('update refresh_tokens set successor = null')
  assert.equal((await exchangeRefreshToken(app, refresh_token)).body.error, 'invalid_grant')
  await assertEnded(next)
})

test('a successor that an older release has spent ends the grace', async () => {
  const { refresh_token } = await granted()
  const next = (await exchangeRefreshToken(app, refresh_token)).body
  await query('update refresh_tokens set used_at = $1 where used_at is null', [app.ctx.now()])
  assert.equal((await exchangeRefreshToken(app, refresh_token)).body.error, 'invalid_grant')
  await assertEnded(next)
})

contract(
  'users',
  'the database alone does not tell the new tokens: not in plain text, and not to whoever has all rows',
  async () => {
    const first = await granted()
    const next = (await exchangeRefreshToken(app, first.refresh_token)).body
    const rows = await query('select * from refresh_tokens where user_id = $1', [anaId])
    const sealed = rows.find(({ successor }) => successor !== null)?.['successor'] as string
    assert.deepEqual(openAnswer(first.refresh_token, sealed), next, 'its bearer reads it')
    const plain = Buffer.from(sealed, 'base64').toString('latin1')
    for (const secret of [next.access_token.split('-')[3], next.refresh_token.split('-')[1]]) {
      assert.ok(!JSON.stringify(rows).includes(secret) && !plain.includes(secret))
    }
    const values = rows.flatMap((row) => Object.values(row)).map(String)
    assert.ok(values.length > 10)
    for (const value of values) {
      assert.equal(openAnswer(value, sealed), undefined, value)
      assert.equal(openAnswer(`TG-${value.slice(0, 24)}-${anaId}`, sealed), undefined, value)
    }
  },
)

test('what a token led to is kept no longer than the grace, and until the next one is spent', async () => {
  await query('update refresh_tokens set successor = null')
  const countSuccessors = async () =>
    (await query('select digest from refresh_tokens where successor is not null')).length
  const { refresh_token } = await granted()
  const next = (await exchangeRefreshToken(app, refresh_token)).body
  await exchangeRefreshToken(app, next.refresh_token)
  assert.equal(await countSuccessors(), 1, 'only the last link')
  advance(graceMs - 1)
  await deleteExpiredSuccessors(app.ctx)
  assert.equal(await countSuccessors(), 1)
  advance(1)
  await deleteExpiredSuccessors(app.ctx)
  assert.equal(await countSuccessors(), 0)
  const ended = await granted()
  await exchangeRefreshToken(app, ended.refresh_token)
  await app.client.operator('DELETE', path)
  assert.equal(await countSuccessors(), 0)
})

test('what a spent refresh token comes to follows from its row and the time', () => {
  const usedAt = new Date('2026-03-10T15:00:00.000Z')
  const expiresAt = new Date('2026-09-10T15:00:00.000Z')
  const spent = { usedAt, expiresAt, revokedAt: null, revokedBy: null, successor: 'sealed' }
  const cases: [token: object, ms: number, graceMs: number, verdict: RefreshVerdict][] = [
    [{}, 0, graceMs, 'repeated'],
    [{}, graceMs - 1, graceMs, 'repeated'],
    [{}, graceMs, graceMs, reuseRefusal],
    [{}, 1 - graceMs, graceMs, 'repeated'],
    [{}, -graceMs, graceMs, reuseRefusal],
    [{}, 0, 0, reuseRefusal],
    [{ successor: null }, 0, graceMs, reuseRefusal],
    [{ revokedAt: usedAt }, 0, graceMs, reuseRefusal],
    [
      { revokedAt: usedAt, revokedBy: 'user' },
      0,
      graceMs,
      { cause: 'revoked_by_user', endsGrant: true },
    ],
    [{ usedAt: null }, 0, graceMs, 'honoured'],
    [{ usedAt: null, revokedAt: usedAt }, 0, graceMs, grantRefusal('revoked')],
    [{ usedAt: null, expiresAt: usedAt }, 0, graceMs, grantRefusal('expired')],
  ]
  for (const [token, ms, grace, verdict] of cases) {
    const now = new Date(usedAt.getTime() + ms)
    const judged = validateRefreshToken({ ...spent, ...token }, { now, graceMs: grace })
    assert.deepEqual(judged, verdict, JSON.stringify([token, ms, grace]))
  }
})

test('a sealed answer that was changed anywhere opens nothing', () => {
  const answer: TokenAnswer = {
    access_token: 'APP_USR',
    token_type: 'Bearer',
    expires_in: 1,
    scope: 'read',
    user_id: 1,
  }
  const token = 'TG-0123456789abcdef01234567-1001'
  const sealed = Buffer.from(sealAnswer(systemRandom, token, answer), 'base64')
  assert.deepEqual(openAnswer(token, sealed.toString('base64')), answer)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(openAnswer(token, changed.toString('base64')), undefined, String(at))
  }
  for (const cut of ['', 'AAAA', sealed.subarray(0, 27).toString('base64')]) {
    assert.equal(openAnswer(token, cut), undefined)
  }
})

async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return app.ctx.db.rows({ name: '', text, values })
}
