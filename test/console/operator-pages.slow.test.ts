import { after, before } from 'node:test'
import {
  type ConsoleFixture,
  noBrowser,
  openConsoleFixture,
  restoreSession,
} from '../harness/console.ts'
import { demoSeller, operatorPaths } from '../harness/console-paths.ts'
import { testPages } from '../harness/page-suite.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'
import { pollUntil } from '../harness/wait.ts'

/** Every page of the operator's, in both schemes, on a phone and on a desk, in three languages. */
let fixture: ConsoleFixture
let receiver: Receiver
let accountId: number
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  fixture = await openConsoleFixture()
  receiver = await openReceiver()
  await fill()
})
after(async () => {
  await fixture?.close()
  await receiver?.close()
})

/** Deliveries that were accepted and refused, a fault, a term: what pages show where there is something. */
async function fill(): Promise<void> {
  const settings = { name: 'Feria demo', callback_url: receiver.url, topics: ['orders_v2'] }
  await fixture.client.operator(
    'PUT',
    `/operator/applications/${fixture.startupValue('APPLICATION')}`,
    settings,
  )
  for (const answers of [200, 503]) {
    receiver.responseStatus = answers
    const receivedCount = receiver.received.length
    const body = { comments: `${answers}` }
    await fixture.client.operator(
      'PATCH',
      `/operator/orders/${fixture.startupValue('ORDER')}`,
      body,
    )
    await pollUntil('it is told', () => receiver.received.length > receivedCount)
  }
  const fault = { kind: 'delay', share: 0.5, seed: 1 }
  await fixture.client.operator('PUT', '/operator/sandbox/receiver-faults', fault)
  const term = { kind: 'word', value: 'trueque', reason: 'OUT_OF_PLACE_LANGUAGE' }
  await fixture.client.operator('POST', '/operator/moderation/terms', term)
  const filter = { seller_id: demoSeller, status: 'active' }
  const parameters = { filter, change: { price_percent: 10 } }
  const job = { kind: 'bulk_listing_change', parameters }
  await fixture.client.operator('POST', '/operator/jobs', job)
  const role = { description: 'Answers claims at night', permissions: ['claims:read'] }
  await fixture.client.operator('PUT', '/operator/roles/night-shift', role)
  const invited = { email: 'ana@example.com', name: 'Ana', role: 'support' }
  const { body } = await fixture.client.operator('POST', '/operator/accounts', invited)
  accountId = body.account.id
  const key = { name: 'Prometheus', role: 'read-only', allowed_addresses: ['127.0.0.0/8'] }
  await fixture.client.operator('POST', '/operator/keys', key)
}

testPages({
  audience: 'the operator',
  skip,
  open: async (look) => {
    const tab = await fixture.openTab(look)
    await restoreSession(
      tab,
      JSON.stringify({ user: null, operatorToken: fixture.startupValue('OPERATOR') }),
    )
    return tab
  },
  paths: () => [
    ...operatorPaths(fixture),
    `/operator/accounts/${accountId}`,
    '/operator/roles/night-shift',
  ],
  minimumTitles: 18,
  // Charts, the widest table, an order and forms.
  inEveryViewport: () => [
    '/operator',
    `/operator/orders?seller=${demoSeller}&tags=paid`,
    `/operator/orders/${fixture.startupValue('ORDER')}`,
    '/operator/sandbox',
  ],
})
