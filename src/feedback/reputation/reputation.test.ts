import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import type { Facets } from '../../orders/facets.ts'
import { type OrderStatus, orderStatuses } from '../../orders/status.ts'
import { reputationOf } from './reputation.ts'

/** What one order of each status counts as. */
const expected: Readonly<Record<OrderStatus, 'completed' | 'canceled' | 'nothing'>> = {
  payment_required: 'nothing',
  confirmed: 'nothing',
  payment_in_process: 'nothing',
  partially_paid: 'nothing',
  paid: 'completed',
  partially_refunded: 'completed',
  pending_cancel: 'canceled',
  cancelled: 'canceled',
  manually_cancelled: 'canceled',
  invalid: 'canceled',
}

const facetsIn = (status: OrderStatus, tags: string[] = []) =>
  ({ status, tags, isFreed: false, sale: null, purchase: null }) as unknown as Facets

contract(
  ['3.1', 'users'],
  'every status of an order counts in reputations as the table has it',
  () => {
    for (const status of orderStatuses) {
      const { total, completed, canceled } = reputationOf(
        [{ facets: facetsIn(status), n: 3 }],
        'purchase',
      )
      const of = expected[status]
      assert.deepEqual(
        { total, completed, canceled },
        {
          total: of === 'nothing' ? 0 : 3,
          completed: of === 'completed' ? 3 : 0,
          canceled: of === 'canceled' ? 3 : 0,
        },
        status,
      )
    }
  },
)

contract(
  ['3.1', 'users'],
  'a sale cancelled by hand counts in reputations as any other cancelled one',
  () => {
    for (const tags of [[], ['paid']]) {
      for (const by of ['sale', 'purchase'] as const) {
        const reputations = (['cancelled', 'manually_cancelled'] as const).map((status) =>
          reputationOf([{ facets: facetsIn(status, tags), n: 2 }], by),
        )
        assert.deepEqual(reputations[1], reputations[0])
        assert.equal(reputations[0]?.canceledPaid, tags.includes('paid') ? 2 : 0)
      }
    }
  },
)
