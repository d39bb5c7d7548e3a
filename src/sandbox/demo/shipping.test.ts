import assert from 'node:assert/strict'

import { Compile } from 'typebox/compile'
import '../../http/check.ts'
import { contract } from '../../../test/harness/contract.ts'
import { fitsCurrency } from '../../kernel/money.ts'
import { renderNewFormat, renderWideFormat } from '../../shipments/formats.ts'
import { NewerShipment, WiderShipment } from '../../shipments/schemas.ts'
import { costTypeOf, costTypes, type HistoryDate, historyDates } from '../../shipments/shipment.ts'
import { createDemoData } from './demo.ts'

const now = new Date('2026-03-10T15:00:00.000Z')
const shipments = [1, 2].flatMap((seed) =>
  [...createDemoData({ seed, now, orders: 500 }).orders].flatMap(({ shipment }) => shipment ?? []),
)
const cargo = { orderId: 1, orderCost: 10, items: [], hiddenParty: null }

contract(['4.3', '9'], 'every demo shipment is one of the contract, in both formats', () => {
  const formats = [
    [renderNewFormat, Compile(NewerShipment)],
    [renderWideFormat, Compile(WiderShipment)],
  ] as const
  for (const shipment of shipments)
    for (const [format, schema] of formats) {
      const [wrong] = schema.Errors(JSON.parse(JSON.stringify(format(shipment, cargo))))
      assert.equal(wrong, undefined, `${shipment.id}: ${JSON.stringify(wrong)}`)
    }
})

contract(
  'orders',
  'there are demo shipments of every cost type, with dates, tracking and delays',
  () => {
    assert.deepEqual(new Set(shipments.map(costTypeOf)), new Set(costTypes))
    for (const { cost, listCost, currencyId } of shipments) {
      assert.ok(fitsCurrency(Number(cost), currencyId))
      if (listCost !== null) assert.ok(Number(listCost) >= Number(cost))
    }
    const reached = new Set(shipments.flatMap(({ history }) => Object.keys(history)))
    assert.deepEqual([...reached].sort(), [...historyDates].sort())
    assert.ok(shipments.some(({ details }) => details.delay?.includes('handling_delayed')))
    assert.ok(shipments.some(({ details }) => details.date_first_printed))
    for (const { mode, status, details } of shipments) {
      if (mode === 'not_specified') continue
      assert.ok(details.estimated_delivery_time?.date)
      assert.ok(details.sender_address && details.receiver_address && details.receiver_name)
      if (mode !== 'custom' && (status === 'shipped' || status === 'delivered'))
        assert.ok(details.tracking_number, `${mode} ${status}`)
    }
  },
)

contract('9', 'a demo shipment reached one step after the other, and never after now', () => {
  const steps: HistoryDate[] = ['date_handling', 'date_ready_to_ship', 'date_shipped']
  for (const { history, dateCreated, lastUpdated } of shipments) {
    const end = history.date_delivered ?? history.date_not_delivered ?? history.date_cancelled
    const moments = [dateCreated, ...steps.map((name) => history[name]), end, lastUpdated, now]
      .filter((moment) => moment !== undefined)
      .map((moment) => new Date(moment).getTime())
    assert.deepEqual(
      moments,
      moments.toSorted((one, other) => one - other),
    )
  }
})
