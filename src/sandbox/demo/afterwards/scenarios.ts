import { payWhole } from '../payments.ts'
import { asks, began, ended, goes, inTurn, notes, type Scenario } from '../stories.ts'
import { claims, covered, rejected, reopens, resolveClaim, workedOut } from './claims.ts'
import { changesMind, rates, regrets, replies } from './ratings.ts'

/** Scenarios that go on after the delivery. */

const kind = 'ready'
/** The fastest transport, which leaves time for later steps. */
const quick = { kind, shipping: 'fulfillment' } as const
const usual = { kind, shipping: 'drop_off' } as const
const arrives = goes('delivered', 'card')

const isOpen = began([10, 18], true)

/** Ratings, which are hidden until both are given or the time for them ends. */
const ratings: readonly Scenario[] = [
  isOpen(
    'rated by the buyer',
    20,
    quick,
    inTurn(arrives, (sale) => rates(sale, 'purchase')),
  ),
  isOpen(
    'rated by the seller',
    10,
    quick,
    inTurn(arrives, (sale) => rates(sale, 'sale')),
  ),
  ended('rated by both', 80, usual, (sale) => {
    arrives(sale)
    rates(sale, 'purchase')
    rates(sale, 'sale')
  }),
  ended(
    'only the buyer rated',
    30,
    usual,
    inTurn(arrives, (sale) => rates(sale, 'purchase')),
  ),
  ended(
    'only the seller rated',
    15,
    usual,
    inTurn(arrives, (sale) => rates(sale, 'sale')),
  ),
  ended('so so', 8, usual, (sale) => {
    arrives(sale)
    rates(sale, 'purchase', 'neutral')
    rates(sale, 'sale', 'neutral')
  }),
  ended('rated badly, replied', 8, usual, (sale) => {
    arrives(sale)
    rates(sale, 'sale')
    rates(sale, 'purchase', 'negative')
    replies(sale, 'purchase')
  }),
  ended('second thoughts', 4, usual, (sale) => {
    arrives(sale)
    rates(sale, 'purchase', 'negative')
    changesMind(sale, 'purchase')
    rates(sale, 'sale')
  }),
  ended('nobody agreed', 4, { kind, shipping: 'none' }, (sale) => {
    payWhole(sale, 'balance')
    regrets(sale, 'sale', 'BUYER_DID_NOT_ANSWER')
  }),
]

/** Claims: open and closed, in both stages, by either party. */
const disputes: readonly Scenario[] = [
  isOpen(
    'claim of the buyer',
    6,
    quick,
    inTurn(arrives, (sale) => claims(sale, { by: 'buyer' })),
  ),
  isOpen(
    'claim of the seller',
    3,
    quick,
    inTurn(arrives, (sale) => claims(sale, { by: 'seller' })),
  ),
  isOpen('disputed', 4, quick, (sale) => {
    arrives(sale)
    claims(sale, { by: 'buyer', stage: 'dispute' })
    sale.later(1_000, 3_000, (at) => sale.settle(at, () => ({ status: 'in_mediation' })))
  }),
  isOpen('disputed by the seller', 2, quick, (sale) => {
    arrives(sale)
    claims(sale, { by: 'seller', stage: 'dispute' })
  }),
  ended('claim settled', 10, usual, (sale) => {
    arrives(sale)
    claims(sale, { by: 'buyer' })
    resolveClaim(sale, workedOut)
  }),
  ended("seller's claim settled", 4, usual, (sale) => {
    arrives(sale)
    claims(sale, { by: 'seller' })
    resolveClaim(sale, workedOut)
  }),
  ended('dispute rejected', 4, usual, (sale) => {
    arrives(sale)
    claims(sale, { by: 'buyer', stage: 'dispute' })
    resolveClaim(sale, rejected)
  }),
  ended("seller's dispute won", 2, usual, (sale) => {
    arrives(sale)
    claims(sale, { by: 'seller', stage: 'dispute' })
    resolveClaim(sale, covered)
  }),
  isOpen('opened again', 3, quick, (sale) => {
    arrives(sale)
    claims(sale, { by: 'buyer' })
    resolveClaim(sale, workedOut)
    reopens(sale)
  }),
  ended('change', 4, usual, (sale) => {
    inTurn(arrives, asks('change', 'accepted'))(sale)
    claims(sale, { by: 'buyer', type: 'change', related_entities: ['change'] })
    resolveClaim(sale, workedOut)
  }),
  isOpen('return', 4, quick, (sale) => {
    inTurn(arrives, asks('return', 'required'))(sale)
    claims(sale, { by: 'buyer', type: 'return', related_entities: ['return'] })
  }),
]

export const afterSales: readonly Scenario[] = [
  ...ratings,
  ...disputes,
  ended('noted', 15, usual, inTurn(arrives, notes)),
]
