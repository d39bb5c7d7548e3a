import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { contract } from '../../../test/harness/contract.ts'
import { type BareServer, openBareServer } from '../../../test/harness/server.ts'
import { nextEvent } from '../../../test/harness/wait.ts'
import { makeLog } from '../../platform/log.ts'
import { healthRoutes } from '../health.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { allSites } from '../site-rule.ts'
import { hostnameOf } from './hosts.ts'

const any = { tag: 'Test', summary: 'A test', answers: { 200: Type.Object({}) } } as const
const things = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
  route({
    ...any,
    method: method as Route['method'],
    url: '/things',
    scope: 'public',
    handle: async (_ctx, { headers }) => ok({ host: headers.host ?? null }),
  }),
)
const upload = route({
  ...any,
  method: 'POST',
  url: '/files',
  scope: 'write',
  takesFiles: true,
  body: Type.Object({}),
  handle: async () => noContent(),
})
const form = route({
  ...any,
  method: 'POST',
  url: '/form',
  scope: 'page',
  takesFields: true,
  body: Type.Object({}),
  handle: async () => ok({}),
})
const operators = route({
  ...any,
  method: 'POST',
  url: '/operator/things',
  scope: 'operator',
  permission: 'orders:write',
  sites: allSites,
  handle: async () => ok({}),
})
const routes = [...things, upload, form, operators, ...healthRoutes]

const log = makeLog('silent')
const opened: BareServer[] = []
after(() => Promise.all(opened.map(({ server }) => server.close())))

async function open(env: Record<string, string> = {}): Promise<BareServer> {
  const bare = await openBareServer(routes, { env, log })
  opened.push(bare)
  return bare
}

interface Sent {
  method?: string
  target?: string
  version?: string
  headers?: Record<string, string>
  /** Lines of the head, as they are. */
  hosts: string[]
  body?: string
}

/** Asks with a head of which nothing was mended. */
async function ask(
  { port }: BareServer,
  { method = 'GET', target = '/things', version = '1.1', hosts, headers = {}, body = '' }: Sent,
) {
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...hosts.map((host) => `Host: ${host}`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    'Connection: close',
  ]
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part))
  socket.on('error', () => {})
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  await nextEvent(socket, 'close')
  const [head = '', text = ''] = Buffer.concat(parts).toString().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), text }
}

const production = {
  FERIA_MODE: 'production',
  FERIA_OPERATOR_TOKEN: 'operator-token-of-the-tests',
}
const own = {
  FERIA_PUBLIC_URL: 'https://api.feria.example',
  FERIA_ALLOWED_HOSTS: 'feria-1, 10.0.0.9',
}

const addresses = [
  '127.0.0.1',
  '127.0.0.1:8080',
  '10.0.0.1',
  '203.0.113.9:80',
  '[::1]',
  '[::1]:8080',
]
const local = ['localhost', 'LOCALHOST:8080', 'localhost.', 'a.localhost', 'a.b.localhost:1']
const named = ['api.feria.example', 'API.feria.example:443', 'api.feria.example.', 'feria-1:8080']
const foreign = [
  ...[
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'evil-localhost',
    'xlocalhost',
  ],
  ...['127.0.0.1.evil.example', '2130706433', '0x7f.1', '127.1', '0177.0.0.1', '127.0.0.1@evil'],
  ...['feria.example', 'x.api.feria.example', 'feria-10', 'evil.example#localhost', 'null'],
  ...['localhost, evil.example', 'evil.example/localhost', '[::1].evil.example'],
]

contract(
  'notifications',
  'a name that leads here is answered where it is one of this service, and not otherwise',
  async () => {
    const cases: [env: Record<string, string>, taken: string[], refused: string[]][] = [
      [{}, [...addresses, ...local], [...named, ...foreign]],
      [own, [...addresses, ...local, ...named], foreign],
      [{ ...production, ...own }, [...addresses, ...local, ...named], foreign],
      [{ ...production, FERIA_ALLOWED_HOSTS: 'only.example' }, ['only.example'], foreign],
      [production, [...addresses, ...local, ...named, 'evil.example', '127.1'], []],
    ]
    for (const [env, accepted, refused] of cases) {
      const bare = await open(env)
      for (const host of accepted) {
        assert.equal((await ask(bare, { hosts: [host] })).status, 200, `${host} is taken`)
      }
      for (const host of refused) {
        const { status, text } = await ask(bare, { hosts: [host] })
        assert.equal(status, 421, `${host} is refused`)
        const { error, message, cause } = JSON.parse(text)
        assert.deepEqual([error, cause], ['misdirected_request', []])
        assert.match(
          message,
          /^Host: expected a name of this service, got .* FERIA_ALLOWED_HOSTS\.$/,
        )
      }
    }
  },
)

test('a foreign name is refused everywhere but at /health, before tokens and bodies are looked at', async () => {
  const bare = await open()
  const hosts = ['evil.example']
  for (const target of ['/', '/nowhere', '/docs/', '/openapi.json', '/metrics', '/health/other']) {
    assert.equal((await ask(bare, { hosts, target })).status, 421, target)
  }
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    assert.equal((await ask(bare, { hosts, method })).status, 421, method)
  }
  const stranger = { method: 'POST', target: '/operator/things', body: '{ no json' }
  assert.equal((await ask(bare, { hosts, ...stranger })).status, 421)
  assert.equal((await ask(bare, { hosts: ['localhost'], ...stranger })).status, 401)
  assert.equal((await ask(bare, { hosts, target: '/health/live' })).status, 200)
  // It has no database here; it was asked all the same.
  assert.notEqual((await ask(bare, { hosts, target: '/health/ready?x=1' })).status, 421)
})

test('a request has one Host: with two it is refused, whichever comes first', async () => {
  for (const env of [{}, production]) {
    const bare = await open(env)
    for (const hosts of [
      ['localhost', 'evil.example'],
      ['evil.example', 'localhost'],
      ['localhost', 'localhost'],
    ]) {
      const { status, text } = await ask(bare, { hosts })
      assert.equal(status, 400)
      assert.equal(JSON.parse(text).message, 'Host: expected one header')
    }
    const twice = {
      hosts: ['localhost'],
      headers: { Authorization: 'Bearer a', authorization: 'Bearer b' },
    }
    const { text } = await ask(bare, twice)
    assert.equal(JSON.parse(text).message, 'Authorization: expected one header')
    assert.equal((await ask(bare, { hosts: [] })).status, 400, 'none at all')
    assert.equal((await ask(bare, { hosts: [], version: '1.0' })).status, 200)
  }
})

test('the host of a whole address in the first line counts, not that of the header', async () => {
  const bare = await open()
  const readHost = async (target: string, host: string) => {
    const { status, text } = await ask(bare, { target, hosts: [host] })
    return [status, status === 200 ? JSON.parse(text).host : undefined]
  }
  assert.deepEqual(await readHost('http://localhost:1/things', 'evil.example'), [
    200,
    'localhost:1',
  ])
  assert.deepEqual(await readHost('http://127.0.0.1/things', 'localhost'), [200, '127.0.0.1'])
  assert.deepEqual(await readHost('http://evil.example/things', 'localhost'), [421, undefined])
  assert.deepEqual(await readHost('http://localhost@evil.example/things', 'localhost'), [
    421,
    undefined,
  ])
  for (const target of ['ftp://localhost/things', 'localhost/things', 'http://']) {
    assert.equal((await readHost(target, 'localhost'))[0], 400, target)
  }
})

test('X-Forwarded-Host counts where a trusted proxy says so, and nowhere else', async () => {
  const forwarded = (host: string) => ({ 'X-Forwarded-Host': host })
  const alone = await open()
  const behind = await open({ FERIA_TRUSTED_PROXIES: '127.0.0.1' })
  const elsewhere = await open({ FERIA_TRUSTED_PROXIES: '10.0.0.0/8' })
  type Case = [bare: BareServer, host: string, forwarded: string, status: number]
  const cases: Case[] = [
    [behind, 'localhost', 'evil.example', 421],
    [behind, 'upstream', 'localhost', 200],
    // The nearest proxy wrote the last; what stands before may come from anybody.
    [behind, 'localhost', 'localhost, evil.example', 421],
    [alone, 'localhost', 'evil.example', 200],
    [alone, 'evil.example', 'localhost', 421],
    [elsewhere, 'evil.example', 'localhost', 421],
  ]
  for (const [bare, host, other, status] of cases) {
    const answer = await ask(bare, { hosts: [host], headers: forwarded(other) })
    assert.equal(answer.status, status, `${host} ${other}`)
  }
})

contract(
  'notifications',
  'a page from elsewhere writes nothing to a sandbox, one of a developer does',
  async () => {
    const bare = await open(own)
    const write = (method: string, origin: string, hosts: string[]) =>
      ask(bare, { method, hosts, headers: { Origin: origin } })
    const host = 'localhost:8080'
    const accepted: [origin: string, host: string][] = [
      ['http://localhost:8080', host],
      ['http://localhost:3000', host],
      ['https://app.localhost', host],
      ['http://127.0.0.1:5173', host],
      ['http://[::1]:5173', host],
      ['https://api.feria.example', host],
      ['http://feria-1:9000', host],
      ['http://10.0.0.9:3000', host],
      ['http://192.168.1.5:3000', '192.168.1.5:8080'],
    ]
    const refused: [origin: string, host: string][] = [
      ...['https://evil.example', 'null', 'http://localhost.evil.example', 'http://203.0.113.9']
        .concat(['file://', 'nonsense', 'http://192.168.1.6', 'chrome-extension://abc', '*'])
        .concat(['http://localhost:3000, https://evil.example'])
        .map((origin): [string, string] => [origin, host]),
      ['http://192.168.1.6:3000', '192.168.1.5:8080'],
    ]
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const [origin, at] of accepted) {
        assert.equal((await write(method, origin, [at])).status, 200, `${method} ${origin}`)
      }
      for (const [origin, at] of refused) {
        const { status, text } = await write(method, origin, [at])
        assert.equal(status, 403, `${method} ${origin}`)
        const { error, message } = JSON.parse(text)
        assert.equal(error, 'forbidden')
        assert.match(message, /^Origin: expected a page of this service or of this machine, got /)
      }
    }
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      assert.equal((await write(method, 'https://evil.example', [host])).status, 200, method)
    }
    assert.equal((await ask(bare, { method: 'POST', hosts: [host] })).status, 200, 'a program')
  },
)

test('an upload that any page can send is refused before its body is read', async () => {
  const bare = await open()
  const boundary = 'x'
  const sent = {
    method: 'POST',
    target: '/files',
    hosts: ['localhost'],
    headers: {
      Origin: 'https://evil.example',
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    },
    body: `--${boundary}--\r\n`,
  }
  assert.equal((await ask(bare, sent)).status, 403)
})

test('the form of a page that hides its origin is left to its token, one of another page is not', async () => {
  const bare = await open()
  const send = (Origin: string) => {
    const headers = { Origin, 'Content-Type': 'application/x-www-form-urlencoded' }
    const hosts = ['localhost']
    return ask(bare, { method: 'POST', target: '/form', hosts, headers, body: 'a=b' })
  }
  assert.equal((await send('null')).status, 200)
  assert.equal((await send('http://localhost:8080')).status, 200)
  assert.equal((await send('https://evil.example')).status, 403)
})

test('production leaves pages to tokens', async () => {
  const bare = await open({ ...production, ...own })
  const headers = { Origin: 'https://shop.example' }
  const { status } = await ask(bare, { method: 'POST', hosts: ['feria-1'], headers })
  assert.equal(status, 200)
})

test('the host of a Host header is read without port, brackets, case and final dot', () => {
  const cases: [header: string, host: string][] = [
    ['Example.COM:80', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com.:80', 'example.com'],
    ['[::1]:80', '::1'],
    ['[::1]', '::1'],
    ['', ''],
    [':80', ''],
    ['a:b', 'a:b'],
  ]
  for (const [header, host] of cases) assert.equal(hostnameOf(header), host)
})
