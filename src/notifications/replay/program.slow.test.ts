import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, operatorToken, type TestApp } from '../../../test/harness/app.ts'
import { TestClient } from '../../../test/harness/client.ts'
import { contract } from '../../../test/harness/contract.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { anaId, applicationId, createTestMarket } from '../../../test/harness/market.ts'
import { startProgram } from '../../../test/harness/program.ts'
import { openReceiver, type Receiver } from '../../../test/harness/receiver.ts'
import { pollUntil } from '../../../test/harness/wait.ts'
import { recordChanges } from '../../changes/record.ts'

let database: TestDatabase
let app: TestApp
let receiver: Receiver

before(async () => {
  database = await openTestDatabase()
  app = await openTestApp({ databaseUrl: database.url })
  receiver = await openReceiver()
})
after(async () => {
  await app.close()
  await database.drop()
  await receiver.close()
})

const count = 150

const start = async () => {
  const program = await startProgram({
    env: {
      DATABASE_URL: database.url,
      FERIA_MODE: 'sandbox',
      FERIA_DEMO: 'off',
      FERIA_OPERATOR_TOKEN: operatorToken,
      FERIA_LOG_LEVEL: 'silent',
    },
  })
  return { program, client: new TestClient(program.address, operatorToken) }
}

contract(
  'notifications',
  'a program that is killed in the middle of a replay sends all of it when it is started again',
  async () => {
    let { program, client } = await start()
    const { ownerToken: token } = await createTestMarket(client, receiver.url)
    const { now } = (await client.operator('GET', '/operator/clock')).body
    await app.ctx.db.transaction((tx) =>
      recordChanges(
        tx,
        Array.from({ length: count }, (_, n) => ({
          topic: 'orders_v2' as const,
          resource: `/r/${n}`,
          userIds: [anaId],
          sellerId: anaId,
          at: new Date(now),
        })),
      ),
    )
    await pollUntil('the deliveries', () => receiver.received.length >= count)
    const url = `/applications/${applicationId}/replays`
    const body = { since: now, rate_per_second: 100 }
    await pollUntil('the lane to be done', async () => {
      const { body: dry } = await client.send('POST', url, {
        token,
        body: { ...body, dry_run: true },
      })
      return dry.total === count
    })
    receiver.received.length = 0
    const { body: replay } = await client.send('POST', url, { token, body })
    await pollUntil('the middle of it', () => receiver.received.length >= 20)
    await program.kill()
    const before = receiver.received.length
    assert.ok(before < count)
    ;({ program, client } = await start())
    // What the killed one held is free once a request could not be under way any more.
    await client.operator('POST', '/operator/clock', { advance: '60s' })
    const { body: done } = await pollUntil('its end', async () => {
      const answer = await client.get(`${url}/${replay.id}`, token)
      return answer.body.state === 'finished' && answer
    })
    assert.deepEqual([done.done, done.accepted, done.failed], [count, count, 0])
    assert.equal(new Set(receiver.received.map(({ body }) => body.resource)).size, count)
    assert.ok(receiver.received.length <= count + 100, 'one beat comes twice at the most')
    assert.equal(await program.stop(), 0)
  },
)
