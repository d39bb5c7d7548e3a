import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../test/harness/app.ts'
import { version } from '../http/reference/openapi.ts'
import { prefersHtml } from './service.ts'

let app: TestApp
before(async () => {
  app = await openTestApp()
})
after(() => app.close())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

test('a program that asks for / gets an index whose links all answer', async () => {
  for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*']) {
    const { status, body, headers } = await app.client.send('GET', '/', { headers: { accept } })
    assert.equal(status, 200, accept)
    assert.deepEqual(Object.keys(body), ['name', 'version', 'mode', 'links'])
    assert.deepEqual([body.name, body.version, body.mode], ['Feria', version, app.ctx.config.mode])
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(headers.get('vary'), 'accept')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    for (const [name, link] of Object.entries<string>(body.links)) {
      assert.ok(link.startsWith(`${app.address}/`), name)
      const answer = await fetch(link)
      await answer.body?.cancel()
      // A checkout that was never built answers 503 at the console, with how to build it.
      assert.ok(answer.ok || (name === 'console' && answer.status === 503), `${name} ${link}`)
    }
  }
})

test('a browser that asks for / is led to the console, and HEAD answers as GET does', async () => {
  for (const method of ['GET', 'HEAD']) {
    const headers = { accept: browser }
    const moved = await fetch(`${app.address}/`, { method, headers, redirect: 'manual' })
    assert.equal(moved.status, 303, method)
    assert.equal(moved.headers.get('location'), '/console/')
    assert.equal(moved.headers.get('vary'), 'accept')
    assert.equal(await moved.text(), '')
  }
  const head = await fetch(`${app.address}/`, { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.match(head.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(head.headers.get('vary'), 'accept')
})

test('HTML is preferred where its weight is the greater one, and nowhere else', () => {
  const cases: [accept: string | undefined, isPreferred: boolean][] = [
    [undefined, false],
    ['', false],
    ['*/*', false],
    [browser, true],
    ['text/html', true],
    ['TEXT/HTML; charset=utf-8', true],
    ['text/*', true],
    ['text/html;q=0.5, application/json', false],
    ['application/json;q=0.5, text/html;q=0.9', true],
    ['text/html, application/json', false],
    ['text/html;q=0', false],
    ['text/html;q=0, */*', false],
    ['text/html;q=x', false],
    ['application/*;q=0.2, text/*;q=0.1, */*', false],
    [';;;,,,=', false],
  ]
  for (const [accept, isPreferred] of cases)
    assert.equal(prefersHtml(accept), isPreferred, `${accept}`)
})
