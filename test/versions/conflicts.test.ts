import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { routes } from '../../src/app/routes.ts'
import { takesCondition } from '../../src/http/versioned-route.ts'
import { openTestApp, type TestApp } from '../harness/app.ts'
import {
  createVersionedMarket,
  readEtag,
  type VersionedChange,
  type VersionedMarket,
  versionedChanges,
} from './changes.ts'

let app: TestApp
let market: VersionedMarket
before(async () => {
  app = await openTestApp({ env: { FERIA_RATE_PER_MINUTE: '1000000' } })
  market = await createVersionedMarket(app)
})
after(() => app.close())

test('every operation that may have a condition is tested here', () => {
  const operations = routes.filter(takesCondition).map(({ method, url }) => `${method} ${url}`)
  assert.deepEqual(operations.toSorted(), Object.keys(versionedChanges).toSorted())
})

const send = (operation: string, { path, body }: VersionedChange, ifMatch?: string) =>
  app.client.send(operation.split(' ', 1)[0] ?? '', path, {
    token: market.operator,
    body,
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  })

async function entriesOf(operation: string): Promise<string[]> {
  const name = operation.replace(/:([a-z_]+)/g, '{$1}')
  const path = `/operator/audit-log?operation=${encodeURIComponent(name)}&limit=200`
  const { body } = await app.client.send('GET', path, { token: market.operator })
  return body.results.map(({ id }: { id: string }) => id)
}

for (const [operation, make] of Object.entries(versionedChanges)) {
  test(`${operation}: of two with the same version one succeeds, and the other is told of it`, async (t) => {
    const change = await make(market)
    t.after(() => change.undo?.())
    const etag = await readEtag(market, change)
    const before = await entriesOf(operation)
    const answers = await Promise.all([
      send(operation, change, etag),
      send(operation, change, etag),
    ])
    const statuses = answers.map(({ status }) => status).sort()
    const texts = answers.map(({ text }) => text).join('\n')
    assert.ok((statuses[0] ?? 0) < 300 && statuses[1] === 409, `${statuses} ${texts}`)
    const [done, refused] = answers.toSorted((one, other) => one.status - other.status)
    assert.equal(refused?.body.error, 'version_conflict')
    const present = refused?.body.etag
    assert.equal(refused?.headers.get('etag'), present)
    const doneId = done?.headers.get('x-request-id')
    const told = refused?.body.changes.find(({ id }: { id: string }) => id === doneId)
    assert.equal(told?.operation, operation.replace(/:([a-z_]+)/g, '{$1}'))
    assert.equal(told?.actor_name, 'owner')
    assert.deepEqual(await entriesOf(operation), [doneId, ...before], 'the refused one has none')
    if (present === null) {
      assert.equal(done?.headers.get('etag'), null)
      return
    }
    assert.notEqual(present, etag)
    assert.equal(done?.headers.get('etag'), present, 'the change answers the new version')
    assert.equal(await readEtag(market, change), present)
  })
}
