import { after, before } from 'node:test'
import { type ConsoleStage, noBrowser, openConsole, takeAlong } from '../harness/console.ts'
import { operatorPaths } from '../harness/console-paths.ts'
import { testPages } from '../harness/pages.ts'
import { until } from '../harness/program.ts'
import { openReceiver, type Receiver } from '../harness/receiver.ts'

/** Every page of the operator's, in both schemes, on a phone and on a desk, in three languages. */
let stage: ConsoleStage
let receiver: Receiver
const skip = noBrowser ?? false

before(async () => {
  if (noBrowser) return
  stage = await openConsole()
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
  await stage.operator('PUT', `/operator/applications/${stage.told('APPLICATION')}`, settings)
  for (const answers of [200, 503]) {
    receiver.answers = answers
    const told = receiver.received.length
    const body = { comments: `${answers}` }
    await stage.operator('PATCH', `/operator/orders/${stage.told('ORDER')}`, body)
    await until('it is told', () => receiver.received.length > told)
  }
  const fault = { kind: 'delay', share: 0.5, seed: 1 }
  await stage.operator('PUT', '/operator/sandbox/receiver-faults', fault)
  const term = { kind: 'word', value: 'trueque', reason: 'OUT_OF_PLACE_LANGUAGE' }
  await stage.operator('POST', '/operator/moderation/terms', term)
}

testPages({
  who: 'the operator',
  skip,
  open: async (look) => {
    const looking = await stage.open(look)
    await takeAlong(looking, JSON.stringify({ user: null, operatorToken: stage.told('OPERATOR') }))
    return looking
  },
  paths: () => operatorPaths(stage),
  titles: 11,
  // Charts, an order and forms.
  inEveryLook: () => ['/operator', `/operator/orders/${stage.told('ORDER')}`, '/operator/sandbox'],
})
