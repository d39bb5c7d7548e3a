import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

const operator = (method: string, path: string, body?: object) =>
  app.client.operator(method, `/operator/${path}`, body)
const application = (name: string) => ({
  name,
  callback_url: 'https://a.example/',
  topics: ['items'],
})

contract('users', 'the operator reads back what was registered, and never a secret', async () => {
  const created = await operator('PUT', 'applications/7', application('Seven'))
  const { body, text } = await operator('GET', 'applications/7')
  const { date_created, last_updated, ...readBack } = body
  const { secret, ...put7 } = created.body
  assert.deepEqual(readBack, put7, 'all that was answered when it was registered, but the secret')
  assert.equal(readBack.callback_url, 'https://a.example/')
  assert.deepEqual(readBack.scopes, ['offline_access', 'read', 'write'])
  assert.equal(date_created, app.ctx.now().toISOString())
  assert.equal(last_updated, date_created)
  assert.ok(secret && !text.includes(secret))
  const put = await operator('PUT', 'users/7', {
    site_id: 'MLA',
    nickname: 'SIETE',
    email: 'a@b.c',
  })
  assert.deepEqual((await operator('GET', 'users/7')).body, put.body)
})

contract(
  'users',
  'lists go on behind the last id, to their end, whatever is registered meanwhile',
  async () => {
    for (const id of [30, 10, 20, 50, 40]) {
      await operator('PUT', `applications/${id}`, application(`A${id}`))
      await operator('PUT', `users/${id}`, { site_id: 'MLA', nickname: `U${id}` })
    }
    for (const name of ['applications', 'users'] as const) {
      const ids: number[] = []
      let after: number | null = 9
      while (after !== null) {
        const page = await operator('GET', `${name}?limit=2&after=${after}`)
        assert.equal(page.status, 200)
        ids.push(...page.body[name].map(({ id }: { id: number }) => id))
        after = page.body.next_after
        assert.ok(ids.length <= 5, 'the pages come to an end')
        // Comes before where the list is by now.
        const body = name === 'users' ? { site_id: 'MLA', nickname: 'X' } : application('X')
        await operator('PUT', `${name}/11`, body)
      }
      assert.deepEqual(ids, [10, 20, 30, 40, 50], name)
      const whole = await operator('GET', `${name}?after=9`)
      assert.equal(whole.body[name].length, 6)
      assert.equal(whole.body.next_after, null)
      const exact = await operator('GET', `${name}?after=9&limit=6`)
      assert.equal(exact.body.next_after, null, 'nothing behind a page that is just full')
    }
  },
)

contract(
  'users',
  'what is not there is said by its number, and only the operator asks',
  async () => {
    for (const [name, one] of [
      ['applications', 'Application'],
      ['users', 'User'],
    ]) {
      const missing = await operator('GET', `${name}/999`)
      assert.equal(missing.status, 404)
      assert.equal(missing.body.message, `${one} not found: 999`)
      assert.equal((await operator('GET', `${name}/x`)).status, 400)
      assert.equal((await operator('GET', `${name}?limit=0`)).status, 400)
      for (const path of [`/operator/${name}`, `/operator/${name}/7`]) {
        assert.equal((await app.client.get(path)).status, 401)
        assert.equal((await app.client.get(path, 'APP_USR-1-000000-x-1')).status, 401)
      }
    }
  },
)

contract(
  'users',
  'users are found by how their nickname begins, whatever its case and accents',
  async () => {
    const nicknames = ['Ñandú_1', 'NANDU_2', 'Nan%', 'NAZCA', 'X_NANDU']
    for (const [n, nickname] of nicknames.entries()) {
      await operator('PUT', `users/${700 + n}`, { site_id: 'MLA', nickname })
    }
    const searchNicknames = async (begins: string, more = '') => {
      const page = await operator('GET', `users?nickname=${encodeURIComponent(begins)}${more}`)
      assert.equal(page.status, 200)
      assert.equal(page.body.next_after, null)
      return page.body.users.map(({ nickname }: { nickname: string }) => nickname)
    }
    assert.deepEqual(await searchNicknames('nandu'), ['Ñandú_1', 'NANDU_2'])
    assert.deepEqual(await searchNicknames('NAN%'), ['Nan%'])
    assert.deepEqual(await searchNicknames('na', '&limit=2'), ['Nan%', 'Ñandú_1'])
    assert.deepEqual(await searchNicknames('nobody'), [])
    assert.equal((await operator('GET', 'users?nickname=')).status, 400)
  },
)
