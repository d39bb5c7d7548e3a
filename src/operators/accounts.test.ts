import assert from 'node:assert/strict'
import { request } from 'node:http'
import { afterEach, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import {
  accept,
  createAccount,
  createKey,
  openAccount,
  operatorPassword,
  sendAs,
  signIn,
  succeed,
  trySignIn,
} from '../../test/harness/operators.ts'
import { nextEvent } from '../../test/harness/wait.ts'
import { dayMs } from '../kernel/clock.ts'

let app: TestApp
beforeEach(async () => {
  app = await openTestApp()
})
afterEach(() => app.close())

const invite = (body: object, token?: string) =>
  token === undefined
    ? app.client.operator('POST', '/operator/accounts', body)
    : sendAs(app, token, 'POST', '/operator/accounts', body)
const ana = { email: 'Ana@Example.com', name: 'Ana', role: 'support' }

test('an invitation is accepted once, sets the password and lets its account sign in', async () => {
  const { account, invitation } = await succeed(invite(ana))
  assert.deepEqual([account.status, account.email], ['invited', 'Ana@Example.com'])
  assert.equal((await trySignIn(app, { email: ana.email })).status, 401)
  const body = { invitation, password: operatorPassword }
  const send = () => app.client.send('POST', '/operator/invitations/accept', { body })
  // Two at a time: one of them wins.
  const statuses = (await Promise.all([send(), send()])).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 404])
  assert.equal((await send()).status, 404)
  const token = await signIn(app, { email: 'ANA@example.COM' })
  const me = await succeed(sendAs(app, token, 'GET', '/operator/accounts/me'))
  assert.deepEqual([me.id, me.role, me.status], [account.id, 'support', 'active'])
})

test('the link of an invitation has it in the fragment, which reaches no server', async () => {
  const { account, invitation, url } = await succeed(invite(ana))
  const { origin } = new URL(app.address)
  assert.equal(url, `${origin}/console/invitation#${invitation}`)
  const path = `/operator/accounts/${account.id}/invitation`
  const renewed = await succeed(app.client.operator('POST', path, {}))
  assert.equal(new URL(renewed.url).hash, `#${renewed.invitation}`)
  assert.equal(new URL(renewed.url).search, '')
})

test('an invitation expires after three days, and a renewed one ends the one before', async () => {
  const { account, invitation } = await succeed(invite(ana))
  const renew = async () =>
    (await succeed(app.client.operator('POST', `/operator/accounts/${account.id}/invitation`, {})))
      .invitation
  const renewed = await renew()
  await assert.rejects(accept(app, invitation), /404/)
  app.advance(3 * dayMs)
  await assert.rejects(accept(app, renewed), /404/)
  await accept(app, await renew())
})

test('a renewed invitation of an active account changes nothing until it is accepted', async () => {
  const { id, email, token } = await openAccount(app, { email: 'a@example.com', role: 'support' })
  const { invitation } = await succeed(
    app.client.operator('POST', `/operator/accounts/${id}/invitation`, {}),
  )
  assert.equal((await sendAs(app, token, 'GET', '/operator/sessions')).status, 200)
  await accept(app, invitation, 'another long password')
  assert.equal((await sendAs(app, token, 'GET', '/operator/sessions')).status, 401)
  assert.equal((await trySignIn(app, { email })).status, 401)
  await signIn(app, { email, password: 'another long password' })
})

test('an e-mail address has one account, however it is written and two at a time', async () => {
  const answers = await Promise.all([invite(ana), invite({ ...ana, email: 'ANA@EXAMPLE.com' })])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
})

test('wrong fields of an invitation are refused by name', async () => {
  const cases: [body: object, field: string][] = [
    [{ ...ana, email: 'nobody' }, 'email'],
    [{ ...ana, role: 'nothing' }, 'role'],
    [{ ...ana, name: '' }, 'name'],
    [{ ...ana, nick: 'x' }, 'nick'],
  ]
  for (const [body, field] of cases) {
    const { status, body: refusal } = await invite(body)
    assert.deepEqual([status, refusal.message.split(':')[0]], [400, field])
  }
  const { invitation } = await succeed(invite(ana))
  const short = { invitation, password: 'short' }
  const refused = await app.client.send('POST', '/operator/invitations/accept', { body: short })
  assert.match(refused.body.message, /^password: /)
  const extra = { invitation, password: operatorPassword, extra: 1 }
  const strict = await app.client.send('POST', '/operator/invitations/accept', { body: extra })
  assert.equal(strict.status, 400)
})

test('a role that changes, and a disabled account, take effect on open sessions at once', async () => {
  const { id, email, token } = await openAccount(app, { email: 'a@example.com', role: 'read-only' })
  const patch = (body: object) =>
    succeed(app.client.operator('PATCH', `/operator/accounts/${id}`, body))
  assert.equal((await sendAs(app, token, 'GET', '/operator/users')).status, 200)
  await patch({ role: 'catalog' })
  assert.equal((await sendAs(app, token, 'GET', '/operator/users')).status, 403)
  await patch({ status: 'disabled' })
  assert.equal((await sendAs(app, token, 'GET', '/operator/catalog/versions')).status, 401)
  assert.equal((await trySignIn(app, { email })).status, 401)
  await patch({ status: 'active' })
  assert.equal((await sendAs(app, token, 'GET', '/operator/catalog/versions')).status, 401)
  await signIn(app, { email })
})

test('an account that was disabled before it accepted is invited again, not active', async () => {
  const { account, invitation } = await succeed(invite({ ...ana, role: 'owner' }))
  const patch = (status: string) =>
    succeed(app.client.operator('PATCH', `/operator/accounts/${account.id}`, { status }))
  await patch('disabled')
  await assert.rejects(accept(app, invitation), /404/)
  assert.equal((await patch('active')).status, 'invited')
  await accept(app, invitation)
})

test('the last active owner is not disabled, deleted or demoted', async () => {
  const id = await createAccount(app, { email: 'a@example.com', role: 'owner' })
  await succeed(invite({ ...ana, role: 'owner' }))
  const path = `/operator/accounts/${id}`
  for (const attempt of [
    app.client.operator('PATCH', path, { status: 'disabled' }),
    app.client.operator('PATCH', path, { role: 'support' }),
    app.client.operator('DELETE', path),
  ]) {
    const { status, body } = await attempt
    assert.deepEqual([status, body.error], [409, 'last_owner'])
  }
  await succeed(app.client.operator('PATCH', path, { name: 'Another name' }))
})

test('of two owners who demote each other at the same time, one stays', async () => {
  const owners = [
    await openAccount(app, { email: 'a@example.com', role: 'owner' }),
    await openAccount(app, { email: 'b@example.com', role: 'owner' }),
  ]
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      owners.map(({ id }, at) => {
        const path = `/operator/accounts/${id}`
        const token = owners[1 - at]?.token ?? ''
        return sendAs(app, token, 'PATCH', path, { role: 'support' })
      }),
    )
    const done = answers.filter(({ status }) => status === 200)
    assert.equal(done.length, 1, answers.map(({ text }) => text).join('\n'))
    const { accounts } = await succeed(app.client.operator('GET', '/operator/accounts'))
    const left = accounts.filter(({ role }: { role: string }) => role === 'owner')
    assert.equal(left.length, 1)
    for (const { id } of owners) {
      await succeed(app.client.operator('PATCH', `/operator/accounts/${id}`, { role: 'owner' }))
    }
  }
})

test('nobody gives others more than they have, or takes over who has more', async () => {
  const permissions = ['accounts:manage', 'keys:manage', 'orders:read']
  await succeed(app.client.operator('PUT', '/operator/roles/manager', { permissions }))
  const owner = await openAccount(app, { email: 'o@example.com', role: 'owner' })
  const manager = await openAccount(app, { email: 'm@example.com', role: 'manager' })
  const attempts: [method: string, path: string, body?: object][] = [
    ['POST', '/operator/accounts', { ...ana, role: 'owner' }],
    ['PATCH', `/operator/accounts/${manager.id}`, { role: 'owner' }],
    ['PATCH', `/operator/accounts/${owner.id}`, { role: 'manager' }],
    ['PATCH', `/operator/accounts/${owner.id}`, { status: 'disabled' }],
    ['DELETE', `/operator/accounts/${owner.id}/sessions`],
    ['DELETE', `/operator/accounts/${owner.id}`],
    ['POST', `/operator/accounts/${owner.id}/invitation`, {}],
    ['POST', '/operator/keys', { name: 'x', role: 'read-only' }],
    ['PUT', '/operator/roles/manager', { permissions: [...permissions, 'orders:write'] }],
    ['PUT', '/operator/token', { is_enabled: false }],
  ]
  for (const [method, path, body] of attempts) {
    const refused = await sendAs(app, manager.token, method, path, body)
    assert.deepEqual([refused.status, refused.body.error], [403, 'permission_denied'], refused.text)
  }
  await succeed(
    sendAs(app, manager.token, 'POST', '/operator/accounts', { ...ana, role: 'manager' }),
  )
})

test('a role of your own is a set of permissions, and is kept while somebody has it', async () => {
  const put = (permissions: string[]) =>
    app.client.operator('PUT', '/operator/roles/night-shift', { permissions })
  assert.equal((await put(['orders:read'])).status, 201)
  const { key } = await createKey(app, { role: 'night-shift' })
  const search = () => sendAs(app, key, 'GET', '/operator/orders/figures')
  const users = () => sendAs(app, key, 'GET', '/operator/users')
  assert.deepEqual([(await search()).status, (await users()).status], [200, 403])
  assert.equal((await put(['users:read'])).status, 200)
  assert.deepEqual([(await search()).status, (await users()).status], [403, 200])
  const remove = () => app.client.operator('DELETE', '/operator/roles/night-shift')
  assert.equal((await remove()).body.error, 'role_in_use')
  const { keys } = await succeed(app.client.operator('GET', '/operator/keys'))
  await succeed(app.client.operator('DELETE', `/operator/keys/${keys[0].id}`))
  assert.equal((await remove()).status, 204)
  assert.equal((await remove()).status, 404)
  assert.equal((await put(['nothing:read'])).status, 400)
  const builtIn = await app.client.operator('PUT', '/operator/roles/owner', { permissions: [] })
  assert.equal(builtIn.status, 400)
})

test('an invitation ends when its account gets another role, or its role becomes wider', async () => {
  const put = (permissions: string[]) =>
    succeed(app.client.operator('PUT', '/operator/roles/desk', { permissions }))
  await put(['users:read'])
  const tryToAccept = (invitation: string) =>
    app.client.send('POST', '/operator/invitations/accept', {
      body: { invitation, password: operatorPassword },
    })
  const patch = (id: number, body: object) =>
    succeed(app.client.operator('PATCH', `/operator/accounts/${id}`, body))
  const changes: ((id: number) => Promise<unknown>)[] = [
    (id) => patch(id, { role: 'owner' }),
    () => put(['users:read', 'orders:read']),
  ]
  for (const [n, change] of changes.entries()) {
    const { account, invitation } = await succeed(
      invite({ ...ana, email: `a${n}@example.com`, role: 'desk' }),
    )
    await change(account.id)
    assert.equal((await tryToAccept(invitation)).status, 404)
    const path = `/operator/accounts/${account.id}`
    const { invitation_expires_at: end } = await succeed(app.client.operator('GET', path))
    assert.equal(end, null)
    const renewed = await succeed(app.client.operator('POST', `${path}/invitation`))
    assert.equal((await tryToAccept(renewed.invitation)).status, 200)
  }
  const { account, invitation } = await succeed(invite({ ...ana, role: 'desk' }))
  await patch(account.id, { name: 'Another name' })
  await put(['users:read'])
  assert.equal((await tryToAccept(invitation)).status, 200)
})

test('an operator whose account was disabled, or session ended, while the body arrives is refused', async () => {
  await createAccount(app, { email: 'stays@example.com', role: 'owner' })
  const { hostname, port } = new URL(app.address)
  const cases: [name: string, take: (id: number) => Promise<unknown>, refusal: string][] = [
    [
      'disabled',
      (id) => app.client.operator('PATCH', `/operator/accounts/${id}`, { status: 'disabled' }),
      'operator_only',
    ],
    [
      'ended',
      (id) => app.client.operator('DELETE', `/operator/accounts/${id}/sessions`),
      'operator_only',
    ],
    [
      'demoted',
      (id) => app.client.operator('PATCH', `/operator/accounts/${id}`, { role: 'read-only' }),
      'permission_denied',
    ],
  ]
  for (const [name, take, refusal] of cases) {
    const { id, token } = await openAccount(app, { email: `${name}@example.com`, role: 'owner' })
    const text = JSON.stringify({ ...ana, role: 'owner' })
    const slow = request({
      hostname,
      port,
      method: 'POST',
      path: '/operator/accounts',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': text.length,
        expect: '100-continue',
      },
    })
    slow.flushHeaders()
    // The server has read the head.
    await nextEvent(slow, 'continue')
    slow.write(text.slice(0, 10))
    await succeed(take(id) as ReturnType<typeof invite>)
    slow.end(text.slice(10))
    const [answer] = await nextEvent(slow, 'response')
    const parts: Buffer[] = []
    for await (const part of answer) parts.push(part)
    assert.equal(JSON.parse(Buffer.concat(parts).toString()).error, refusal, name)
  }
  const { accounts } = await succeed(app.client.operator('GET', '/operator/accounts'))
  assert.ok(!accounts.some(({ email }: { email: string }) => email === ana.email))
})
