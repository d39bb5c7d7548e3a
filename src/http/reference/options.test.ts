import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { routes } from '../../app/routes.ts'
import { isOperatorRoute } from '../route.ts'
import { isOpen } from './options.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

const resources = [
  ...new Set(routes.filter((route) => !isOperatorRoute(route)).map(({ url }) => url)),
]
const sampleOf = (url: string) => url.replace(/:[a-z_]+/g, '1')
const options = (path: string, headers: Record<string, string> = {}) =>
  fetch(app.address + path, { method: 'OPTIONS', headers })

interface Description {
  name: string
  description: string
  attributes: Record<string, string>
  methods: { method: string; example: string; description: string }[]
  related_resources: unknown[]
  connections: Record<string, string>
}

contract(
  ['1', '4.4', 'catalog'],
  'every resource describes itself: what it is, its fields and its methods',
  async () => {
    for (const url of resources) {
      const answer = await options(sampleOf(url))
      assert.equal(answer.status, 200, url)
      const resourceDescription = (await answer.json()) as Description
      assert.deepEqual(Object.keys(resourceDescription), [
        'name',
        'description',
        'attributes',
        'methods',
        'related_resources',
        'connections',
      ])
      const methods = routes.filter((route) => route.url === url).map(({ method }) => method)
      assert.deepEqual(
        resourceDescription.methods.map(({ method }) => method),
        methods,
        url,
      )
      assert.equal(answer.headers.get('allow'), [...methods, 'OPTIONS'].join(', '))
      for (const { example, description } of resourceDescription.methods) {
        assert.match(example, /^\/[^:]*$/)
        assert.notEqual(description, '')
      }
    }
  },
)

contract(
  'catalog',
  'a description says what its fields are, and where what they name is read',
  async () => {
    const itemDescription = (await (await options('/items/MLA1')).json()) as Description
    assert.equal(itemDescription.attributes['title'], 'string')
    assert.equal(itemDescription.connections['category_id'], '/categories/{id}')
    const search = (await (await options('/categories/MLA1')).json()) as Description
    assert.deepEqual(
      search.methods.map(({ example }) => example),
      ['/categories/{category_id}'],
    )
  },
)

contract('catalog', 'a page of any origin may read what anybody may, and is told so', async () => {
  for (const url of resources) {
    const open = routes.filter((route) => route.url === url && isOpen(route))
    const asks = {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    const answer = await options(sampleOf(url), asks)
    assert.equal(answer.status, 204, url)
    assert.equal(await answer.text(), '')
    const allowed = answer.headers.get('access-control-allow-methods')
    assert.equal(allowed, open.length > 0 ? open.map(({ method }) => method).join(', ') : null, url)
    assert.equal(answer.headers.get('access-control-allow-origin'), open.length > 0 ? '*' : null)
  }
})

contract(
  'catalog',
  'the answer itself is open to any origin where anybody may read it, and nowhere else',
  async () => {
    const originOf = async (path: string) =>
      (await fetch(app.address + path)).headers.get('access-control-allow-origin')
    assert.equal(await originOf('/sites'), '*')
    assert.equal(await originOf('/categories/none'), '*')
    assert.equal(await originOf('/orders/1'), null)
    assert.equal(await originOf('/operator/faults'), null)
  },
)

contract(
  ['5', 'users', 'catalog'],
  'a page may ask for tokens without a secret, and reads no answer to a secret',
  async () => {
    const basic = { authorization: `Basic ${btoa('700700:secret')}` }
    const json = { 'content-type': 'application/json' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    type Case = [query: string, headers: Record<string, string>, body: string, isRead: boolean]
    const cases: Case[] = [
      ['', form, 'grant_type=authorization_code&client_id=1&code=x&code_verifier=y', true],
      ['', form, 'grant_type=authorization_code&client_id=1&code=x&client_secret=', true],
      ['', json, '{"grant_type":"refresh_token","client_id":"1","refresh_token":"x"}', true],
      ['', json, '{ no json', true],
      ['', json, '[]', true],
      ['', form, 'grant_type=client_credentials&client_id=1&client_secret=x', false],
      ['', json, '{"grant_type":"client_credentials","client_id":"1","client_secret":"x"}', false],
      ['', json, '{"client_secret":null}', false],
      ['?client_secret=x', form, 'grant_type=client_credentials&client_id=1', false],
      ['?client_secret=x&client_secret=y', json, '{ no json', false],
      ['', { ...form, ...basic }, 'grant_type=client_credentials', false],
      ['', { ...json, ...basic }, '{ no json', false],
      ['', { ...form, authorization: 'Bearer x' }, 'grant_type=client_credentials', false],
    ]
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      for (const [query, headers, body, isRead] of cases) {
        const method = 'POST'
        const answer = await fetch(app.address + path + query, { method, headers, body })
        const origin = answer.headers.get('access-control-allow-origin')
        assert.equal(origin, isRead ? '*' : null, `${path}${query} ${body}`)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
      }
    }
  },
)

test('the operator’s resources do not describe themselves', async () => {
  assert.equal((await options('/operator/items/MLA1')).status, 404)
})
