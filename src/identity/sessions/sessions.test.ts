import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { FormBrowser, hiddenFieldsOf } from '../../../test/harness/browser.ts'
import { contract } from '../../../test/harness/contract.ts'
import { anaId, createTestMarket } from '../../../test/harness/market.ts'
import { enableSignIn, openSignedInBrowser, password } from '../../../test/harness/oauth.ts'
import { hourMs } from '../../kernel/clock.ts'
import { localPath } from './routes.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())
beforeEach(() => enableSignIn(app))

const isIn = async (browser: FormBrowser) => (await browser.load('/account')).status === 200

contract(
  'users',
  'somebody signs in by nickname or by e-mail, however it is written, and signs out',
  async () => {
    for (const login of ['ANA_VENDE', 'ana_vende', 'ana@example.com', 'Ana@Example.COM']) {
      const browser = new FormBrowser(app)
      assert.ok(!(await isIn(browser)))
      const done = await browser.signIn(login, password)
      assert.deepEqual([done.status, done.location], [303, '/account'])
      const page = await browser.load('/account')
      assert.match(page.text, /ANA_VENDE/)
      const out = await browser.submit(page, '/logout', {})
      assert.deepEqual([out.status, out.location], [303, '/login'])
      assert.ok(!browser.cookies.has('feria_session'))
    }
  },
)

contract(
  'users',
  'the cookie is random, for this host, out of reach of scripts and of other sites’ forms',
  async () => {
    const browser = new FormBrowser(app)
    const done = await browser.signIn('ANA_VENDE', password)
    const [session = '', device = ''] = done.headers.getSetCookie()
    assert.match(session, /^feria_session=[0-9a-f]{64}-1001; /)
    assert.match(device, /^feria_device=[0-9a-f]{64}-1001; /)
    const common = ['Path=/', 'HttpOnly', 'SameSite=Lax']
    assert.deepEqual(session.split('; ').slice(1), [...common, 'Max-Age=86400'])
    assert.deepEqual(device.split('; ').slice(1), [...common, 'Max-Age=15552000'])
  },
)

test('where browsers come by https the cookie asks for it, and no other host may set it', async () => {
  const secure = await openTestApp({ env: { FERIA_PUBLIC_URL: 'https://feria.example' } })
  try {
    const { headers } = await new FormBrowser(secure).load('/login')
    assert.match(headers.getSetCookie()[0] ?? '', /^__Host-feria_session=[0-9a-f]{64}; .*; Secure/)
  } finally {
    await secure.close()
  }
})

contract(
  'users',
  'signing in changes the cookie, so that one that was planted before is worth nothing',
  async () => {
    const planted = new FormBrowser(app)
    await planted.load('/login')
    const before = new Map(planted.cookies)
    const victim = new FormBrowser(app)
    for (const [name, value] of before) victim.cookies.set(name, value)
    await victim.signIn('ANA_VENDE', password)
    assert.notDeepEqual(victim.cookies, before)
    assert.ok(await isIn(victim))
    assert.ok(!(await isIn(planted)))
  },
)

contract(
  'users',
  'a session that was copied ends when its owner signs out, and for the next who signs in there',
  async () => {
    for (const end of ['/logout', '/login']) {
      const browser = await openSignedInBrowser(app)
      const copy = new FormBrowser(app)
      for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
      assert.ok(await isIn(copy))
      const page = await browser.load('/account')
      const token = hiddenFieldsOf(page.text, '/logout')['form_token'] ?? ''
      const fields = { form_token: token, login: 'BRUNO_COMPRA', password }
      assert.equal((await browser.send(end, fields)).status, 303)
      assert.ok(!(await isIn(copy)))
    }
  },
)

test('a session lasts for a day', async () => {
  const browser = await openSignedInBrowser(app)
  app.advance(24 * hourMs - 1)
  assert.ok(await isIn(browser))
  app.advance(1)
  assert.ok(!(await isIn(browser)))
})

test('a new password ends all sessions of its user, and the old one is worth nothing', async () => {
  const browser = await openSignedInBrowser(app)
  const others = await openSignedInBrowser(app, 'BRUNO_COMPRA')
  const put = (newPassword: string | null) =>
    app.client.operator('PUT', `/operator/users/${anaId}/password`, { password: newPassword })
  await put('another one altogether')
  assert.ok(!(await isIn(browser)))
  assert.ok(await isIn(others))
  assert.equal((await new FormBrowser(app).signIn('ANA_VENDE', password)).status, 403)
  assert.equal(
    (await new FormBrowser(app).signIn('ANA_VENDE', 'another one altogether')).status,
    303,
  )
  await put(null)
  assert.equal(
    (await new FormBrowser(app).signIn('ANA_VENDE', 'another one altogether')).status,
    403,
  )
})

test('a session that was made up is nobody’s', async () => {
  const browser = await openSignedInBrowser(app)
  const [[name = '', value = ''] = []] = [...browser.cookies]
  const secret = value.split('-')[0] ?? ''
  const turned = (secret[0] === '0' ? '1' : '0') + secret.slice(1)
  for (const forged of [`${secret}-2002`, `${turned}-1001`, `-1001`, 'x', secret, `${value}0`]) {
    const other = new FormBrowser(app)
    other.cookies.set(name, forged)
    assert.ok(!(await isIn(other)), forged)
  }
})

contract(
  'users',
  'another site can sign nobody in or out: every form carries what only its page was sent',
  async () => {
    const victim = await openSignedInBrowser(app)
    const attacker = hiddenFieldsOf((await new FormBrowser(app).load('/login')).text, '/login')
    const login = { ...attacker, login: 'BRUNO_COMPRA', password }
    for (const [path, fields] of [
      ['/login', login],
      ['/logout', attacker],
      ['/account', { ...attacker, application_id: '700700' }],
    ] as const) {
      const { status, text } = await victim.send(path, fields)
      assert.equal(status, 403)
      assert.match(text, /form has expired/)
    }
    assert.match((await victim.load('/account')).text, /ANA_VENDE/)
  },
)

test('a path of ours is gone on at, and nothing that a browser could take for another address', () => {
  const cases: [text: string | undefined, path: string | undefined][] = [
    ['/', '/'],
    ['/account', '/account'],
    ['/authorization?a=b&c=%2F%2Fx', '/authorization?a=b&c=%2F%2Fx'],
    ['//evil.example', undefined],
    ['/\\evil.example', undefined],
    ['/a\\b', undefined],
    ['/\n/evil.example', undefined],
    ['/\t/evil.example', undefined],
    ['https://evil.example', undefined],
    ['evil.example', undefined],
    ['', undefined],
    ['/é', undefined],
    [undefined, undefined],
  ]
  for (const [text, path] of cases) assert.equal(localPath(text), path, String(text))
})
