import assert from 'node:assert/strict'
import { contract } from '../../../test/harness/contract.ts'
import type { OrderStatus } from '../status.ts'
import { type PackStatus, packStatus } from './pack.ts'

contract('orders', 'the status of a pack follows from its orders', () => {
  const cases: [statuses: OrderStatus[], status: PackStatus][] = [
    [['paid'], 'released'],
    [['confirmed'], 'released'],
    [['partially_refunded'], 'released'],
    [['pending_cancel'], 'released'],
    [['payment_required'], 'filed'],
    [['payment_in_process'], 'filed'],
    [['partially_paid'], 'filed'],
    [['cancelled'], 'cancelled'],
    [['manually_cancelled'], 'cancelled'],
    [['invalid'], 'cancelled'],
    [['cancelled', 'invalid', 'manually_cancelled'], 'cancelled'],
    [['paid', 'confirmed'], 'released'],
    [['paid', 'cancelled'], 'released'],
    [['paid', 'payment_required'], 'filed'],
    [['cancelled', 'payment_in_process'], 'filed'],
  ]
  for (const [statuses, status] of cases) {
    assert.equal(packStatus(statuses), status, statuses.join())
  }
})
