import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { serveConsole } from '../../src/app/console.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { createTestMarket } from '../harness/market.ts'

let app: TestApp
let folder: string
let server: FastifyInstance

before(async () => {
  app = await openTestApp()
  await createTestMarket(app.client, null)
  folder = mkdtempSync(join(tmpdir(), 'feria-built-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Feria</title>')
  writeFileSync(join(folder, 'assets', 'index-abc.js'), 'console.log(1)')
  writeFileSync(join(folder, 'assets', 'index-abc.js.br'), 'as if compressed')
  writeFileSync(join(folder, '..', 'secret.txt'), 'x')
  server = fastify()
  await serveConsole(server, app.ctx, folder)
})
after(async () => {
  await server.close()
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })

test('every address of the console that is no file is its first page, which nobody keeps', async () => {
  for (const path of ['', 'applications', 'applications/7/feed?topic=items', 'callback?code=x']) {
    const { statusCode, headers, body } = await get(`/console/${path}`)
    assert.equal(statusCode, 200, path)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(body, /<title>Feria/)
  }
  assert.equal((await get('/console')).headers.location, '/console/')
  assert.equal((await get('/consoles')).statusCode, 404)
})

test('files that are named by their content are kept for ever, and are sent compressed', async () => {
  const path = '/console/assets/index-abc.js'
  const { headers, body } = await get(path)
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(String(headers['content-type']), /javascript/)
  assert.equal(body, 'console.log(1)')
  const compressed = await get(path, { 'accept-encoding': 'br, gzip' })
  assert.equal(compressed.headers['content-encoding'], 'br')
  for (const none of ['assets/none.js', 'assets/../../secret.txt', 'assets/%2e%2e/index.html']) {
    const { body: text, statusCode } = await get(`/console/${none}`)
    assert.ok(statusCode === 404 || text.includes('<title>Feria'), `${none}: ${text}`)
  }
})

test('the console may load scripts from here alone, and stands in no frame', async () => {
  const { headers } = await get('/console/')
  const policy = String(headers['content-security-policy']).split(';')
  assert.ok(policy.includes("default-src 'none'"))
  assert.ok(policy.includes("script-src 'self'"))
  assert.ok(policy.includes("frame-ancestors 'none'"))
  assert.ok(policy.includes("connect-src 'self'"))
  assert.equal(headers['referrer-policy'], 'no-referrer')
})

test('a program whose console was not built says how to build it', async () => {
  const bare = fastify()
  await serveConsole(bare, app.ctx, join(folder, 'nothing'))
  const { statusCode, body } = await bare.inject({
    url: '/console/applications',
    headers: { 'accept-language': 'en' },
  })
  assert.equal(statusCode, 503)
  assert.match(body, /npm run build:console/)
  await bare.close()
})

test('what the console is told tells a secret of a sandbox only, and only the usual ones', async () => {
  const settings = async (at: TestApp['ctx'], host: string) => {
    const server = fastify()
    await serveConsole(server, at, folder)
    const { headers, body } = await server.inject({
      url: '/console/settings.json',
      headers: { host },
    })
    await server.close()
    assert.equal(headers['cache-control'], 'no-store')
    return JSON.parse(body)
  }
  const { config } = app.ctx
  // This sandbox has a token of its own, and no demo data.
  const own = await settings(app.ctx, 'localhost:8080')
  assert.equal(own.redirect_uri, 'http://localhost:8080/console/callback')
  assert.deepEqual([own.mode, own.demo, own.operator_token], ['sandbox', null, null])
  assert.equal(own.identity_provider, null)
  const identityProvider = {
    issuer: 'https://a.example',
    clientId: 'b',
    clientSecret: 'c',
    name: 'A',
  }
  const linked = await settings({ ...app.ctx, config: { ...config, identityProvider } }, 'x')
  assert.deepEqual(linked.identity_provider, { name: 'A' })
  const usual = { ...config, operatorToken: 'feria-sandbox-operator' }
  const sandbox = await settings({ ...app.ctx, config: usual }, 'x')
  assert.equal(sandbox.operator_token, 'feria-sandbox-operator')
  // No setting leads there: such a start is refused. Should one come about, it tells nothing.
  for (const beyond of [{ host: '0.0.0.0' }, { publicUrl: 'https://feria.example' }]) {
    const reached = { ...usual, http: { ...config.http, ...beyond } }
    assert.equal((await settings({ ...app.ctx, config: reached }, 'x')).operator_token, null)
  }
  const http = { ...config.http, publicUrl: 'https://feria.example' }
  const production = { ...usual, http, mode: 'production' as const }
  const productionSettings = await settings({ ...app.ctx, config: production }, 'x')
  assert.deepEqual([productionSettings.operator_token, productionSettings.demo], [null, null])
  assert.equal(productionSettings.redirect_uri, 'https://feria.example/console/callback')
})
