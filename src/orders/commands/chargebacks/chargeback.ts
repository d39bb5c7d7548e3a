import { timestamp } from '../../../kernel/clock.ts'
import { isCarriedByPlatform } from '../../../kernel/shipping-modes.ts'
import { sites } from '../../../kernel/sites.ts'
import {
  transitionShipment as movedShipment,
  type Shipment,
  shipmentHasEnded,
  wasSent,
} from '../../../shipments/shipment.ts'
import type { ShipmentSubstatus } from '../../../shipments/substatus.ts'
import { type CancelDetail, type Order, statusByPayments, transitionOrder } from '../../order.ts'
import { withReimbursement } from '../../payment.ts'
import { followPayments } from '../../refund.ts'
import { hasEnded } from '../../status.ts'

/**
 * What becomes of a sale when a payment of it is charged back (contract 3.1): the platform calls it
 * off, or the parcel back; the platform bears the loss, or the seller does. `docs/orders.md` draws it.
 */
export type Outcome = 'cancel' | 'return' | 'covered' | 'seller_refunds'

export function isNewChargeback(before: Order, after: Order, paymentId: number): boolean {
  const isChargedBack = ({ payments }: Order) =>
    payments.some(({ id, status }) => id === paymentId && status === 'charged_back')
  return isChargedBack(after) && !isChargedBack(before)
}

/** The outcome for an order with its charged back payment. None where nothing is left to decide: it
 * has ended, or other payments still pay all of it. */
export function outcomeOf(order: Order, shipment: Shipment | undefined): Outcome | undefined {
  if (hasEnded(order.status) || statusByPayments(order) === 'paid') return undefined
  // Also of the platform's own transport: nobody can prove a delivery better, or call it back.
  if (order.tags.includes('delivered')) return 'covered'
  if (!shipment || !isCarriedByPlatform(shipment.mode)) return 'seller_refunds'
  return isPrinted(shipment) ? 'return' : 'cancel'
}

const beforePrinting: readonly (ShipmentSubstatus | null)[] = [
  null,
  'cost_exceeded',
  'regenerating',
  'waiting_for_label_generation',
  'ready_to_print',
  'invoice_pending',
]

/** Whether there is a label, so that the parcel may be with the carrier. */
function isPrinted({ status, substatus, details }: Shipment): boolean {
  if (status === 'cancelled') return false
  if (details.date_first_printed !== undefined) return true
  return status === 'ready_to_ship' ? !beforePrinting.includes(substatus) : wasSent(status)
}

/** What the outcome makes of the order; without one its status follows the payments as always. */
export function orderAfter(
  order: Order,
  { outcome, paymentId, now }: { outcome: Outcome | undefined; paymentId: number; now: Date },
): Order {
  if (outcome === 'cancel') {
    const cancel_detail = order.details.cancel_detail ?? causeOf(order, now)
    return transitionOrder(
      { ...order, details: { ...order.details, cancel_detail } },
      'cancelled',
      now,
    )
  }
  const settled = outcome === undefined ? order : withOutcome(order, outcome, paymentId)
  return followPayments(settled, now)
}

function withOutcome(order: Order, outcome: Outcome, paymentId: number): Order {
  const withTag = (tag: string) => [...new Set([...order.tags, tag])]
  if (outcome === 'seller_refunds') return { ...order, tags: withTag('chargeback_not_covered') }
  if (outcome !== 'covered') return order
  const payments = order.payments.map((each) =>
    each.id === paymentId ? withReimbursement(each) : each,
  )
  return { ...order, payments, tags: withTag('chargeback_covered') }
}

const causes = {
  es: 'El pago fue desconocido ante el medio de pago antes de imprimir la etiqueta de envío',
  pt: 'O pagamento foi contestado antes da impressão da etiqueta de envio',
}

function causeOf({ siteId }: Order, now: Date): CancelDetail {
  return {
    group: 'fraud',
    code: 'payment_charged_back',
    description: causes[sites[siteId].language],
    requested_by: 'platform',
    date: timestamp(now),
    application_id: null,
  }
}

/** Nobody can bring back what is coming back already, or is gone. */
const beyondReturn: readonly (ShipmentSubstatus | null)[] = [
  'returning_to_sender',
  'returned',
  'stolen',
  'confiscated',
  'destroyed',
]

/** What the outcome makes of the shipment: the same where it changes nothing. `isEmpty`: all orders
 * that it carries have ended. */
export function shipmentAfter(
  shipment: Shipment,
  { outcome, isEmpty, now }: { outcome: Outcome | undefined; isEmpty: boolean; now: Date },
): Shipment {
  const { status, substatus } = shipment
  if (shipmentHasEnded(status)) return shipment
  if (outcome === 'cancel' && isEmpty) {
    return movedShipment(shipment, { status: 'cancelled', substatus: null }, now)
  }
  if (outcome !== 'return' || beyondReturn.includes(substatus)) return shipment
  return movedShipment(shipment, { status, substatus: 'returning_to_sender' }, now)
}
