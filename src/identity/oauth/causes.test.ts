import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import type { TestResponse } from '../../../test/harness/client.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  anaId,
  applicationId,
  createTestMarket,
  issueToken,
  putUser,
} from '../../../test/harness/market.ts'
import {
  clientSecret,
  createPkcePair,
  enableSignIn,
  exchangeAuthorizationCode,
  exchangeRefreshToken,
  obtainCode,
  openSignedInBrowser,
  redirectUri,
  registerClient,
} from '../../../test/harness/oauth.ts'
import { minuteMs } from '../../kernel/clock.ts'
import { revokers } from '../store.ts'
import { codeLifeMs, refreshLifeMs } from './grant.ts'

/** What a client is told about a code or a refresh token that is refused, and what nobody is told. */

let app: TestApp
const otherId = 700_704
const path = `/operator/authorizations/${applicationId}/${anaId}`
const generic =
  'Error validating grant. Your authorization code or refresh token may be expired or it was already used'

before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())
beforeEach(() => enableSignIn(app))

interface Tokens {
  access_token: string
  refresh_token: string
}

const code = async (more: Record<string, string> = {}) =>
  obtainCode(await openSignedInBrowser(app), more)
const granted = async (): Promise<Tokens> =>
  (await exchangeAuthorizationCode(app, await code())).body
const revoke = (token: string) =>
  app.client.send('POST', '/oauth/revoke', {
    body: { token, client_id: applicationId, client_secret: clientSecret },
  })

/** Asserts that a client is told this, in both fields. */
function assertSays({ status, body }: TestResponse, words: RegExp): void {
  assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  assert.match(body.message, words)
  assert.equal(body.error_description, body.message)
}

const endings: [cause: string, end: (tokens: Tokens) => Promise<unknown>, words: RegExp][] = [
  [
    'the user, on the page of the account',
    async () => {
      const browser = await openSignedInBrowser(app)
      return browser.submit(await browser.load('/account'), '/account', {})
    },
    /^The user has revoked the .*through \/authorization again if the user agrees\.$/,
  ],
  [
    'the user, with a token of the user',
    async () => {
      const token = await issueToken(app.client, { user_id: anaId })
      return app.client.send('DELETE', `/users/${anaId}/applications/${applicationId}`, { token })
    },
    /^The user has revoked the /,
  ],
  [
    'the application',
    ({ access_token: token }) =>
      app.client.send('DELETE', `/users/${anaId}/applications/${applicationId}`, { token }),
    /^This application has revoked the .*through \/authorization again\.$/,
  ],
  [
    'the operator',
    () => app.client.operator('DELETE', path),
    /^The operator has revoked the .*Ask the operator before /,
  ],
  [
    'the operator, who narrows it',
    () => app.client.operator('PUT', path, { scopes: ['read'] }),
    /^The operator has revoked the /,
  ],
]
for (const [name, end, words] of endings) {
  contract('users', `a client is told who ended what was granted: ${name}`, async () => {
    const [tokens, spent, unused] = [await granted(), await granted(), await code()]
    await exchangeRefreshToken(app, spent.refresh_token)
    await end(tokens)
    for (const granted of [false, true]) {
      if (granted) await app.client.operator('PUT', path, {})
      assertSays(await exchangeRefreshToken(app, tokens.refresh_token), words)
      assertSays(await exchangeRefreshToken(app, spent.refresh_token), words)
      assertSays(await exchangeAuthorizationCode(app, unused), words)
    }
  })
}

contract('users', 'a client is told that it revoked a refresh token itself', async () => {
  const { refresh_token } = await granted()
  assert.equal((await revoke(refresh_token)).status, 200)
  assertSays(
    await exchangeRefreshToken(app, refresh_token),
    /^This application has revoked the refresh token\./,
  )
})

contract('users', 'a client is told that a code or a refresh token has expired', async () => {
  const [unused, { refresh_token }] = [await code(), await granted()]
  const next = 'Send the user through /authorization again\\.$'
  app.advance(codeLifeMs)
  const late = await exchangeAuthorizationCode(app, unused)
  assertSays(late, new RegExp(`^The authorization code has expired\\. ${next}`))
  app.advance(refreshLifeMs)
  const stale = await exchangeRefreshToken(app, refresh_token)
  assertSays(stale, new RegExp(`^The refresh token has expired\\. ${next}`))
})

contract('users', 'a client is told what was used twice, and what ended with it', async () => {
  const unused = await code()
  const { refresh_token } = (await exchangeAuthorizationCode(app, unused)).body
  assertSays(
    await exchangeAuthorizationCode(app, unused),
    /^The authorization code was already used, so everything/,
  )
  const ended = /^The refresh token has ended, because another one of the same consent was used/
  assertSays(await exchangeRefreshToken(app, refresh_token), ended)
  const first = await granted()
  const next = (await exchangeRefreshToken(app, first.refresh_token)).body
  app.advance(minuteMs)
  for (let time = 0; time < 2; time++) {
    assertSays(
      await exchangeRefreshToken(app, first.refresh_token),
      /^The refresh token was already used, so/,
    )
  }
  assertSays(await exchangeRefreshToken(app, next.refresh_token), ended)
})

contract(
  'users',
  'a client is told which proof does not fit a code that is still good',
  async () => {
    const second = 'http://localhost:3000/callback'
    await registerClient(app.client, applicationId, { redirect_uris: [redirectUri, second] })
    const { verifier, challenge } = createPkcePair()
    const proven = await code({ code_challenge: challenge, code_challenge_method: 'S256' })
    const code_verifier = verifier
    assertSays(
      await exchangeAuthorizationCode(app, proven),
      /^code_verifier: expected, because the code was/,
    )
    for (const wrong of ['short', createPkcePair().verifier]) {
      const answer = await exchangeAuthorizationCode(app, proven, { code_verifier: wrong })
      assertSays(answer, /^code_verifier: expected the one that code_challenge was made from\./)
    }
    const elsewhere = await exchangeAuthorizationCode(app, proven, {
      code_verifier,
      redirect_uri: second,
    })
    assertSays(
      elsewhere,
      /^redirect_uri: expected the address .*asked for with\. Send the .* again/,
    )
    assert.equal((await exchangeAuthorizationCode(app, proven, { code_verifier })).status, 200)
    const bare = await code()
    assertSays(
      await exchangeAuthorizationCode(app, bare, { code_verifier }),
      /^code_verifier: expected none, because/,
    )
    await registerClient(app.client, applicationId, { requires_pkce: true })
    assertSays(
      await exchangeAuthorizationCode(app, bare),
      /^The application must use PKCE, and the code was/,
    )
  },
)

contract('users', 'a client is told that the account of the user is closed', async () => {
  const { refresh_token } = await granted()
  const user = { nickname: 'ANA_VENDE' }
  await putUser(app.client, anaId, { ...user, status: 'deactivated' })
  const answer = await exchangeRefreshToken(app, refresh_token)
  await putUser(app.client, anaId, user)
  assertSays(answer, /^The account of the user is closed, so the refresh token is not accepted\./)
})

contract(
  'users',
  'a code or a token of another application is refused in the words for one that nobody has',
  async () => {
    await registerClient(app.client, otherId)
    const other = { client_id: String(otherId) }
    const [unused, spent, { refresh_token }] = [await code(), await code(), await granted()]
    await exchangeAuthorizationCode(app, spent)
    const nobody = `TG-${'0'.repeat(24)}-${anaId}`
    // With and without an authorization of the same user for the application that asks.
    for (const turn of [1, 2]) {
      const unknown = await exchangeAuthorizationCode(app, nobody, other)
      assertSays(unknown, /^This application has no such authorization code\. Check client_id/)
      for (const text of [unused, spent, 'nonsense', `TG-${'0'.repeat(24)}-999999`]) {
        assert.deepEqual((await exchangeAuthorizationCode(app, text, other)).body, unknown.body)
      }
      const noToken = await exchangeRefreshToken(app, nobody, other)
      assertSays(noToken, /^This application has no such refresh token\. Check client_id/)
      assert.deepEqual((await exchangeRefreshToken(app, refresh_token, other)).body, noToken.body)
      const put = `/operator/authorizations/${otherId}/${anaId}`
      if (turn === 1) await app.client.operator('PUT', put, {})
    }
    assert.equal(
      (await exchangeAuthorizationCode(app, unused)).status,
      200,
      'and is good for its own',
    )
  },
)

contract(
  'users',
  'a public application is told no cause, with a secret or without one',
  async () => {
    const { verifier, challenge } = createPkcePair()
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    await registerClient(app.client, applicationId, { is_public: true })
    for (const client_secret of ['', clientSecret]) {
      const says = async (answer: Promise<TestResponse>) => {
        const { status, body } = await answer
        assert.deepEqual([status, body.message, body.error_description], [400, generic, generic])
      }
      const one = await code(pkce)
      const proof = { client_secret, code_verifier: verifier }
      await says(exchangeAuthorizationCode(app, one, { client_secret }))
      await says(
        exchangeAuthorizationCode(app, one, { ...proof, redirect_uri: 'https://evil.example/' }),
      )
      const { refresh_token } = (await exchangeAuthorizationCode(app, one, proof)).body
      await says(exchangeAuthorizationCode(app, one, proof))
      await says(exchangeRefreshToken(app, refresh_token, { client_secret }))
      await says(exchangeRefreshToken(app, `TG-${'0'.repeat(24)}-${anaId}`, { client_secret }))
      const late = await code(pkce)
      app.advance(codeLifeMs)
      await says(exchangeAuthorizationCode(app, late, proof))
      const ended = await code(pkce)
      await app.client.operator('DELETE', path)
      await says(exchangeAuthorizationCode(app, ended, proof))
    }
  },
)

contract(
  'users',
  'without its secret a client is told nothing about what it presents',
  async () => {
    const { refresh_token } = await granted()
    for (const text of [refresh_token, `TG-${'0'.repeat(24)}-${anaId}`]) {
      for (const client_secret of ['', 'wrong']) {
        const { body } = await exchangeRefreshToken(app, text, { client_secret })
        assert.deepEqual(
          [body.error, body.message],
          ['invalid_client', 'invalid client_id or client_secret'],
        )
      }
    }
  },
)

test('of what an older release has revoked the cause is said as far as it is known', async () => {
  const { refresh_token } = await granted()
  await app.client.operator('DELETE', path)
  await query('update refresh_tokens set revoked_by = null')
  for (const granted of [false, true]) {
    if (granted) await app.client.operator('PUT', path, {})
    assertSays(
      await exchangeRefreshToken(app, refresh_token),
      /^The refresh token was revoked\. Send the user/,
    )
  }
})

test('to an older release a code that was revoked is one that was used', async () => {
  const unused = await code()
  await app.client.operator('DELETE', path)
  const open = await query('select digest from authorization_codes where used_at is null')
  assert.equal(open.length, 0)
  assert.equal((await exchangeAuthorizationCode(app, unused)).status, 400)
})

test('the database knows those who revoke as the program does', async () => {
  for (const table of ['refresh_tokens', 'authorization_codes']) {
    const [row] = await query(
      `select pg_get_constraintdef(oid) as says from pg_constraint where conname = $1`,
      [`${table}_revoked_by_check`],
    )
    const allowedValues = [...String(row?.['says']).matchAll(/'(\w+)'/g)].map(([, name]) => name)
    assert.deepEqual(allowedValues, [...revokers])
  }
})

async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return app.ctx.db.rows({ name: '', text, values })
}
