import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { FormBrowser, hiddenFieldsOf, unescapeHtml } from '../../../test/harness/browser.ts'
import { contract } from '../../../test/harness/contract.ts'
import { applicationId, createTestMarket } from '../../../test/harness/market.ts'
import {
  authorizationUrlPath,
  clientSecret,
  enableSignIn,
  obtainCode,
  openSignedInBrowser,
  password,
  redirectUri,
} from '../../../test/harness/oauth.ts'
import { openServer } from '../../app/servers.ts'
import { makeLog } from '../../platform/log.ts'

/** What users are attacked by in front of a browser, and what their browsers tell others. */

let app: TestApp
before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
})
after(() => app.close())
beforeEach(() => enableSignIn(app))

contract(
  'users',
  'another site can send no consent form in somebody’s name (RFC 6749, 10.12)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const own = hiddenFieldsOf((await browser.load(authorizationUrlPath())).text, '/authorization')
    const { form_token: _, ...bare } = own
    const strangers = await new FormBrowser(app).load('/login')
    const others = hiddenFieldsOf(strangers.text, '/login')['form_token'] ?? ''
    for (const form_token of ['', 'x', others]) {
      const fields = { ...bare, decision: 'allow', form_token }
      const { status, location } = await browser.send('/authorization', fields)
      assert.deepEqual([status, location], [403, undefined])
    }
    const none = await browser.send('/authorization', { ...bare, decision: 'allow' })
    assert.equal(none.status, 400)
    const without = await new FormBrowser(app).send('/authorization', { ...own, decision: 'allow' })
    assert.equal(without.status, 403, 'the right token without the cookie')
  },
)

contract(
  'users',
  'a page is put into no frame, runs nothing, and leads its form where it says (RFC 6749, 10.13)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const pages = [
      await new FormBrowser(app).load('/login'),
      await new FormBrowser(app).load(authorizationUrlPath()),
      await browser.load(authorizationUrlPath()),
      await browser.load('/account'),
      await browser.load(authorizationUrlPath({ client_id: '1' })),
    ]
    for (const { headers, text } of pages) {
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.match(policy, /base-uri 'none'/)
      assert.match(policy, /form-action 'self'/)
      assert.doesNotMatch(policy, /unsafe|script-src/)
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.doesNotMatch(text, /<script|javascript:| on\w+=| style=/i)
    }
    assert.match(
      pages[2]?.headers.get('content-security-policy') ?? '',
      /form-action 'self' https:\/\/app\.example$/,
    )
  },
)

contract(
  'users',
  'a redirect that an older version took adds nothing to the policy of its page',
  async () => {
    const redirect_uri = "https://x;script-src'unsafe-inline',*.example/callback"
    await app.ctx.db.rows({
      name: 'store-bad-redirect',
      text: 'update applications set redirect_uris = array[$1] where id = $2',
      values: [redirect_uri, applicationId],
    })
    const { status, headers } = await (await openSignedInBrowser(app)).load(
      authorizationUrlPath({ redirect_uri }),
    )
    assert.equal(status, 200)
    assert.match(headers.get('content-security-policy') ?? '', /; form-action 'self'$/)
  },
)

contract(
  'users',
  'no page of others may read the authorisation page or what it answers (RFC 9700, 2.6)',
  async () => {
    const headers = { origin: 'https://evil.example' }
    for (const path of ['/login', authorizationUrlPath(), '/account']) {
      const { headers: responseHeaders } = await new FormBrowser(app).load(path, { headers })
      assert.equal(responseHeaders.get('access-control-allow-origin'), null)
      const preflight = await new FormBrowser(app).load(path, {
        method: 'OPTIONS',
        headers: { ...headers, 'access-control-request-method': 'POST' },
      })
      assert.equal(preflight.headers.get('access-control-allow-origin'), null)
    }
  },
)

contract(
  'users',
  'addresses with codes are told to nobody: no referrer, nothing kept (RFC 9700, 4.2)',
  async () => {
    const browser = await openSignedInBrowser(app)
    const page = await browser.load(authorizationUrlPath())
    const done = await browser.submit(page, '/authorization', { decision: 'allow' })
    for (const { headers } of [page, done]) {
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cache-control'), 'no-store')
    }
    assert.doesNotMatch(
      page.text,
      /<(a|img|iframe)\b|<link(?! rel="icon" href="\/console\/favicon.svg">)/,
      'nothing is loaded or left by a link',
    )
  },
)

test('after a form the browser is led on without it: 303, never 307 (RFC 9700, 4.12)', async () => {
  const browser = new FormBrowser(app)
  const page = await browser.load('/login')
  const fields = { login: 'ANA_VENDE', password }
  assert.equal((await browser.submit(page, '/login', fields)).status, 303)
  const consent = await browser.load(authorizationUrlPath())
  const done = await browser.submit(consent, '/authorization', { decision: 'allow' })
  assert.equal(done.status, 303)
  assert.ok(done.location?.startsWith(`${redirectUri}?`))
})

contract(
  'users',
  'signing in leads on to paths of ours alone: no open redirect (RFC 9700, 4.11)',
  async () => {
    const elsewhere = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '\\\\evil.example',
      '/\t/evil.example/',
      'javascript:alert(1)',
      '/%0d%0aset-cookie:a=b/../\r\nx: y',
      'evil.example',
      'http:evil.example',
    ]
    for (const return_to of elsewhere) {
      const browser = new FormBrowser(app)
      const page = await browser.load(`/login?${new URLSearchParams({ return_to })}`)
      assert.equal(hiddenFieldsOf(page.text, '/login')['return_to'], '', return_to)
      const fields = { login: 'ANA_VENDE', password, return_to }
      const done = await browser.submit(page, '/login', fields)
      assert.equal(done.location, '/account', return_to)
    }
    const browser = await openSignedInBrowser(app)
    const { location } = await browser.load('/login?return_to=https://evil.example/')
    assert.equal(location, '/account')
  },
)

test('what is asked is written into the page as text, never as a part of it (RFC 6749, 10.14)', async () => {
  const state = '"><script>alert(1)</script>&lt;'
  const browser = await openSignedInBrowser(app)
  const { text } = await browser.load(authorizationUrlPath({ state }))
  assert.doesNotMatch(text, /<script/)
  assert.equal(hiddenFieldsOf(text, '/authorization')['state'], state)
  const { text: refusal } = await browser.load(authorizationUrlPath({ client_id: state }))
  assert.doesNotMatch(refusal, /<script/)
  const login = await new FormBrowser(app).signIn(state, 'x')
  assert.doesNotMatch(login.text, /<script/)
  assert.ok(unescapeHtml(login.text).includes(`value="${state}"`))
})

contract(
  'users',
  'codes, tokens, passwords and secrets are in no line of the log, wherever they came (RFC 9700, 4.3)',
  async () => {
    const lines: string[] = []
    const log = makeLog('debug', { write: (line: string) => void lines.push(line) })
    const server = await openServer({ ...app.ctx, log })
    try {
      const code = await obtainCode(await openSignedInBrowser(app))
      const query = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: String(applicationId),
        client_secret: clientSecret,
      })
      const done = await server.inject({ method: 'POST', url: `/oauth/token?${query}` })
      const { access_token, refresh_token } = done.json()
      await server.inject({ url: `/users/me?access_token=${access_token}` })
      const refused = { grant_type: 'refresh_token', client_secret: clientSecret, refresh_token }
      await server.inject({ method: 'POST', url: '/oauth/token', payload: refused })
      const cookie = 'feria_session=0123'
      const fields = { form_token: 'x', login: 'ANA_VENDE', password }
      await server.inject({ method: 'POST', url: '/login', payload: fields, headers: { cookie } })
      await server.inject({ url: authorizationUrlPath({ state: 'a-state-of-mine' }) })
      assert.equal(done.statusCode, 200)
      assert.ok(lines.length >= 5)
      const all = lines.join('')
      for (const secret of [code, access_token, refresh_token, clientSecret, password, cookie]) {
        assert.ok(!all.includes(secret), secret)
      }
      assert.ok(!all.includes('a-state-of-mine'))
    } finally {
      await server.close()
    }
  },
)
