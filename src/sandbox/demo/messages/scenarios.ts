import { openClaim } from '../claims.ts'
import { type DemoScenario, payAndShip, scenariosOfAge, sequence } from '../scenario-steps.ts'

/** Scenarios for conversations, or for conversations that are closed. */

const kind = 'ready'
const payAndDeliver = payAndShip('delivered', 'card')

export const conversationScenarios: readonly DemoScenario[] = [
  // Nobody may write after 18 months.
  scenariosOfAge([560, 640], false)('long ago', 0, { kind, shipping: 'drop_off' }, payAndDeliver),
  scenariosOfAge([65, 300], false)(
    'account closed since',
    0,
    { kind, shipping: 'drop_off', buyer: 'gone' },
    payAndDeliver,
  ),
  // On this site a dispute ends the conversation.
  scenariosOfAge([10, 18], true)(
    'disputed in Brazil',
    3,
    { kind, shipping: 'fulfillment', site: 'MLB' },
    sequence(payAndDeliver, (sale) => openClaim(sale, { by: 'buyer', stage: 'dispute' })),
  ),
  // The action guide has few options here, so they can be used up.
  scenariosOfAge([6, 12], true)(
    'waits for an answer',
    3,
    { kind, shipping: 'fulfillment', site: 'MLC' },
    payAndDeliver,
  ),
]
