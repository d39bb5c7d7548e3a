import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import { anaId, applicationId, brunoId } from '../harness/market.ts'
import { type AuthorizationFixture, createAuthorizationFixture } from './fixture.ts'

let app: TestApp
let world: AuthorizationFixture

before(async () => {
  app = await openTestApp()
  world = await createAuthorizationFixture(app)
})
after(() => app.close())

/** One resource of each kind that the operator may both read and put. */
const resources: Record<string, () => string> = {
  '/operator/users/:id': () => `/operator/users/${brunoId}`,
  '/operator/applications/:id': () => `/operator/applications/${applicationId}`,
  '/operator/quotations/:quotation_id': () => '/operator/quotations/31',
  '/operator/claims/:id': () => `/operator/claims/${world.claimId}`,
  '/operator/faults': () => '/operator/faults',
  '/operator/token': () => '/operator/token',
}

/** Read as a summary of the stock, and as the list of what was put one by one. */
const partial = ['/operator/items/:id', '/operator/sandbox/receiver-faults']

test('the operator puts back what was read, whatever the resource, and nothing changes', async () => {
  const read = new Set(routes.filter(({ method }) => method === 'GET').map(({ url }) => url))
  const both = routes.filter(
    ({ method, scope, url }) => method === 'PUT' && scope === 'operator' && read.has(url),
  )
  const whole = both.map(({ url }) => url).filter((url) => !partial.includes(url))
  assert.deepEqual(whole.sort(), Object.keys(resources).sort())
  for (const [url, pathOf] of Object.entries(resources)) {
    const path = pathOf()
    const before = await app.client.operator('GET', path)
    assert.equal(before.status, 200, before.text)
    const put = await app.client.operator('PUT', path, before.body)
    assert.equal(put.status, 200, `${url}: ${put.text}`)
    const { body } = await app.client.operator('GET', path)
    const { last_updated: _, ...same } = body
    const { last_updated: __, ...was } = before.body
    assert.deepEqual(same, was, url)
  }
})

test('a seller puts back an item and an application as they were read', async () => {
  for (const [path, token] of [
    ['/items/MLA1001', world.market.anaToken],
    [`/applications/${applicationId}`, world.market.ownerToken],
    [`/feedback/${world.feedbackId}`, world.market.anaToken],
  ] as const) {
    const before = await app.client.get(path, token)
    assert.equal(before.status, 200, before.text)
    const put = await app.client.send('PUT', path, { token, body: before.body })
    assert.equal(put.status, 200, `${path} of ${anaId}: ${put.text}`)
  }
})
