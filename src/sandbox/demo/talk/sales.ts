import { claims } from '../afterwards/claims.ts'
import { began, goes, inTurn, type Scenario } from '../stories.ts'

/** Scenarios for conversations, or for conversations that are closed. */

const kind = 'ready'
const arrives = goes('delivered', 'card')

export const talkedOf: readonly Scenario[] = [
  // Nobody may write after 18 months.
  began([560, 640], false)('long ago', 0, { kind, shipping: 'drop_off' }, arrives),
  began([65, 300], false)(
    'account closed since',
    0,
    { kind, shipping: 'drop_off', buyer: 'gone' },
    arrives,
  ),
  // On this site a dispute ends the conversation.
  began([10, 18], true)(
    'disputed in Brazil',
    3,
    { kind, shipping: 'fulfillment', site: 'MLB' },
    inTurn(arrives, (sale) => claims(sale, { by: 'buyer', stage: 'dispute' })),
  ),
  // The action guide has few options here, so they can be used up.
  began([6, 12], true)(
    'waits for an answer',
    3,
    { kind, shipping: 'fulfillment', site: 'MLC' },
    arrives,
  ),
]
