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
let stage: ConsoleFixture
let receiver: Receiver
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  stage = await openConsoleFixture()
  receiver = await openReceiver()
  await fill()
})
after(async () => {
  await stage?.close()
  await receiver?.close()
})

/** Deliveries that were accepted and refused, a fault, a term: what pages show where there is something. */
async function fill(): Promise<void> {
  const settings = { name: 'Feria demo', callback_url: receiver.url, topics: ['orders_v2'] }
  await stage.client.operator(
    'PUT',
    `/operator/applications/${stage.startupValue('APPLICATION')}`,
    settings,
  )
  for (const answers of [200, 503]) {
    receiver.responseStatus = answers
    const receivedCount = receiver.received.length
    const body = { comments: `${answers}` }
    await stage.client.operator('PATCH', `/operator/orders/${stage.startupValue('ORDER')}`, body)
    await pollUntil('it is told', () => receiver.received.length > receivedCount)
  }
  const fault = { kind: 'delay', share: 0.5, seed: 1 }
  await stage.client.operator('PUT', '/operator/sandbox/receiver-faults', fault)
  const term = { kind: 'word', value: 'trueque', reason: 'OUT_OF_PLACE_LANGUAGE' }
  await stage.client.operator('POST', '/operator/moderation/terms', term)
}

testPages({
  audience: 'the operator',
  skip,
  open: async (look) => {
    const looking = await stage.openTab(look)
    await restoreSession(
      looking,
      JSON.stringify({ user: null, operatorToken: stage.startupValue('OPERATOR') }),
    )
    return looking
  },
  paths: () => operatorPaths(stage),
  minimumTitles: 11,
  // Charts, the widest table, an order and forms.
  inEveryViewport: () => [
    '/operator',
    `/operator/orders?seller=${demoSeller}&tags=paid`,
    `/operator/orders/${stage.startupValue('ORDER')}`,
    '/operator/sandbox',
  ],
})
