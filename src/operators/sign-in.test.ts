import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  codeAt,
  createAccount,
  openAccount,
  operatorPassword,
  sendAs,
  setUpTotp,
  signIn,
  succeed,
  trySignIn,
} from '../../test/harness/operators.ts'
import { hourMs, minuteMs, secondMs } from '../kernel/clock.ts'

let app: TestApp
beforeEach(async () => {
  app = await openTestApp()
})
afterEach(() => app.close())

const email = 'ana@example.com'
const sessions = (token: string) => sendAs(app, token, 'GET', '/operator/sessions')

test('a wrong password, an unknown, an invited and a disabled account get the same refusal', async () => {
  await createAccount(app, { email, role: 'owner' })
  const disabled = await createAccount(app, { email: 'off@example.com', role: 'support' })
  await succeed(
    app.client.operator('PATCH', `/operator/accounts/${disabled}`, { status: 'disabled' }),
  )
  const invited = { email: 'invited@example.com', name: 'x', role: 'support' }
  await succeed(app.client.operator('POST', '/operator/accounts', invited))
  const answers = await Promise.all([
    trySignIn(app, { email, password: 'a wrong password' }),
    trySignIn(app, { email: 'nobody@example.com' }),
    trySignIn(app, { email: 'invited@example.com' }),
    trySignIn(app, { email: 'off@example.com' }),
  ])
  for (const { status, text } of answers) {
    assert.equal(status, 401)
    assert.equal(text, answers[0]?.text)
  }
  assert.equal(answers[0]?.body.error, 'sign_in_failed')
})

test('the answer with the token of a session is stored by nobody and read by no other page', async () => {
  await createAccount(app, { email, role: 'owner' })
  const { status, headers } = await trySignIn(app, { email })
  assert.equal(status, 201)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('access-control-allow-origin'), null)
  const preflight = await fetch(`${app.address}/operator/sign-in`, { method: 'OPTIONS' })
  assert.equal(preflight.status, 404)
})

test('guessing is limited for known and unknown accounts alike, until the window ends', async () => {
  await createAccount(app, { email, role: 'owner' })
  for (const address of [email, 'nobody@example.com']) {
    const guess = () => trySignIn(app, { email: address, password: 'a wrong password' })
    const statuses = (await Promise.all(Array.from({ length: 8 }, guess))).map((a) => a.status)
    assert.deepEqual(statuses.toSorted(), [401, 401, 401, 401, 401, 429, 429, 429], address)
    const refused = await guess()
    assert.equal(refused.headers.get('retry-after'), '60')
  }
  assert.equal((await trySignIn(app, { email })).status, 429)
  app.advance(minuteMs)
  await signIn(app, { email })
})

test('a session ends two hours after its last use, and after twelve hours in any case', async () => {
  const { token } = await openAccount(app, { email, role: 'support' })
  for (let at = 0; at < 6; at++) {
    app.advance(2 * hourMs - minuteMs)
    assert.equal((await sessions(token)).status, 200)
  }
  app.advance(6 * minuteMs)
  assert.equal((await sessions(token)).status, 401)
  const idle = await signIn(app, { email })
  app.advance(2 * hourMs)
  assert.equal((await sessions(idle)).status, 401)
})

test('sessions are listed and ended by their account, and by an owner', async () => {
  const { id, token } = await openAccount(app, { email, role: 'support' })
  const other = await signIn(app, { email })
  const { sessions: listed } = await succeed(sessions(token))
  assert.equal(listed.length, 2)
  const current = listed.filter((each: { is_current: boolean }) => each.is_current)
  const others = listed.filter((each: { is_current: boolean }) => !each.is_current)
  assert.deepEqual([current.length, others.length], [1, 1])
  const stranger = await openAccount(app, { email: 'b@example.com', role: 'owner' })
  const path = `/operator/sessions/${others[0].id}`
  assert.equal((await sendAs(app, stranger.token, 'DELETE', path)).status, 404)
  assert.equal((await sendAs(app, token, 'DELETE', path)).status, 204)
  assert.equal((await sessions(other)).status, 401)
  const ofAccount = `/operator/accounts/${id}/sessions`
  assert.equal((await sendAs(app, token, 'DELETE', ofAccount)).status, 403)
  const seen = await succeed(sendAs(app, stranger.token, 'GET', ofAccount))
  assert.equal(seen.sessions.length, 1)
  assert.equal((await sendAs(app, stranger.token, 'DELETE', ofAccount)).status, 204)
  assert.equal((await sessions(token)).status, 401)
  assert.equal(
    (await sendAs(app, stranger.token, 'DELETE', '/operator/sessions/current')).status,
    204,
  )
  assert.equal((await sessions(stranger.token)).status, 401)
})

test('a code of the authenticator app is accepted once, with a step of skew', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  const { secret } = await setUpTotp(app, token)
  const codeIn = (seconds: number) =>
    codeAt(secret, new Date(app.ctx.now().getTime() + seconds * secondMs))
  app.advance(10 * minuteMs)
  const without = await trySignIn(app, { email })
  assert.deepEqual([without.status, without.body.error], [401, 'code_required'])
  const wrong = await trySignIn(app, { email, password: 'a wrong password' })
  assert.equal(wrong.body.error, 'sign_in_failed')
  for (const skew of [-60, 60]) {
    assert.equal((await trySignIn(app, { email, code: codeIn(skew) })).status, 401, String(skew))
  }
  const code = codeIn(-30)
  // Two at a time: one of them uses it up.
  const statuses = (
    await Promise.all([trySignIn(app, { email, code }), trySignIn(app, { email, code })])
  ).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [201, 401])
  app.advance(minuteMs)
  assert.equal((await trySignIn(app, { email, code })).status, 401)
  await signIn(app, { email, code: codeIn(30) })
  // The code of an earlier step was used up with the later one.
  assert.equal((await trySignIn(app, { email, code: codeIn(0) })).status, 401)
})

test('a recovery code replaces the authenticator app once, two at a time', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  const { recoveryCodes } = await setUpTotp(app, token)
  assert.equal(new Set(recoveryCodes).size, 10)
  const [code = '', another = ''] = recoveryCodes
  const answers = await Promise.all([
    trySignIn(app, { email, code }),
    trySignIn(app, { email, code }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 401])
  await signIn(app, { email, code: another.toUpperCase().replaceAll('-', ' ') })
  const me = await succeed(sendAs(app, token, 'GET', '/operator/accounts/me'))
  assert.equal(me.recovery_codes_left, 8)
  const renewed = await succeed(
    sendAs(app, token, 'POST', '/operator/accounts/me/recovery-codes', {}),
  )
  app.advance(minuteMs)
  assert.equal((await trySignIn(app, { email, code: recoveryCodes[2] ?? '' })).status, 401)
  await signIn(app, { email, code: renewed.recovery_codes[0] })
})

test('a second factor is asked for once it was confirmed, and no more once it was removed', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  const path = '/operator/accounts/me/two-factor'
  const confirm = (code: string) => sendAs(app, token, 'POST', `${path}/confirm`, { code })
  assert.equal((await confirm('123456')).status, 400)
  const { secret, uri } = await succeed(sendAs(app, token, 'POST', path))
  assert.match(uri, /^otpauth:\/\/totp\/Feria:ana%40example\.com\?/)
  await signIn(app, { email })
  const code = codeAt(secret, app.ctx.now())
  assert.equal((await confirm(code === '123456' ? '654321' : '123456')).status, 400)
  await succeed(confirm(code))
  assert.equal((await trySignIn(app, { email })).body.error, 'code_required')
  await succeed(sendAs(app, token, 'DELETE', path))
  await signIn(app, { email })
})

test('a sensitive operation takes the password within ten minutes, or a code with two-factor authentication', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  const create = () =>
    sendAs(app, token, 'POST', '/operator/keys', { name: 'x', role: 'read-only' })
  const verify = (body: object) => sendAs(app, token, 'POST', '/operator/sessions/verify', body)
  assert.equal((await create()).status, 201)
  app.advance(10 * minuteMs + 1)
  const refused = await create()
  assert.deepEqual([refused.status, refused.body.error], [403, 'verification_required'])
  assert.equal((await verify({ password: 'a wrong password' })).status, 401)
  assert.equal((await verify({})).status, 400)
  assert.equal((await create()).status, 403)
  assert.equal((await verify({ password: operatorPassword })).status, 204)
  assert.equal((await create()).status, 201)
  const { secret, recoveryCodes } = await setUpTotp(app, token)
  app.advance(11 * minuteMs)
  assert.equal((await create()).status, 403)
  const alone = await verify({ password: operatorPassword })
  assert.deepEqual([alone.status, alone.body.error], [401, 'code_required'])
  assert.equal((await create()).status, 403)
  assert.equal((await verify({ code: codeAt(secret, app.ctx.now()) })).status, 204)
  assert.equal((await create()).status, 201)
  app.advance(11 * minuteMs)
  assert.equal((await verify({ code: recoveryCodes[0] ?? '' })).status, 204)
  assert.equal((await create()).status, 201)
})

test('the password alone neither removes nor replaces a second factor, nor renews its recovery codes', async () => {
  const { token } = await openAccount(app, { email, role: 'support' })
  const { secret } = await setUpTotp(app, token)
  app.advance(11 * minuteMs)
  const verify = (body: object) => sendAs(app, token, 'POST', '/operator/sessions/verify', body)
  assert.equal((await verify({ password: operatorPassword })).status, 401)
  const me = '/operator/accounts/me'
  for (const [method, path] of [
    ['DELETE', `${me}/two-factor`],
    ['POST', `${me}/two-factor`],
    ['POST', `${me}/recovery-codes`],
  ] as const) {
    const { status, body } = await sendAs(app, token, method, path)
    assert.deepEqual([status, body.error], [403, 'verification_required'], path)
  }
  assert.equal((await trySignIn(app, { email })).body.error, 'code_required')
  // Signing in took both factors.
  const fresh = await signIn(app, { email, code: codeAt(secret, app.ctx.now()) })
  assert.equal((await sendAs(app, fresh, 'DELETE', `${me}/two-factor`)).status, 204)
})

test('a session that was opened without the second factor ends when it is set up', async () => {
  const { token } = await openAccount(app, { email, role: 'support' })
  const earlier = await signIn(app, { email })
  await setUpTotp(app, token)
  assert.equal((await sessions(token)).status, 200)
  assert.equal((await sessions(earlier)).status, 401)
})

test('a sign-in with the password alone opens no session once a second factor is in force', async () => {
  const { token } = await openAccount(app, { email, role: 'support' })
  const path = '/operator/accounts/me/two-factor'
  const { secret } = await succeed(sendAs(app, token, 'POST', path))
  const code = codeAt(secret, app.ctx.now())
  const attempts = Array.from({ length: 4 }, () => trySignIn(app, { email }))
  const [, ...answers] = await Promise.all([
    succeed(sendAs(app, token, 'POST', `${path}/confirm`, { code })),
    ...attempts,
  ])
  for (const { body } of answers) {
    if (body.token !== undefined) assert.equal((await sessions(body.token)).status, 401)
  }
  const { sessions: open } = await succeed(sessions(token))
  assert.equal(open.length, 1)
})

test('guessing a password with a session is limited', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  const guess = () =>
    sendAs(app, token, 'POST', '/operator/sessions/verify', { password: 'a wrong password' })
  const statuses = (await Promise.all(Array.from({ length: 7 }, guess))).map((a) => a.status)
  assert.deepEqual(statuses.toSorted(), [401, 401, 401, 401, 401, 429, 429])
})

test('a new password ends all other sessions, and the old one is refused', async () => {
  const { token } = await openAccount(app, { email, role: 'support' })
  const other = await signIn(app, { email })
  const change = (current_password: string) =>
    sendAs(app, token, 'PUT', '/operator/accounts/me/password', {
      current_password,
      password: 'another long password',
    })
  assert.equal((await change('a wrong password')).status, 401)
  assert.equal((await change(operatorPassword)).status, 204)
  assert.deepEqual([(await sessions(token)).status, (await sessions(other)).status], [200, 401])
  assert.equal((await trySignIn(app, { email })).status, 401)
  await signIn(app, { email, password: 'another long password' })
})

test('passwords, codes, invitations and tokens are stored as digests', async () => {
  const { token } = await openAccount(app, { email, role: 'owner' })
  const { recoveryCodes } = await setUpTotp(app, token)
  const tables = ['accounts', 'sessions', 'recovery_codes', 'keys']
  const stored = await Promise.all(
    tables.map((table) =>
      app.ctx.db.rows<{ row: string }>({
        name: '',
        text: `select t::text as row from operator_${table} t`,
        values: [],
      }),
    ),
  )
  const text = stored
    .flat()
    .map(({ row }) => row)
    .join('\n')
  const secrets = [operatorPassword, token.slice(14), recoveryCodes[0] ?? '']
  for (const secret of secrets) assert.ok(!text.includes(secret))
  assert.ok(!text.includes((recoveryCodes[0] ?? '').replaceAll('-', '')))
})

test('signing in, and accepting an invitation, leave an entry of the account; a refusal leaves none', async () => {
  const id = await createAccount(app, { email, role: 'support' })
  await trySignIn(app, { email, password: 'a wrong password' })
  await trySignIn(app, { email })
  const { body } = await app.client.operator('GET', `/operator/audit-log?actor=account:${id}`)
  assert.deepEqual(
    body.results.map(({ operation, target }: { operation: string; target: { id: string } }) => [
      operation,
      target.id,
    ]),
    [
      ['POST /operator/sign-in', String(id)],
      ['POST /operator/invitations/accept', String(id)],
    ],
  )
})
