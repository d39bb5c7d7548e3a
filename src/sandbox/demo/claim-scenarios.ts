import {
  agreedResolution,
  coveredRefund,
  openClaim,
  rejectedResolution,
  reopenClaim,
  resolveClaim,
} from './claims.ts'
import { payInFull } from './payments.ts'
import { addRating, addReply, addUnfulfilledRating, improveRating } from './ratings.ts'
import {
  addNotes,
  type DemoScenario,
  finishedScenario,
  payAndShip,
  requestChange,
  scenariosOfAge,
  sequence,
} from './scenario-steps.ts'

/** Scenarios that go on after the delivery. */

const kind = 'ready'
/** The fastest transport, which leaves time for later steps. */
const quick = { kind, shipping: 'fulfillment' } as const
const usual = { kind, shipping: 'drop_off' } as const
const payAndDeliver = payAndShip('delivered', 'card')

const isOpen = scenariosOfAge([10, 18], true)

/** Ratings, which are hidden until both are given or the time for them ends. */
const ratings: readonly DemoScenario[] = [
  isOpen(
    'rated by the buyer',
    20,
    quick,
    sequence(payAndDeliver, (sale) => addRating(sale, 'purchase')),
  ),
  isOpen(
    'rated by the seller',
    10,
    quick,
    sequence(payAndDeliver, (sale) => addRating(sale, 'sale')),
  ),
  finishedScenario('rated by both', 80, usual, (sale) => {
    payAndDeliver(sale)
    addRating(sale, 'purchase')
    addRating(sale, 'sale')
  }),
  finishedScenario(
    'only the buyer rated',
    30,
    usual,
    sequence(payAndDeliver, (sale) => addRating(sale, 'purchase')),
  ),
  finishedScenario(
    'only the seller rated',
    15,
    usual,
    sequence(payAndDeliver, (sale) => addRating(sale, 'sale')),
  ),
  finishedScenario('so so', 8, usual, (sale) => {
    payAndDeliver(sale)
    addRating(sale, 'purchase', 'neutral')
    addRating(sale, 'sale', 'neutral')
  }),
  finishedScenario('rated badly, replied', 8, usual, (sale) => {
    payAndDeliver(sale)
    addRating(sale, 'sale')
    addRating(sale, 'purchase', 'negative')
    addReply(sale, 'purchase')
  }),
  finishedScenario('second thoughts', 4, usual, (sale) => {
    payAndDeliver(sale)
    addRating(sale, 'purchase', 'negative')
    improveRating(sale, 'purchase')
    addRating(sale, 'sale')
  }),
  finishedScenario('nobody agreed', 4, { kind, shipping: 'none' }, (sale) => {
    payInFull(sale, 'balance')
    addUnfulfilledRating(sale, 'sale', 'BUYER_DID_NOT_ANSWER')
  }),
]

/** Claims: open and closed, in both stages, by either party. */
const disputes: readonly DemoScenario[] = [
  isOpen(
    'claim of the buyer',
    6,
    quick,
    sequence(payAndDeliver, (sale) => openClaim(sale, { by: 'buyer' })),
  ),
  isOpen(
    'claim of the seller',
    3,
    quick,
    sequence(payAndDeliver, (sale) => openClaim(sale, { by: 'seller' })),
  ),
  isOpen('disputed', 4, quick, (sale) => {
    payAndDeliver(sale)
    openClaim(sale, { by: 'buyer', stage: 'dispute' })
    sale.afterDelay(1_000, 3_000, (at) =>
      sale.updatePayments(at, () => ({ status: 'in_mediation' })),
    )
  }),
  isOpen('disputed by the seller', 2, quick, (sale) => {
    payAndDeliver(sale)
    openClaim(sale, { by: 'seller', stage: 'dispute' })
  }),
  finishedScenario('claim settled', 10, usual, (sale) => {
    payAndDeliver(sale)
    openClaim(sale, { by: 'buyer' })
    resolveClaim(sale, agreedResolution)
  }),
  finishedScenario("seller's claim settled", 4, usual, (sale) => {
    payAndDeliver(sale)
    openClaim(sale, { by: 'seller' })
    resolveClaim(sale, agreedResolution)
  }),
  finishedScenario('dispute rejected', 4, usual, (sale) => {
    payAndDeliver(sale)
    openClaim(sale, { by: 'buyer', stage: 'dispute' })
    resolveClaim(sale, rejectedResolution)
  }),
  finishedScenario("seller's dispute won", 2, usual, (sale) => {
    payAndDeliver(sale)
    openClaim(sale, { by: 'seller', stage: 'dispute' })
    resolveClaim(sale, coveredRefund)
  }),
  isOpen('opened again', 3, quick, (sale) => {
    payAndDeliver(sale)
    openClaim(sale, { by: 'buyer' })
    resolveClaim(sale, agreedResolution)
    reopenClaim(sale)
  }),
  finishedScenario('change', 4, usual, (sale) => {
    sequence(payAndDeliver, requestChange('change', 'accepted'))(sale)
    openClaim(sale, { by: 'buyer', type: 'change', related_entities: ['change'] })
    resolveClaim(sale, agreedResolution)
  }),
  isOpen('return', 4, quick, (sale) => {
    sequence(payAndDeliver, requestChange('return', 'required'))(sale)
    openClaim(sale, { by: 'buyer', type: 'return', related_entities: ['return'] })
  }),
]

export const claimScenarios: readonly DemoScenario[] = [
  ...ratings,
  ...disputes,
  finishedScenario('noted', 15, usual, sequence(payAndDeliver, addNotes)),
]
