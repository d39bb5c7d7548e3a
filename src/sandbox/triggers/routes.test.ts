import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestApp, type TestApp } from '../../../test/harness/app.ts'
import { smallCatalog, uploadCatalog } from '../../../test/harness/catalog-files.ts'
import { takeChangeLines } from '../../../test/harness/changes.ts'
import { contract } from '../../../test/harness/contract.ts'
import { putApplication } from '../../../test/harness/market.ts'
import { topics } from '../../kernel/topics.ts'
import { scenarioNames, triggerNames } from './names.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
type Json = any

let app: TestApp
const url = '/operator/sandbox/triggers'
const application = 77

before(async () => {
  app = await openTestApp()
  const body = { name: 'Mine', callback_url: null, topics: [...topics] }
  await putApplication(app.client, application, body)
})
after(() => app.close())

async function trigger(name: string, more: object = {}): Promise<Json> {
  const body = { application_id: application, ...more }
  const answer = await app.client.operator('POST', `${url}/${name}`, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function read(path: string, user_id: number): Promise<Json> {
  const tokenBody = { user_id, application_id: application }
  const { body } = await app.client.operator('POST', '/operator/tokens', tokenBody)
  const answer = await app.client.get(path, body.access_token)
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body
}
const asSeller = (path: string, { made }: Json) => read(path, made.seller_id)
/** How often something was told of since the last look, by `topic resource`. */
async function countChanges(): Promise<Map<string, number>> {
  const lines = (await takeChangeLines(app)).map((line) => line.split(' ').slice(0, 2).join(' '))
  return new Map([...Map.groupBy(lines, (line) => line)].map(([line, all]) => [line, all.length]))
}

contract(
  '6.2',
  'every topic is told of by what is triggered under its name, on every site that it has',
  async () => {
    const { body } = await app.client.operator('GET', url)
    for (const { name, sites } of body.triggers) {
      if (!(topics as readonly string[]).includes(name)) continue
      for (const site_id of sites) {
        const played = await trigger(name, { site_id })
        assert.deepEqual([played.topic, played.site_id], [name, site_id])
        assert.ok((await countChanges()).has(`${name} ${played.resource}`), `${name} on ${site_id}`)
      }
    }
  },
)

test('the list has every topic and every scenario, and what each would do', async () => {
  const { body } = await app.client.operator('GET', url)
  assert.deepEqual(
    body.triggers.map(({ name }: Json) => name),
    triggerNames,
  )
  for (const { tells, sites } of body.triggers) assert.ok(tells && sites.length > 0)
})

for (const site_id of ['MLA', 'MLB', 'MLC']) {
  contract(
    ['2.2', '3.1'],
    `a paid sale is found to be a fraud and cancelled, on ${site_id}`,
    async () => {
      const played = await trigger('fraud_after_payment', { site_id })
      assert.ok((await countChanges()).has(`orders_v2 ${played.resource}`))
      const order = await asSeller(played.resource, played)
      assert.equal(order.status, 'cancelled')
      assert.ok(order.tags.includes('fraud_risk_detected'))
      assert.deepEqual(
        [order.cancel_detail.group, order.cancel_detail.requested_by],
        ['fraud', 'platform'],
      )
      assert.equal(order.payments[0].status, 'refunded')
      assert.equal(order.payments[0].id, played.made.payment_id)
      const shipment = await asSeller(`/shipments/${played.made.shipment_id}`, played)
      assert.equal(shipment.status, 'cancelled')
    },
  )
}

contract('3.1', 'an alert alone leaves the order to whoever must cancel it', async () => {
  const played = await trigger('fraud_alert')
  const order = await asSeller(played.resource, played)
  assert.equal(order.status, 'paid')
  assert.ok(order.tags.includes('fraud_risk_detected'))
})

contract('3.1', 'half a payment leaves the order partially paid', async () => {
  const played = await trigger('partial_payment')
  const order = await asSeller(`/orders/${played.made.order_id}`, played)
  assert.equal(order.status, 'partially_paid')
  assert.equal(order.paid_amount * 2, order.total_amount)
})

contract('3.1', 'a sale is cancelled after its label was printed', async () => {
  const played = await trigger('cancelled_after_label')
  const order = await asSeller(played.resource, played)
  assert.deepEqual([order.status, order.cancel_detail.group], ['cancelled', 'buyer'])
  const path = `/shipments/${played.made.shipment_id}`
  const shipment = await asSeller(path, played)
  assert.equal(shipment.status, 'cancelled')
  assert.ok(shipment.date_first_printed)
})

contract(['3.1', '6.2'], 'a claim is opened, told of, closed and told of again', async () => {
  const played = await trigger('claim_opened_and_closed')
  assert.equal((await countChanges()).get(`claims ${played.resource}`), 2)
  const claim = await asSeller(played.resource, played)
  assert.deepEqual([claim.status, claim.id], ['closed', played.made.claim_id])
})

contract(
  ['3.1', '3.2'],
  'a message is held back, in the language of its site, and the seller is not told',
  async () => {
    for (const site_id of ['MLA', 'MLB']) {
      const played = await trigger('message_moderated', { site_id })
      assert.equal(played.topic, null)
      const { seller_id, buyer_id, message_id, pack_id } = played.made
      const page = `/messages/packs/${pack_id}/sellers/${seller_id}?tag=post_sale`
      const [written] = (await read(page, buyer_id)).messages
      assert.deepEqual([written.id, written.status], [message_id, 'moderated'])
      assert.match(written.text, site_id === 'MLB' ? /escreva para/ : /escribime a/)
      assert.deepEqual((await read(page, seller_id)).messages, [])
      const topics = [...(await countChanges()).keys()].map((line) => line.split(' ')[0])
      assert.ok(topics.includes('orders_v2') && !topics.includes('messages'))
    }
  },
)

contract(
  '3.1',
  'a catalogue is changed, served, changed again, and taken back by the call that is told',
  async () => {
    const versions = '/operator/catalog/versions'
    const name = async (id: string) => (await app.client.get(`/categories/${id}`)).body.name
    // A small one: the way is the same, and the default catalog takes 30 times as long.
    const { body: small } = await uploadCatalog(app.address, smallCatalog())
    assert.equal(
      (await app.client.operator('POST', `${versions}/${small.version}/activate`)).status,
      200,
    )
    const first = await trigger('catalog_change')
    assert.match(await name(first.made.category_id), /^Ensayo 1: /)
    const second = await trigger('catalog_change', { site_id: 'MLB' })
    assert.match(await name(second.made.category_id), /^Ensaio 2: /)
    assert.equal(second.made.before_version, first.made.catalog_version)
    for (const { undo } of [second, first]) {
      assert.equal((await app.client.operator(undo.method, undo.path)).status, 200)
    }
    assert.doesNotMatch(await name(first.made.category_id), /^Ensayo/)
    assert.equal((await app.client.operator('POST', `${versions}/0/activate`)).status, 200)
  },
)

test('two of each at once both happen, each with ids of its own', async () => {
  for (const name of scenarioNames.filter((candidate) => candidate !== 'catalog_change')) {
    const [one, other] = await Promise.all([trigger(name), trigger(name)])
    assert.notEqual(one.resource, other.resource)
    assert.notEqual(one.made.order_id, other.made.order_id)
  }
})

contract(
  '1',
  'what cannot be triggered is refused by name, and in production everything',
  async () => {
    const post = (name: string, body: object = {}) =>
      app.client.operator('POST', `${url}/${name}`, body)
    assert.match((await post('weather')).body.message, /^name: expected /)
    assert.match((await post('items', { site_id: 'MPE' })).body.message, /^site_id: expected /)
    assert.match(
      (await post('invoices', { site_id: 'MLA', application_id: application })).text,
      /MLB for invoices/,
    )
    const unknown = await post('items', { application_id: 99 })
    assert.deepEqual([unknown.status, unknown.body.message], [404, 'Application not found: 99'])
    const real = await openTestApp({ env: { FERIA_MODE: 'production' } })
    try {
      for (const method of ['GET', 'POST'] as const) {
        const at = method === 'GET' ? url : `${url}/items`
        const answer = await real.client.operator(method, at, method === 'GET' ? undefined : {})
        assert.deepEqual([answer.status, answer.body.error], [403, 'sandbox_only'])
      }
    } finally {
      await real.close()
    }
  },
)
