import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import { issueToken } from '../../identity/tokens.ts'
import { firstId } from '../../kernel/ids.ts'
import { topics } from '../../kernel/topics.ts'
import { createExtras } from './extras.ts'
import { demoApplication, demoBuyerId, demoSellerId, firstDemoIds, mainListingId } from './ids.ts'
import { seedOrders } from './load.ts'
import { firstSellerOf } from './users.ts'

let app: TestApp
const seed = () => seedOrders(app.ctx, { orders: 20, seed: 1, progress: () => {} })
const tokenOf = (userId: number) =>
  issueToken(app.ctx, {
    userId,
    applicationId: demoApplication.id,
    lifeSeconds: 3600,
    scopes: ['read', 'write'],
  })

before(async () => {
  app = await openTestApp()
  await seed()
})
after(() => app.close())

contract('6.2', 'the demo application is told of every topic', () => {
  assert.deepEqual([...demoApplication.topics].sort(), [...topics].sort())
})

contract(
  '6.2',
  'a newcomer reads questions, a faulty picture, a quotation and an invoice at once',
  async () => {
    const seller = await tokenOf(demoSellerId)
    const buyer = await tokenOf(demoBuyerId)
    const [mlc, mlb] = [firstSellerOf('MLC'), firstSellerOf('MLB')]
    const [onMlc, onMlb] = [await tokenOf(mlc), await tokenOf(mlb)]
    const picture = (await app.client.get(`/items/${mainListingId}`)).body.pictures[0].id
    const reads: [path: string, token: string][] = [
      [`/items/${mainListingId}`, seller],
      [`/questions/${firstDemoIds.question}`, seller],
      [`/pictures/${picture}/errors`, seller],
      [`/quotations/${firstDemoIds.quotation}?caller.type=seller`, onMlc],
      [`/users/${mlb}/invoices/${firstDemoIds.invoice}`, onMlb],
    ]
    for (const [path, token] of reads) {
      const { status, text } = await app.client.get(path, token)
      assert.equal(status, 200, `${path}: ${text}`)
    }
    const statuses = async (token: string, query = '') => {
      const { body } = await app.client.get(`/questions/search?${query}`, token)
      return new Set(body.questions.map(({ status }: { status: string }) => status))
    }
    assert.deepEqual([...(await statuses(seller))].sort(), [
      'ANSWERED',
      'BANNED',
      'DELETED',
      'UNANSWERED',
    ])
    const own = await statuses(buyer, `from=${demoBuyerId}`)
    assert.deepEqual([...own].sort(), ['ANSWERED', 'UNANSWERED'])
  },
)

contract(
  '6.2',
  'a question of the demo data is answered as any other, and seeding again leaves that',
  async () => {
    const seller = await tokenOf(demoSellerId)
    const path = `/questions/search?item=${mainListingId}&status=UNANSWERED`
    const [open] = (await app.client.get(path, seller)).body.questions
    const body = { question_id: open.id, text: 'Sí, escribinos cuando la necesites.' }
    const response = await app.client.send('POST', '/answers', { token: seller, body })
    assert.equal(response.status, 201, response.text)
    await takeChangeLines(app)
    await seed()
    const again = (await app.client.get(`/questions/${open.id}`, seller)).body
    assert.deepEqual(again, response.body)
    assert.deepEqual(await takeChangeLines(app), [], 'history is told to nobody')
  },
)

test('numbers of the demo data are none that Feria gives out', () => {
  const { questions } = createExtras(app.ctx.now())
  assert.ok(questions.every(({ id }) => id < firstId.question))
  assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length)
})
