import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import { putUser } from '../../../test/harness/market.ts'
import { Failure } from '../../kernel/failure.ts'
import { checkRedirect } from './redirects.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
  await putUser(app.client, 5, { nickname: 'N' })
})
after(() => app.close())

const put = (id: number, body: object) =>
  app.client.operator('PUT', `/operator/applications/${id}`, body)
const plain = { name: 'A', callback_url: null, topics: [] }

contract(
  'users',
  'an application that is registered as before asks for everything, with its secret, and leads nowhere',
  async () => {
    const { status, body } = await put(1, plain)
    assert.equal(status, 201)
    const { secret, ...rest } = body
    assert.equal(secret.length, 40)
    assert.deepEqual(rest, {
      id: 1,
      ...plain,
      description: null,
      redirect_uris: [],
      scopes: ['offline_access', 'read', 'write'],
      requires_pkce: false,
      is_public: false,
      owner_id: null,
    })
  },
)

contract(
  'users',
  'what says how an application gets tokens stays where it is left out',
  async () => {
    const settings = {
      description: 'Keeps stock',
      redirect_uris: ['https://a.example/x', 'http://127.0.0.1:4000/'],
      scopes: ['read'],
      requires_pkce: true,
      is_public: true,
      owner_id: 5,
    }
    const { body: created } = await put(2, { ...plain, ...settings })
    const { body: after } = await put(2, { ...plain, name: 'B' })
    assert.deepEqual({ ...created, name: 'B', secret: undefined }, { ...after, secret: undefined })
    const { body: changed } = await put(2, { ...plain, redirect_uris: [], owner_id: null })
    assert.deepEqual([changed.redirect_uris, changed.owner_id], [[], null])
    assert.equal(changed.requires_pkce, true)
  },
)

contract(
  'users',
  'a redirect address is https, or of this machine, and such as is compared letter for letter',
  () => {
    const accepted = [
      'https://app.example/callback',
      'https://app.example',
      'https://app.example:8443/a?b=c&d=%20',
      'http://localhost:3000/callback',
      'http://127.0.0.1/callback',
      'http://[::1]:3000/',
    ]
    for (const uri of accepted) checkRedirect('redirect_uris[0]', uri)
    const refused = [
      '',
      'x',
      '/callback',
      'http://app.example/callback',
      'http://localhost.example/',
      'http://127.0.0.2/',
      'https://user@app.example/',
      'https://user:secret@app.example/',
      'https://app.example/#part',
      'https://app.example/a b',
      'https:\\\\app.example/',
      'https:/app.example/',
      'HTTPS://app.example/',
      'myapp://callback',
      'javascript:alert(1)',
      'https://app.example/año',
      'data:text/html,x',
      `https://app.example/${'a'.repeat(2_048)}`,
    ]
    for (const uri of refused) {
      assert.throws(
        () => checkRedirect('redirect_uris[0]', uri),
        (error) => error instanceof Failure && /^redirect_uris\[0\]: expected/.test(error.message),
        uri,
      )
    }
  },
)

contract('users', 'a refused registration of an application names its field', async () => {
  const cases: [body: object, field: string][] = [
    [{ redirect_uris: ['ftp://x/'] }, 'redirect_uris[0]'],
    [{ redirect_uris: ['https://a.example/', 'x'] }, 'redirect_uris[1]'],
    [{ redirect_uris: 'https://a.example/' }, 'redirect_uris'],
    [{ redirect_uris: Array(21).fill('https://a.example/') }, 'redirect_uris'],
    [{ scopes: ['admin'] }, 'scopes[0]'],
    [{ scopes: [] }, 'scopes'],
    [{ requires_pkce: 'yes' }, 'requires_pkce'],
    [{ owner_id: 99 }, 'owner_id'],
  ]
  for (const [more, field] of cases) {
    const { status, body } = await put(3, { ...plain, ...more })
    assert.equal(status, 400)
    assert.ok(body.message.startsWith(`${field}: `), body.message)
  }
})
