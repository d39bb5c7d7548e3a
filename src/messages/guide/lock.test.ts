import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import type { TestResponse } from '../../../test/harness/client.ts'
import { contract } from '../../../test/harness/contract.ts'
import {
  countLockWaiters,
  openTestDatabase,
  type TestDatabase,
} from '../../../test/harness/database.ts'
import { getGuideCaps, sendGuideOption, templateId } from '../../../test/harness/guide.ts'
import {
  blockMessageWrites,
  connectLockHolder,
  countResults,
  listMessageIds,
  retryWhileLocked,
  waitUntilBlocked,
} from '../../../test/harness/guide-lock.ts'
import { anaId, brunoId, carlaId, placeOrder, putItem } from '../../../test/harness/market.ts'
import {
  createMessagingMarket,
  type MessagingTokens,
  sendTestMessage,
} from '../../../test/harness/messaging.ts'
import { pollUntil } from '../../../test/harness/wait.ts'

/** Two servers on one database, and whoever else holds a lock in it. */
let database: TestDatabase
let servers: TestApp[]
let talk: MessagingTokens

before(async () => {
  database = await openTestDatabase()
  servers = [
    await openTestApp({ databaseUrl: database.url }),
    await openTestApp({ databaseUrl: database.url }),
  ]
  talk = await createMessagingMarket(client(0))
})
after(async () => {
  for (const server of servers) await server.close()
  await database.drop()
})

const client = (index: number) => (servers[index % servers.length] as TestApp).client
const sellDropOff = () => placeOrder(client(0))

contract(
  ['3.3', '7.1', '8'],
  'of a flood of calls through two servers as many come through as the cap allows',
  async () => {
    const { id: packId } = await sellDropOff()
    const flood = (option: string, calls: number) =>
      Promise.all(
        Array.from({ length: calls }, (_, index) =>
          retryWhileLocked(client(index), talk.anaToken, { packId, option }),
        ),
      )
    const [others, variants] = await Promise.all([flood('OTHER', 6), flood('REQUEST_VARIANTS', 26)])
    assert.deepEqual(countResults(others), { sent: 1, option_used_up: 5 })
    assert.deepEqual(countResults(variants), { sent: 20, option_used_up: 6 })
    const sent = [...others, ...variants].filter(({ status }) => status === 201)
    const ids = sent.map(({ body }) => body.id)
    assert.deepEqual(
      (await listMessageIds(client(0), { packId, token: talk.anaToken })).sort(),
      ids.sort(),
    )
    const { body: caps } = await getGuideCaps(client(1), talk.anaToken, packId)
    assert.deepEqual(
      caps.map((cap: { cap_available: number }) => cap.cap_available),
      [0, 20, 1, 0],
    )
  },
)

contract(
  ['3.3', '7.1'],
  'two sellers and a buyer at once lose nothing, and no cap is passed',
  async () => {
    await putItem(client(0), 'MLA3001', {
      seller_id: carlaId,
      title: 'Mate de vidrio',
      price: 500,
      available_quantity: 50,
    })
    const lines = [{ item_id: 'MLA3001', quantity: 1 }]
    const [anas, carlas] = [await sellDropOff(), await placeOrder(client(0), { lines })]
    const option = 'REQUEST_BILLING_INFO'
    const flood = (token: string, packId: number) =>
      Promise.all(
        Array.from({ length: 24 }, (_, index) =>
          retryWhileLocked(client(index), token, { packId, option }),
        ),
      )
    const answer = async () => {
      await pollUntil(
        'ana to have written',
        async () =>
          (await listMessageIds(client(0), { packId: anas.id, token: talk.anaToken })).length > 3,
      )
      return sendTestMessage(client(1), { token: talk.brunoToken, packId: anas.id, by: brunoId })
    }
    const [byAna, byCarla, reply] = await Promise.all([
      flood(talk.anaToken, anas.id),
      flood(talk.carlaToken, carlas.id),
      answer(),
    ])
    assert.equal(reply.status, 201, reply.text)
    assert.deepEqual(countResults(byCarla), { sent: 20, option_used_up: 4 })
    const { sent = 0, ...refused } = countResults(byAna)
    assert.ok(sent >= 4 && sent <= 20, `${sent}`)
    const causes = ['option_used_up', 'blocked_by_conversation_use_message_api']
    assert.deepEqual(
      Object.keys(refused).filter((cause) => !causes.includes(cause)),
      [],
    )
    const idsOf = (answers: TestResponse[]) =>
      answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
    assert.deepEqual(
      (await listMessageIds(client(0), { packId: anas.id, token: talk.anaToken })).sort(),
      idsOf([...byAna, reply]).sort(),
    )
    assert.deepEqual(
      (
        await listMessageIds(client(0), {
          packId: carlas.id,
          token: talk.carlaToken,
          sellerId: carlaId,
        })
      ).sort(),
      idsOf(byCarla).sort(),
    )
    const unread = (packId: number, sellerId: number) =>
      client(0).get(`/messages/unread/packs/${packId}/sellers/${sellerId}`, talk.brunoToken)
    assert.equal((await unread(anas.id, anaId)).body.results[0].count, sent)
    assert.equal((await unread(carlas.id, carlaId)).body.results[0].count, 20)
  },
)

contract(
  ['3.3', '7.1', 'errors'],
  'while somebody holds the lock every call is refused at once, and none when they are gone',
  async () => {
    const { id: packId } = await sellDropOff()
    assert.equal(
      (await sendGuideOption(client(0), talk.anaToken, { packId, option: 'REQUEST_VARIANTS' }))
        .status,
      201,
    )
    const [holder, killer] = [
      await connectLockHolder(database.url),
      await connectLockHolder(database.url),
    ]
    try {
      await holder.db.query('begin')
      const locking = 'select 1 from conversations where seller_id = $1 and pack_id = $2 for update'
      await holder.db.query(locking, [anaId, packId])
      for (const index of [0, 1]) {
        const refused = await sendGuideOption(client(index), talk.anaToken, {
          packId,
          option: 'OTHER',
        })
        assert.deepEqual([refused.status, refused.body.error], [409, 'conflict'])
        assert.equal(
          (await getGuideCaps(client(index), talk.anaToken, packId)).status,
          200,
          'reading goes on',
        )
      }
      const other = await sellDropOff()
      const elsewhere = await sendGuideOption(client(1), talk.anaToken, {
        packId: other.id,
        option: 'OTHER',
      })
      assert.equal(elsewhere.status, 201, 'another sale of the same seller')
      await killer.db.query('select pg_terminate_backend($1::int)', [holder.pid])
      assert.equal(
        (await retryWhileLocked(client(1), talk.anaToken, { packId, option: 'OTHER' })).status,
        201,
      )
    } finally {
      await Promise.allSettled([holder.db.end(), killer.db.end()])
    }
  },
)

contract(['3.3', '7.1'], 'calls that come together never wait for each other', async () => {
  const { id: packId } = await sellDropOff()
  const { db } = await connectLockHolder(database.url)
  try {
    await blockMessageWrites(db)
    const first = sendGuideOption(client(0), talk.anaToken, { packId, option: 'REQUEST_VARIANTS' })
    await waitUntilBlocked(db)
    const template_id = templateId('REQUEST_VARIANTS')
    const others = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        sendGuideOption(client(index), talk.anaToken, {
          packId,
          option: 'REQUEST_VARIANTS',
          template_id,
        }),
      ),
    )
    assert.deepEqual(countResults(others), { guide_is_locked: 12 })
    await db.query('rollback')
    assert.equal((await first).status, 201)
  } finally {
    await db.end()
  }
})

contract(
  ['3.3', '7.1'],
  'a call goes by what stands once it has the lock: the buyer wrote meanwhile',
  async () => {
    const { id: packId } = await sellDropOff()
    const { db } = await connectLockHolder(database.url)
    try {
      await db.query('begin')
      await db.query(
        `insert into conversations (seller_id, pack_id, buyer_id, last_message_at, buyer_wrote_at)
       values ($1, $2, $3, now(), now())`,
        [anaId, packId, brunoId],
      )
      const call = sendGuideOption(client(0), talk.anaToken, { packId, option: 'OTHER' })
      const ask = async (text: string) => (await db.query(text)).rows
      await pollUntil(
        'the call to begin the conversation too',
        async () => (await countLockWaiters(ask)) > 0,
      )
      await db.query('commit')
      const { status, body } = await call
      assert.deepEqual([status, body.cause], [403, 'blocked_by_conversation_use_message_api'])
    } finally {
      await db.end()
    }
  },
)
