import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  type CapturedNotification,
  openReceiver,
  type Receiver,
} from '../../../test/harness/receiver.ts'
import { recordChanges } from '../../changes/record.ts'
import { hourMs } from '../../kernel/clock.ts'
import { sql } from '../../platform/database/sql.ts'
import { rotateSigningSecret, withSigningSecrets } from './commands.ts'
import { maxActiveSecrets } from './store.ts'

let app: TestApp
let receiver: Receiver

before(async () => {
  app = await openTestApp()
  receiver = await openReceiver()
  await operator('PUT', 'users/1', { site_id: 'MLA', nickname: 'SELLER' })
  const application = { name: 'A', topics: ['orders_v2'], callback_url: receiver.url }
  await operator('PUT', 'applications/10', application)
  await operator('PUT', 'authorizations/10/1', {})
})
after(async () => {
  await app.close()
  await receiver.close()
})

async function operator(method: 'GET' | 'PUT' | 'POST', path: string, body?: object) {
  const answer = await app.client.operator(method, `/operator/${path}`, body)
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

async function tell(resource: string): Promise<CapturedNotification> {
  const change = {
    topic: 'orders_v2',
    resource,
    userIds: [1],
    sellerId: 1,
    at: app.ctx.now(),
  } as const
  await app.ctx.db.transaction((tx) => recordChanges(tx, [change]))
  await app.runPendingWork()
  return receiver.received.at(-1) as CapturedNotification
}

/** Whether one of the signatures is of this secret, worked out as a receiver would. */
function isSignedBy({ headers, text }: CapturedNotification, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

const rotate = (overlap_hours?: number) =>
  operator(
    'POST',
    'applications/10/signing-secrets',
    overlap_hours === undefined ? {} : { overlap_hours },
  )

contract(
  ['6.1', 'notifications'],
  'every delivery is signed from the first on, numbered, and its body is the contract’s',
  async () => {
    const first = await tell('/orders/1')
    assert.match(String(first.headers['webhook-signature']), /^v1,/)
    assert.equal(first.headers['x-feria-sequence'], '1')
    assert.match(String(first.headers['webhook-id']), /^[0-9a-f]{24}$/)
    assert.deepEqual(Object.keys(first.body), [
      '_id',
      'resource',
      'user_id',
      'topic',
      'application_id',
      'attempts',
      'sent',
      'received',
    ])
    const second = await tell('/orders/2')
    assert.equal(second.headers['x-feria-sequence'], '2')
  },
)

contract(
  ['6.3', 'notifications'],
  'id and number stay the same over all attempts, the timestamp does not',
  async () => {
    receiver.responseStatus = 500
    const first = await tell('/orders/3')
    receiver.responseStatus = 200
    app.advance(12 * hourMs)
    await app.runPendingWork()
    const again = receiver.received.at(-1) as CapturedNotification
    assert.equal(again.body.attempts, 2)
    for (const same of ['webhook-id', 'x-feria-sequence']) {
      assert.equal(again.headers[same], first.headers[same])
    }
    assert.notEqual(again.headers['webhook-timestamp'], first.headers['webhook-timestamp'])
  },
)

contract(
  'notifications',
  'a new secret signs at once; the one before signs beside it until the overlap is over',
  async () => {
    const { secret: old } = await rotate()
    assert.ok(isSignedBy(await tell('/orders/4'), old))
    const { secret: fresh } = await rotate(2)
    const both = await tell('/orders/5')
    assert.ok(isSignedBy(both, fresh) && isSignedBy(both, old))
    app.advance(2 * hourMs)
    const after = await tell('/orders/6')
    assert.ok(isSignedBy(after, fresh) && !isSignedBy(after, old))
    const { secret: last } = await rotate(0)
    const alone = await tell('/orders/7')
    assert.ok(isSignedBy(alone, last) && !isSignedBy(alone, fresh))
  },
)

contract(
  'notifications',
  'few secrets are in force at a time, and no more sign, whatever an older release has made',
  async () => {
    await rotate(0)
    for (let count = 2; count <= maxActiveSecrets; count++) await rotate(24)
    const path = '/operator/applications/10/signing-secrets'
    const refused = await app.client.operator('POST', path, { overlap_hours: 1 })
    assert.deepEqual([refused.status, refused.body.error], [409, 'too_many_secrets'])
    const expiresAt = new Date(app.ctx.now().getTime() + hourMs)
    await app.ctx.db.rows(sql`
      insert into signing_secrets (application_id, id, secret, date_created, expires_at)
      select 10, 'old' || n, 'whsec_' || n, ${new Date(0)}, ${expiresAt} from generate_series(1, 50) n`)
    const { headers } = await tell('/orders/8')
    assert.equal(String(headers['webhook-signature']).split(' ').length, maxActiveSecrets)
    assert.equal((await operator('GET', 'applications/10/signing-secrets')).secrets.length, 5)
    await rotate(0)
    const alone = await tell('/orders/9')
    assert.equal(String(alone.headers['webhook-signature']).split(' ').length, 1)
  },
)

contract('notifications', 'a secret is shown whole once; the list tells them apart', async () => {
  const { secret, id } = await rotate(0)
  const { secrets } = await operator('GET', 'applications/10/signing-secrets')
  assert.deepEqual(
    secrets.map((stored: { id: string; begins_with: string }) => [stored.id, stored.begins_with]),
    [[id, secret.slice(0, 10)]],
  )
  assert.ok(!JSON.stringify(secrets).includes(secret))
})

contract(
  'notifications',
  'of many that find an application without a secret, all get the same one',
  async () => {
    await app.ctx.db.transaction((tx) =>
      tx.write({ name: undefined, text: 'delete from signing_secrets', values: [] }),
    )
    const target = { callbackUrl: receiver.url, secrets: [] }
    const targets = await Promise.all(
      Array.from({ length: 8 }, () => withSigningSecrets(app.ctx, { applicationId: 10, target })),
    )
    assert.equal(new Set(targets.map(({ secrets }) => secrets.join())).size, 1)
  },
)

test('of two that are made at once both sign, and one is the newest', async () => {
  await Promise.all(
    [1, 2].map(() => rotateSigningSecret(app.ctx, { applicationId: 10, overlapHours: 1 })),
  )
  const { headers } = await tell('/orders/8')
  assert.ok(String(headers['webhook-signature']).split(' ').length >= 2)
})

test('an unknown application and an overlap out of range are refused by name', async () => {
  const unknown = await app.client.operator('POST', '/operator/applications/99/signing-secrets', {})
  assert.equal(unknown.status, 404)
  const path = '/operator/applications/10/signing-secrets'
  const long = await app.client.operator('POST', path, { overlap_hours: 169 })
  assert.equal(long.status, 400)
  assert.match(long.text, /overlap_hours/)
})
