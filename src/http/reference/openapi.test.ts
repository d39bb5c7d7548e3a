import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { nextEvent } from '../../../test/harness/wait.ts'
import { routes } from '../../app/routes.ts'
import { isAudited } from '../audit.ts'
import { takesCondition } from '../versioned-route.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

test('openapi.json is a valid OpenAPI 3.1 document', async () => {
  const { status, headers, body } = await app.client.get('/openapi.json')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.match(body.openapi, /^3\.1\./)
  // The parser that the reference page reads the document with.
  const page = createRequire(
    createRequire(import.meta.url).resolve('@scalar/fastify-api-reference'),
  )
  const { validate } = (await import(page.resolve('@scalar/openapi-parser'))) as {
    validate: (document: object) => Promise<{ valid: boolean; errors?: object[] }>
  }
  assert.deepEqual((await validate(body)).errors ?? [], [])
  const broken = await validate({ ...body, paths: { '/x': { get: { responses: 7 } } } })
  assert.equal(broken.valid, false, 'the validator can tell a wrong document')
})

test('openapi.json names every operation, its parameters, answers and who may call', async () => {
  const { body } = await app.client.get('/openapi.json')
  for (const route of routes) {
    const path = route.url.replace(/:([a-z_]+)/g, '{$1}')
    const described = body.paths[path]?.[route.method.toLowerCase()]
    assert.ok(described, `${route.method} ${path}`)
    assert.equal(described.summary, route.summary)
    const parameters = (described.parameters ?? []).map(
      (parameter: { name: string }) => parameter.name,
    )
    const named = {
      ...route.params?.properties,
      ...route.query?.properties,
      ...route.headers?.properties,
      ...(isAudited(route) ? { 'x-feria-reason': {} } : {}),
      ...(takesCondition(route) ? { 'if-match': {} } : {}),
    }
    assert.deepEqual(parameters.toSorted(), Object.keys(named).sort(), path)
    assert.equal('requestBody' in described, route.body !== undefined, path)
    for (const status of Object.keys(route.answers)) {
      assert.ok(described.responses[status], `${path} ${status}`)
    }
    const schemes = described.security.flatMap((scheme: object) => Object.keys(scheme))
    const expected = {
      public: [],
      page: [],
      mixed: ['accessToken', 'accessTokenInQuery'],
      operator: ['operatorToken'],
      read: ['accessToken', 'accessTokenInQuery'],
      write: ['accessToken', 'accessTokenInQuery'],
    }[route.scope]
    assert.deepEqual(schemes, expected, path)
  }
  const count = Object.values(body.paths).flatMap((path) => Object.keys(path as object)).length
  assert.equal(count, routes.length, 'and nothing that is not there')
})

test('the reference page is HTML that may load nothing from another host', async () => {
  const { status, headers, text } = await app.client.get('/docs')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  const moved = await fetch(`${app.address}/docs`, { redirect: 'manual' })
  assert.equal(moved.headers.get('location'), '/docs/', 'what it loads is relative to this')
  const policy = (headers.get('content-security-policy') ?? '').split(';')
  const sources = policy.flatMap((directive) => directive.trim().split(' ').slice(1))
  assert.ok(sources.includes("'self'"))
  const here = ["'self'", "'none'", "'unsafe-inline'", "'unsafe-eval'", 'data:', 'blob:']
  assert.deepEqual(
    sources.filter((source) => !here.includes(source)),
    [],
  )
  assert.ok(policy.some((directive) => directive.trim().startsWith("default-src 'self'")))
  const loads = [...text.matchAll(/(?:src|href|action)\s*=\s*["']([^"']+)["']/gi)].map(
    ([, to]) => new URL(to ?? '', `${app.address}/docs/`),
  )
  assert.ok(loads.length > 0)
  for (const { href, origin, protocol } of loads) {
    assert.ok(origin === app.address || protocol === 'data:', href)
    if (protocol !== 'data:') assert.equal((await fetch(href)).status, 200, href)
  }
})

test('the reference page and its script are compressed already, and a browser keeps the script', async () => {
  const [, path = ''] = /src="([^"]+)"/.exec((await app.client.get('/docs/')).text) ?? []
  const { status, body } = await load('/openapi.json', 'br')
  assert.ok(status === 200 && body.length < 100_000, `openapi.json: ${body.length} bytes`)
  for (const [url, type, cache] of [
    ['/docs/', /^text\/html; charset=utf-8$/, 'no-cache'],
    [path, /^(text|application)\/javascript/, 'public, max-age=31536000, immutable'],
  ] as const) {
    const plain = await load(url, 'identity')
    assert.equal(plain.headers['content-encoding'], undefined, url)
    for (const [encoding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await load(url, encoding)
      assert.equal(headers['content-encoding'], encoding, url)
      assert.deepEqual(decode(body), plain.body, `${url} ${encoding}`)
      assert.match(String(headers['content-type']), type)
      assert.match(String(headers.vary), /accept-encoding/i, url)
      assert.equal(headers['cache-control'], cache, url)
      assert.ok(headers.etag, url)
    }
  }
  const { body: script } = await load(path, 'br')
  assert.ok(script.length < 1_000_000, `${script.length} bytes`)
})

/** The body as it is sent. */
async function load(path: string, encoding: string) {
  const headers = { 'accept-encoding': encoding }
  const [response] = await nextEvent(get(app.address + path, { headers }), 'response')
  const { statusCode: status, headers: responseHeaders } = response as IncomingMessage
  return { status, headers: responseHeaders, body: await buffer(response) }
}

test('what the reference page does not have is refused in the general body', async () => {
  const { status, body } = await app.client.get('/docs/nothing/here')
  assert.deepEqual([status, body.error], [404, 'not_found'])
})
