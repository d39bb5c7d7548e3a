import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type TSchema, Type } from 'typebox'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { type BareServer, openBareServer } from '../../../test/harness/server.ts'
import { nextEvent, pollUntil } from '../../../test/harness/wait.ts'
import { routes } from '../../app/routes.ts'
import { ok, okJsonText, type RouteResponse, route } from '../route.ts'
import { compressionThreshold, encodingFor, isCompressible } from './compression.ts'

const answering = (url: string, handle: () => RouteResponse, schema: TSchema = Type.Any()) =>
  route({
    ...({ method: 'GET', scope: 'public', tag: 'test', summary: 'Answers' } as const),
    url,
    answers: { 200: schema },
    handle: async () => handle(),
  })

const words = (length: number) => 'señal '.repeat(length).slice(0, length)
const file = Buffer.from(words(20_000))
/** Gives a line whenever a test says so, and does not end by itself. */
let lines: Readable

const own = [
  answering('/text', () => okJsonText(JSON.stringify(words(9_000)))),
  answering('/body', () => ok({ text: words(20_000) })),
  answering('/longest', () => ok({ text: words(300_000) })),
  answering('/huge', () => ok({ text: words(1_100_000) })),
  answering('/short', () => ok({ text: words(1_000) })),
  answering('/varied', () => ({ ...ok(words(9_000)), headers: { vary: 'x-format-new' } })),
  answering(
    '/secret',
    () => ok({ client_secret: words(9_000) }),
    Type.Object({ client_secret: Type.String() }),
  ),
  answering('/part', () => ({
    status: 206,
    bytes: file.subarray(0, 10_000),
    headers: { 'content-range': `bytes 0-9999/${file.length}`, 'content-type': 'text/plain' },
  })),
  answering('/lines', () => {
    lines = new Readable({ objectMode: true, read() {} })
    return { status: 200, lines }
  }),
]

let app: TestApp
let bare: BareServer
before(async () => {
  app = await openTestApp()
  bare = await openBareServer(own)
})
after(async () => {
  await bare.server.close()
  await app.close()
})

interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  /** The body as it was before it was compressed. */
  text: string
}

/** Asks with these headers alone, and leaves the body as it came. */
async function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<RawResponse> {
  const { address } = own.some(({ url }) => url === path) ? bare : app
  const request = httpRequest(address + path, { method, headers }).end()
  const [response] = await nextEvent(request, 'response')
  const bytes = await buffer(response)
  const encoding = response.headers['content-encoding']
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[String(encoding)]
  const text = String(decode && bytes.length > 0 ? decode(bytes) : bytes)
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, text }
}

const accepts = (encoding: string) => ({ 'accept-encoding': encoding })
const longPaths = ['/text', '/body', '/longest', '/openapi.json']

test('a long body goes out in the encoding that the client prefers, whole and with its length', async () => {
  for (const path of longPaths) {
    const plain = await ask(path)
    assert.equal(plain.status, 200, path)
    assert.equal(plain.headers['content-encoding'], undefined, 'nobody asked for one')
    assert.ok(plain.bytes.length >= compressionThreshold, path)
    const cases = { br: 'br', gzip: 'gzip', 'gzip, br': 'br', 'gzip;q=1, br;q=0.5': 'gzip' }
    for (const [header, expected] of Object.entries(cases)) {
      const answer = await ask(path, accepts(header))
      assert.equal(answer.headers['content-encoding'], expected, `${path} ${header}`)
      assert.equal(answer.headers['content-type'], plain.headers['content-type'], path)
      assert.equal(Number(answer.headers['content-length']), answer.bytes.length, path)
      assert.ok(answer.bytes.length < plain.bytes.length, path)
      assert.equal(answer.text, plain.text, path)
    }
    for (const header of ['identity', 'gzip;q=0', 'br;q=0, gzip;q=0', '*;q=0', 'deflate', '']) {
      const answer = await ask(path, accepts(header))
      assert.equal(answer.headers['content-encoding'], undefined, `${path} ${header}`)
      assert.equal(answer.text, plain.text, path)
    }
    for (const answer of [plain, await ask(path, accepts('br'))]) {
      assert.match(String(answer.headers.vary), /accept-encoding/i, path)
    }
  }
})

test('HEAD tells what GET would send, in each encoding', async () => {
  for (const path of longPaths) {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const [get, head] = [
        await ask(path, accepts(encoding)),
        await ask(path, accepts(encoding), 'HEAD'),
      ]
      assert.equal(head.bytes.length, 0)
      for (const name of ['content-encoding', 'content-length', 'content-type', 'vary', 'etag']) {
        assert.equal(head.headers[name], get.headers[name], `${path} ${encoding} ${name}`)
      }
    }
  }
})

test('a body of more than a megabyte goes out as it is: compressing it costs too much', async () => {
  const { headers, bytes } = await ask('/huge', accepts('br, gzip'))
  assert.equal(headers['content-encoding'], undefined)
  assert.ok(bytes.length > 1_048_576)
})

test('a short body and a refusal stay as they are', async () => {
  for (const path of ['/short', '/health/live', '/orders/1', '/nothing/here']) {
    const { headers, bytes } = await ask(path, accepts('br, gzip'))
    assert.ok(bytes.toString().length < compressionThreshold, path)
    assert.equal(headers['content-encoding'], undefined, path)
  }
})

test('a part of a file is never compressed', async () => {
  const { status, headers, bytes } = await ask('/part', accepts('br, gzip'))
  assert.deepEqual([status, headers['content-encoding']], [206, undefined])
  assert.deepEqual(bytes, file.subarray(0, 10_000))
})

test('lines arrive one by one, although the client accepts encodings', async () => {
  const options = { headers: accepts('br, gzip') }
  const request = httpRequest(`${bare.address}/lines`, options).end()
  const responded = nextEvent(request, 'response')
  // The answer begins with its first line, and the second is written when the first has arrived.
  const line = `${JSON.stringify(words(9_000))}\n`
  await pollUntil('the handler has begun', () => lines)
  lines.push(line)
  const [response] = await responded
  assert.equal(response.headers['content-encoding'], undefined)
  response.setEncoding('utf8')
  const pieces = response.iterator({ destroyOnReturn: false })
  for (let count = 0; count < 3; count++) {
    let arrived = ''
    while (arrived.length < line.length) arrived += (await pieces.next()).value
    assert.equal(arrived, line)
    lines.push(count < 2 ? line : null)
  }
  assert.equal((await pieces.next()).done, true)
})

test('Vary keeps what the operation varies by', async () => {
  const { headers } = await ask('/varied', accepts('br'))
  assert.deepEqual(
    [headers.vary, headers['content-encoding']],
    ['x-format-new, accept-encoding', 'br'],
  )
})

test('openapi.json is asked for again by its ETag, in whatever encoding', async () => {
  const { headers } = await ask('/openapi.json', accepts('br'))
  const etag = String(headers.etag)
  assert.match(etag, /^W\/"/)
  for (const encoding of ['br', 'gzip', 'identity']) {
    const again = { ...accepts(encoding), 'if-none-match': etag }
    const answer = await ask('/openapi.json', again)
    assert.deepEqual([answer.status, answer.bytes.length], [304, 0])
    assert.equal(answer.headers.etag, etag)
    assert.match(String(answer.headers.vary), /accept-encoding/i)
  }
  assert.equal((await ask('/openapi.json', { 'if-none-match': '"another"' })).status, 200)
})

test('pages, tokens and whatever names a secret are never compressed', async () => {
  const secret = /secret|password|token/
  for (const route of routes) {
    const isOpen = isCompressible(route)
    if (route.method !== 'GET') assert.equal(isOpen, false, `${route.method} ${route.url}`)
    if (route.scope === 'page' || route.failures === 'oauth') assert.equal(isOpen, false, route.url)
    const fieldNames = [...JSON.stringify(route.answers).matchAll(/"(\w+)":\{/g)].map(
      ([, name = '']) => name,
    )
    if (fieldNames.some((name) => secret.test(name))) assert.equal(isOpen, false, route.url)
  }
  const closed = routes.filter((route) => route.method === 'GET' && !isCompressible(route))
  const urls = closed.map(({ url }) => url)
  for (const url of ['/login', '/account', '/authorization']) assert.ok(urls.includes(url), url)
  assert.ok(urls.includes('/applications/:application_id/signing-secrets'))
  const page = await ask('/login', accepts('br, gzip'))
  assert.match(page.text, /type="hidden"/)
  assert.equal(page.headers['content-encoding'], undefined)
  const secretBody = await ask('/secret', accepts('br, gzip'))
  assert.equal(secretBody.headers['content-encoding'], undefined)
  const settings = await ask('/console/settings.json', accepts('br, gzip'))
  assert.equal(settings.headers['content-encoding'], undefined)
})

test('Accept-Encoding is read as RFC 9110 has it', () => {
  const cases: [header: string | undefined, encoding: string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0.8, br;q=0.7', 'gzip'],
    ['gzip; q=0.5 , br; q=0.5', 'br'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['*;q=0', undefined],
    ['*;q=0, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip, identity;q=0.5', 'gzip'],
    ['gzip;q=nonsense', undefined],
    ['deflate', undefined],
  ]
  for (const [header, encoding] of cases) assert.equal(encodingFor(header), encoding, `${header}`)
})
