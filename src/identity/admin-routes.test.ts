import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { contract } from '../../test/harness/contract.ts'
import { digestOf } from './token.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

const put = (path: string, body: object) => app.client.operator('PUT', `/operator/${path}`, body)
const application = { name: 'A', callback_url: null, topics: ['orders_v2'] }

async function secretOf(id: number): Promise<string | undefined> {
  const [row] = await app.ctx.db.rows<{ hash: string }>({
    name: '',
    text: 'select secret_hash as hash from applications where id = $1',
    values: [id],
  })
  return row?.hash
}

contract(
  'users',
  'a secret is shown once, when it is made, and only its digest is kept',
  async () => {
    const created = await put('applications/1', application)
    assert.equal(created.status, 201)
    assert.match(created.body.secret, /^[0-9a-f]{40}$/)
    assert.equal(await secretOf(1), digestOf(created.body.secret))
    const changed = await put('applications/1', { ...application, name: 'B' })
    assert.equal(changed.status, 200)
    assert.ok(!('secret' in changed.body))
    assert.equal(await secretOf(1), digestOf(created.body.secret), 'a change keeps it')
  },
)

contract(
  'users',
  'a secret of the operator’s own is taken, replaces the one before, and is never shown',
  async () => {
    for (const secret of ['a secret of our own', 'another of our own']) {
      const { body } = await put('applications/2', { ...application, secret })
      assert.ok(!('secret' in body))
      assert.equal(await secretOf(2), digestOf(secret))
    }
  },
)

contract(
  'users',
  'an application that is registered twice at once has the one secret that was shown',
  async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => put('applications/3', application)),
    )
    const shown = answers.filter(({ body }) => 'secret' in body)
    assert.equal(shown.length, 1)
    assert.equal(shown[0]?.status, 201)
    assert.equal(await secretOf(3), digestOf(shown[0]?.body.secret))
  },
)

contract(['1', 'notifications'], 'a refused registration names its field', async () => {
  const user = { site_id: 'MLA', nickname: 'N' }
  await put('users/5', user)
  const cases: [path: string, body: object, status: number, field: string][] = [
    ['users/0', user, 400, 'id'],
    ['users/x', user, 400, 'id'],
    ['users/9007199254740993', user, 400, 'id'],
    ['users/6', { ...user, site_id: 'XXX' }, 400, 'site_id'],
    ['users/6', { ...user, nickname: '' }, 400, 'nickname'],
    ['users/6', { ...user, mail: 'x' }, 400, 'mail'],
    ['users/6', { site_id: 'MLA' }, 400, 'nickname'],
    ['applications/6', { ...application, callback_url: 'ftp://x/' }, 400, 'callback_url'],
    ['applications/6', { ...application, callback_url: 'http://u:p@x/' }, 400, 'callback_url'],
    ['applications/6', { ...application, callback_url: 'http://a..b/' }, 400, 'callback_url'],
    ['applications/6', { ...application, callback_url: '' }, 400, 'callback_url'],
    ['applications/6', { ...application, callback_url: 7 }, 400, 'callback_url'],
    ['applications/6', { ...application, topics: Array(101).fill('items') }, 400, 'topics'],
    ['applications/6', { ...application, topics: ['weather'] }, 400, 'topics[0]'],
    ['applications/6', { ...application, secret: 'short' }, 400, 'secret'],
    ['authorizations/99/5', {}, 404, 'Application not found: 99'],
    ['authorizations/1/99', {}, 404, 'User not found: 99'],
    ['authorizations/1/5', { scopes: ['all'] }, 400, 'scopes[0]'],
  ]
  for (const [path, body, status, field] of cases) {
    const refused = await put(path, body)
    assert.equal(refused.status, status, `${path} ${refused.text}`)
    assert.ok(refused.body.message.startsWith(field), refused.body.message)
  }
  assert.equal(await secretOf(6), undefined)
})

contract('2.2', 'a user is new once, and replaced whole after that', async () => {
  const first = await put('users/7', { site_id: 'MLB', nickname: 'Zé', email: 'ze@example.com' })
  assert.equal(first.status, 201)
  assert.equal(first.body.email, 'ze@example.com')
  const second = await put('users/7', { site_id: 'MLB', nickname: 'Zé' })
  assert.equal(second.status, 200)
  assert.equal(second.body.email, null)
})

contract('6.2', 'topics are those that there are, each counted once', async () => {
  const topics = ['items', 'orders_v2', 'items', 'orders_v2', 'claims']
  const { status, body } = await put('applications/8', { ...application, topics })
  assert.deepEqual([status, body.topics], [201, ['items', 'orders_v2', 'claims']])
  const refused = await put('applications/8', { ...application, topics: ['items', 'weather'] })
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /^topics\[1\]: expected one of items, .*orders_v2.*claims$/)
})

contract(
  'notifications',
  'outside the sandbox no callback leads inside, in the sandbox it may',
  async () => {
    const inside = { ...application, callback_url: 'http://127.1:9000/callback' }
    assert.equal((await put('applications/9', inside)).status, 201)
    const real = await openTestApp({ env: { FERIA_MODE: 'production' } })
    try {
      const at = (callback_url: string) =>
        real.client.operator('PUT', '/operator/applications/9', { ...application, callback_url })
      for (const url of [inside.callback_url, 'https://localhost/', 'http://feed.internal/']) {
        const { status, body } = await at(url)
        assert.equal(status, 400)
        assert.match(body.message, /^callback_url: expected .* on the internet/)
      }
      assert.ok((await at('http://example.com/callback')).status < 300)
    } finally {
      await real.close()
    }
  },
)
