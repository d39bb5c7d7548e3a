import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { openTestDatabase } from '../../../test/harness/database.ts'
import {
  begin,
  finishSignIn,
  goToProvider,
  linkAccount,
  openProviderServer,
  type People,
  ProviderBrowser,
  type ProviderServer,
  serveCertifiedProvider,
  signInPath,
  signInWith,
} from '../../../test/harness/openid-provider.ts'
import {
  accept,
  codeAt,
  createAccount,
  openAccount,
  operatorPassword,
  sendAs,
  setUpTotp,
  signIn,
  succeed,
  trySignIn,
} from '../../../test/harness/operators.ts'
import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'

/** These tests sign in at a certified provider, through its own pages. */
let app: TestApp
let provider: ProviderServer
let people: People

const email = 'ana@example.com'
const identityPath = '/operator/accounts/me/identity'
const verifyPath = '/operator/sessions/verify/openid'

beforeEach(async () => {
  provider = await openProviderServer()
  app = await openTestApp({ env: provider.env })
  people = {
    ana: { email, email_verified: true },
    unverified: { email, email_verified: false },
    stranger: { email: 'stranger@example.com', email_verified: true },
  }
  serveCertifiedProvider(provider, { redirectUri: `${app.address}/console/openid`, people })
})
afterEach(async () => {
  await app.close()
  await provider.close()
})

async function invite(role = 'owner'): Promise<{ id: number; invitation: string }> {
  const body = { email, name: 'Ana', role }
  const { account, invitation } = await succeed(
    app.client.operator('POST', '/operator/accounts', body),
  )
  return { id: account.id, invitation }
}

const readAccount = (id: number) => succeed(app.client.operator('GET', `/operator/accounts/${id}`))

const errorOf = async (answer: ReturnType<typeof finishSignIn>) => {
  const { status, body } = await answer
  return [status, body?.error]
}

test('an invited operator signs in with the provider, and again by the identity alone', async () => {
  const { id } = await invite()
  const browser = new ProviderBrowser()
  const body = await goToProvider(app, 'ana', { browser })
  const answer = await finishSignIn(app, body)
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.body.token, /^feria_session_/)
  const { account } = answer.body
  assert.deepEqual([account.id, account.status], [id, 'active'])
  assert.deepEqual([account.identity.issuer, account.identity.subject], [provider.issuer, 'ana'])
  await succeed(sendAs(app, answer.body.token, 'GET', '/operator/orders/figures'))
  // Another address at the provider neither moves the link nor loses it.
  people['ana'] = { email: 'renamed@example.com', email_verified: false }
  const again = await succeed(finishSignIn(app, await goToProvider(app, 'ana', { browser })))
  assert.equal(again.account.id, id)
})

test('the way to the provider carries a challenge, a state and a nonce, and no secret', async () => {
  const { authorization_url, verifier } = await begin(app)
  const { searchParams } = new URL(authorization_url)
  assert.equal(searchParams.get('response_type'), 'code')
  assert.equal(searchParams.get('code_challenge_method'), 'S256')
  assert.equal(searchParams.get('redirect_uri'), `${app.address}/console/openid`)
  assert.ok((searchParams.get('nonce') ?? '').length >= 32)
  assert.ok((searchParams.get('state') ?? '').length >= 32)
  assert.ok(!authorization_url.includes(verifier))
  assert.ok(!authorization_url.includes(provider.env['FERIA_OIDC_CLIENT_SECRET'] ?? ''))
})

test('the provider alone gives nobody an account', async () => {
  const { id } = await invite()
  const refused = await finishSignIn(app, await goToProvider(app, 'stranger'))
  assert.deepEqual([refused.status, refused.body.error], [403, 'identity_refused'])
  assert.match(refused.body.message, /Ask for an invitation/)
  const { accounts } = await succeed(app.client.operator('GET', '/operator/accounts'))
  assert.deepEqual(
    accounts.map((account: { id: number }) => account.id),
    [id],
  )
})

test('an address that the provider has not verified links nothing', async () => {
  const { id } = await invite()
  const refused = await finishSignIn(app, await goToProvider(app, 'unverified'))
  assert.deepEqual([refused.status, refused.body.error], [403, 'identity_refused'])
  assert.match(refused.body.message, /not verified/)
  assert.equal((await readAccount(id)).identity, null)
})

test('an address that only looks alike links nothing', async () => {
  await invite()
  // Full-width letters: they become `ana` by normalization.
  people['lookalike'] = { email: '\uff41\uff4e\uff41@example.com', email_verified: true }
  assert.deepEqual(await errorOf(finishSignIn(app, await goToProvider(app, 'lookalike'))), [
    403,
    'identity_refused',
  ])
})

test('an account with a password is linked from its own session only, never by its address', async () => {
  const { id, token } = await openAccount(app, { email, role: 'owner' })
  const refused = await finishSignIn(app, await goToProvider(app, 'ana'))
  assert.deepEqual([refused.status, refused.body.error], [403, 'identity_refused'])
  await linkAccount(app, token, 'stranger')
  assert.equal((await readAccount(id)).identity.subject, 'stranger')
  const { account } = await succeed(finishSignIn(app, await goToProvider(app, 'stranger')))
  assert.equal(account.id, id)
  await signIn(app, { email })
})

test('an expired invitation links nothing, and neither does a disabled account', async () => {
  const { id } = await invite()
  app.advance(3 * dayMs)
  assert.deepEqual(await errorOf(finishSignIn(app, await goToProvider(app, 'ana'))), [
    403,
    'identity_refused',
  ])
  await succeed(app.client.operator('POST', `/operator/accounts/${id}/invitation`))
  await succeed(app.client.operator('PATCH', `/operator/accounts/${id}`, { status: 'disabled' }))
  assert.deepEqual(await errorOf(finishSignIn(app, await goToProvider(app, 'ana'))), [
    403,
    'identity_refused',
  ])
})

test('a linked account that is disabled cannot sign in, and can again once it is enabled', async () => {
  const { id } = await invite('support')
  const token = await signInWith(app, 'ana')
  const change = (status: string) =>
    succeed(app.client.operator('PATCH', `/operator/accounts/${id}`, { status }))
  await change('disabled')
  assert.equal((await sendAs(app, token, 'GET', '/operator/sessions')).status, 401)
  const refused = await finishSignIn(app, await goToProvider(app, 'ana'))
  assert.deepEqual([refused.status, refused.body.error], [403, 'identity_refused'])
  assert.equal((await change('active')).status, 'active')
  await signInWith(app, 'ana')
})

test('a flow is finished once, two at a time', async () => {
  await invite()
  const body = await goToProvider(app, 'ana')
  const statuses = (await Promise.all([finishSignIn(app, body), finishSignIn(app, body)])).map(
    ({ status }) => status,
  )
  assert.deepEqual(statuses.toSorted(), [201, 401])
  assert.deepEqual(await errorOf(finishSignIn(app, body)), [401, 'flow_ended'])
  // The code of the provider is used up as well.
  const { state, verifier } = await begin(app)
  const replayed = { ...body, state, verifier }
  assert.deepEqual(await errorOf(finishSignIn(app, replayed)), [401, 'provider_refused'])
})

test('two tabs of one invited operator both get in', async () => {
  await invite()
  const bodies = [await goToProvider(app, 'ana'), await goToProvider(app, 'ana')]
  const answers = await Promise.all(bodies.map((body) => finishSignIn(app, body)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201],
  )
})

test('a flow is finished only in the browser that began it', async () => {
  await invite()
  const body = await goToProvider(app, 'ana')
  const other = await begin(app)
  const requestCount = provider.requests.length
  for (const stolen of [
    // The state of the address, without the secret of the browser.
    { ...body, verifier: other.verifier },
    // An answer of somebody else's sign-in, put into this browser.
    { ...body, state: other.state },
    { ...body, state: 'invented', verifier: 'invented' },
  ]) {
    assert.deepEqual(await errorOf(finishSignIn(app, stolen)), [401, 'flow_ended'])
  }
  assert.equal(provider.requests.length, requestCount)
  await succeed(finishSignIn(app, body))
})

test('a code of another flow is refused by the provider', async () => {
  await invite()
  const stolen = await goToProvider(app, 'ana')
  const { state, verifier } = await begin(app)
  const injected = { ...stolen, state, verifier }
  assert.deepEqual(await errorOf(finishSignIn(app, injected)), [401, 'provider_refused'])
})

test('an answer that names another issuer is refused before its code is used', async () => {
  await invite()
  const body = await goToProvider(app, 'ana')
  const requestCount = provider.requests.length
  const mixedUp = { ...body, iss: 'https://attacker.example' }
  assert.deepEqual(await errorOf(finishSignIn(app, mixedUp)), [401, 'provider_refused'])
  assert.equal(provider.requests.length, requestCount)
})

test('a flow ends after ten minutes', async () => {
  await invite()
  const body = await goToProvider(app, 'ana')
  app.advance(10 * minuteMs)
  assert.deepEqual(await errorOf(finishSignIn(app, body)), [401, 'flow_ended'])
})

test('a flow for one purpose or account serves no other', async () => {
  const ana = await openAccount(app, { email, role: 'owner' })
  const ben = await openAccount(app, { email: 'ben@example.com', role: 'owner' })
  const toLink = () => goToProvider(app, 'ana', { path: identityPath, token: ana.token })
  const ended = [401, 'flow_ended']
  assert.deepEqual(await errorOf(finishSignIn(app, await toLink())), ended)
  for (const [token, path] of [
    [ben.token, identityPath],
    [ana.token, verifyPath],
  ] as const) {
    assert.deepEqual(await errorOf(sendAs(app, token, 'POST', path, await toLink())), ended)
  }
  const toSignIn = await goToProvider(app, 'ana')
  assert.deepEqual(await errorOf(sendAs(app, ana.token, 'POST', identityPath, toSignIn)), ended)
})

test('an account with two-factor authentication takes a code besides the provider', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  const { secret, recoveryCodes } = await setUpTotp(app, token)
  await linkAccount(app, token, 'ana')
  app.advance(10 * minuteMs)
  const body = await goToProvider(app, 'ana')
  assert.deepEqual(await errorOf(finishSignIn(app, body)), [401, 'code_required'])
  const withCode = (code: string) => finishSignIn(app, { ...body, code })
  assert.deepEqual(await errorOf(withCode('not a code')), [401, 'sign_in_failed'])
  const stranger = { ...body, verifier: (await begin(app)).verifier }
  const code = codeAt(secret, app.ctx.now())
  assert.deepEqual(await errorOf(finishSignIn(app, { ...stranger, code })), [401, 'flow_ended'])
  const statuses = (await Promise.all([withCode(code), withCode(code)])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, 401])
  assert.deepEqual(await errorOf(withCode(recoveryCodes[0] ?? '')), [401, 'flow_ended'])
})

test('guessing the code behind the provider is limited', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  await setUpTotp(app, token)
  await linkAccount(app, token, 'ana')
  const body = await goToProvider(app, 'ana')
  await finishSignIn(app, body)
  const guess = () => finishSignIn(app, { ...body, code: '000000' })
  const statuses = (await Promise.all(Array.from({ length: 7 }, guess))).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [401, 401, 401, 401, 401, 429, 429])
})

test('a sensitive operation takes a sign-in at the provider anew, by the same person', async () => {
  await invite()
  const browser = new ProviderBrowser()
  const { token } = await succeed(finishSignIn(app, await goToProvider(app, 'ana', { browser })))
  const create = () =>
    sendAs(app, token, 'POST', '/operator/keys', { name: 'x', role: 'read-only' })
  // The provider did not say when the person signed in there.
  assert.deepEqual(await errorOf(create()), [403, 'verification_required'])
  const verify = async (login: string) => {
    const body = await goToProvider(app, login, { path: verifyPath, token, browser })
    return sendAs(app, token, 'POST', verifyPath, body)
  }
  assert.deepEqual(await errorOf(verify('stranger')), [403, 'identity_refused'])
  assert.equal((await create()).status, 403)
  assert.equal((await verify('ana')).status, 204)
  assert.equal((await create()).status, 201)
  app.advance(10 * minuteMs + 1)
  assert.deepEqual(await errorOf(create()), [403, 'verification_required'])
})

test('an account with an app verifies itself with a code of it, and not with the provider alone', async () => {
  await invite()
  const token = await signInWith(app, 'ana')
  const body = await goToProvider(app, 'ana', { path: verifyPath, token })
  await succeed(sendAs(app, token, 'POST', verifyPath, body))
  const { secret } = await setUpTotp(app, token)
  app.advance(11 * minuteMs)
  const verify = (proof: object) => sendAs(app, token, 'POST', '/operator/sessions/verify', proof)
  assert.equal((await verify({ password: operatorPassword })).status, 401)
  const again = await goToProvider(app, 'ana', { path: verifyPath, token })
  const byProvider = sendAs(app, token, 'POST', verifyPath, again)
  assert.deepEqual(await errorOf(byProvider), [401, 'code_required'])
  assert.equal((await verify({ code: codeAt(secret, app.ctx.now()) })).status, 204)
  const changed = await sendAs(app, token, 'PUT', '/operator/accounts/me/password', {
    current_password: operatorPassword,
    password: operatorPassword,
  })
  assert.equal(changed.status, 401)
  assert.equal((await trySignIn(app, { email })).status, 401)
})

test('an identity is linked to one account, and an account to one identity', async () => {
  const ana = await openAccount(app, { email, role: 'owner' })
  const ben = await openAccount(app, { email: 'ben@example.com', role: 'owner' })
  await linkAccount(app, ana.token, 'ana')
  const link = async (token: string, login: string) => {
    const body = await goToProvider(app, login, { path: identityPath, token })
    return sendAs(app, token, 'POST', identityPath, body)
  }
  assert.deepEqual(await errorOf(link(ben.token, 'ana')), [409, 'id_taken'])
  assert.deepEqual(await errorOf(link(ana.token, 'stranger')), [409, 'id_taken'])
})

test('a link takes a verified session', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  const body = await goToProvider(app, 'ana', { path: identityPath, token })
  app.advance(11 * minuteMs)
  assert.deepEqual(await errorOf(sendAs(app, token, 'POST', `${identityPath}/begin`, {})), [
    403,
    'verification_required',
  ])
  assert.deepEqual(await errorOf(sendAs(app, token, 'POST', identityPath, body)), [
    403,
    'verification_required',
  ])
})

test('an owner removes a link: sessions end, and the account needs an invitation or its password', async () => {
  const { id } = await invite('support')
  const token = await signInWith(app, 'ana')
  const owner = await openAccount(app, { email: 'owner@example.com', role: 'owner' })
  const remove = () => sendAs(app, owner.token, 'DELETE', `/operator/accounts/${id}/identity`)
  assert.equal((await remove()).status, 204)
  assert.equal((await remove()).status, 404)
  assert.equal((await sendAs(app, token, 'GET', '/operator/sessions')).status, 401)
  const { status, identity } = await readAccount(id)
  assert.deepEqual([status, identity], ['invited', null])
  assert.deepEqual(await errorOf(finishSignIn(app, await goToProvider(app, 'ana'))), [
    403,
    'identity_refused',
  ])
  await succeed(app.client.operator('POST', `/operator/accounts/${id}/invitation`))
  await signInWith(app, 'ana')
})

test('the last owner keeps the only way to sign in', async () => {
  const { id } = await invite()
  const token = await signInWith(app, 'ana')
  const removed = await app.client.operator('DELETE', `/operator/accounts/${id}/identity`)
  assert.deepEqual([removed.status, removed.body.error], [409, 'last_owner'])
  const body = await goToProvider(app, 'ana', { path: verifyPath, token })
  await succeed(sendAs(app, token, 'POST', verifyPath, body))
  assert.deepEqual(await errorOf(sendAs(app, token, 'DELETE', identityPath)), [400, 'bad_request'])
})

test('an account with a password removes its own link', async () => {
  const { id, token } = await openAccount(app, { email, role: 'owner' })
  await linkAccount(app, token, 'ana')
  const other = await signInWith(app, 'ana')
  assert.equal((await sendAs(app, token, 'DELETE', identityPath)).status, 204)
  assert.equal((await sendAs(app, other, 'GET', '/operator/sessions')).status, 401)
  assert.equal((await sendAs(app, token, 'GET', '/operator/sessions')).status, 200)
  const { status, identity } = await readAccount(id)
  assert.deepEqual([status, identity], ['active', null])
  assert.deepEqual(await errorOf(sendAs(app, token, 'DELETE', identityPath)), [404, 'not_found'])
})

test('who accepts a new invitation begins anew: the link is gone', async () => {
  const { id } = await invite()
  await signInWith(app, 'ana')
  const { invitation } = await succeed(
    app.client.operator('POST', `/operator/accounts/${id}/invitation`),
  )
  await accept(app, invitation)
  assert.equal((await readAccount(id)).identity, null)
  assert.deepEqual(await errorOf(finishSignIn(app, await goToProvider(app, 'ana'))), [
    403,
    'identity_refused',
  ])
})

test('signing in, linking and unlinking leave an entry in the audit log, without personal values', async () => {
  const { id, token } = await openAccount(app, { email, role: 'owner' })
  await linkAccount(app, token, 'ana')
  await signInWith(app, 'ana')
  await finishSignIn(app, await goToProvider(app, 'stranger'))
  await succeed(sendAs(app, token, 'DELETE', identityPath))
  const { body, text } = await app.client.operator('GET', `/operator/audit-log?actor=account:${id}`)
  const operations: string[] = body.results.map((entry: { operation: string }) => entry.operation)
  for (const operation of [
    `DELETE ${identityPath}`,
    `POST ${signInPath}`,
    `POST ${identityPath}`,
    `POST ${identityPath}/begin`,
  ]) {
    assert.equal(operations.filter((each) => each === operation).length, 1, operation)
  }
  const linked = body.results.find(
    (entry: { operation: string }) => entry.operation === `POST ${identityPath}`,
  )
  assert.deepEqual(linked.after, { identity_issuer: provider.issuer })
  assert.ok(!text.includes(email))
})

test('the first sign-in of an invited account leaves an entry of its link', async () => {
  const { id } = await invite()
  await signInWith(app, 'ana')
  const { body } = await app.client.operator(
    'GET',
    `/operator/audit-log?target=operator_session:${id}`,
  )
  assert.deepEqual(
    body.results.map(({ operation, after }: { operation: string; after: object }) => [
      operation,
      after,
    ]),
    [[`POST ${signInPath}`, { status: 'active', identity_issuer: provider.issuer }]],
  )
})

test('a network begins a hundred sign-ins in a quarter of an hour', async () => {
  const post = () => app.client.send('POST', `${signInPath}/begin`, { body: {} })
  const statuses = await Promise.all(Array.from({ length: 103 }, async () => (await post()).status))
  assert.equal(statuses.filter((status) => status === 201).length, 100)
  assert.equal(statuses.filter((status) => status === 429).length, 3)
  app.advance(15 * minuteMs)
  assert.equal((await post()).status, 201)
  // What has expired is deleted by the next one.
  const { n } = (await app.ctx.db.row<{ n: number }>({
    name: '',
    text: 'select count(*) as n from operator_openid_flows',
    values: [],
  })) ?? { n: 0 }
  assert.equal(n, 1)
})

test('all flows together are bounded', async () => {
  const text = `insert into operator_openid_flows
      (id, purpose, verifier_digest, nonce, date_created, expires_at)
    select n::text, 'sign-in', '', '', $1::timestamptz, $1::timestamptz + interval '10 minutes'
    from generate_series(1, 10000) n`
  await app.ctx.db.rows({ name: '', text, values: [app.ctx.now()] })
  const post = () => app.client.send('POST', `${signInPath}/begin`, { body: {} })
  assert.equal((await post()).status, 503)
  app.advance(hourMs)
  assert.equal((await post()).status, 201)
})

test('the database holds digests of the state and the verifier only', async () => {
  const { state, verifier } = await begin(app)
  const rows = await app.ctx.db.rows<{ row: string }>({
    name: '',
    text: 'select t::text as row from operator_openid_flows t',
    values: [],
  })
  assert.equal(rows.length, 1)
  assert.ok(!rows[0]?.row.includes(state))
  assert.ok(!rows[0]?.row.includes(verifier))
})

test('a flow that begins at one process is finished at another', async () => {
  const database = await openTestDatabase()
  const publicUrl = 'http://127.0.0.1:1'
  const env = { ...provider.env, FERIA_PUBLIC_URL: publicUrl }
  const apps = await Promise.all([
    openTestApp({ env, databaseUrl: database.url }),
    openTestApp({ env, databaseUrl: database.url }),
  ])
  const [one, two] = apps
  try {
    serveCertifiedProvider(provider, { redirectUri: `${publicUrl}/console/openid`, people })
    const invited = { email, name: 'Ana', role: 'owner' }
    await succeed(one.client.operator('POST', '/operator/accounts', invited))
    const body = await goToProvider(one, 'ana')
    const answers = await Promise.all([finishSignIn(two, body), finishSignIn(one, body)])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 401])
    const token = answers.find(({ status }) => status === 201)?.body.token
    assert.equal((await sendAs(one, token, 'GET', '/operator/sessions')).status, 200)
  } finally {
    await Promise.all(apps.map((each) => each.close()))
    await database.drop()
  }
})

test('without a provider in the settings, nothing begins', async () => {
  const plain = await openTestApp()
  try {
    await createAccount(plain, { email, role: 'owner' })
    const refused = await plain.client.send('POST', `${signInPath}/begin`, { body: {} })
    assert.deepEqual([refused.status, refused.body.error], [404, 'not_found'])
    const body = { state: 'x', verifier: 'x', authorization_code: 'x' }
    assert.equal((await finishSignIn(plain, body)).status, 404)
    await signIn(plain, { email })
  } finally {
    await plain.close()
  }
})
