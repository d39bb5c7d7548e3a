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
import { applyPaymentStatus } from '../../refund.ts'
import { hasEnded } from '../../status.ts'

/**
 * What follows for a sale when one of its payments is charged back (docs/api/orders.md, "Chargebacks"):
 * - `cancel`: the sale is cancelled before its label is printed;
 * - `return`: the carrier brings the parcel back;
 * - `covered`: the marketplace bears the loss;
 * - `seller_refunds`: the seller bears the loss.
 */
export type ChargebackOutcome = 'cancel' | 'return' | 'covered' | 'seller_refunds'

export function isNewChargeback(before: Order, after: Order, paymentId: number): boolean {
  const isChargedBack = ({ payments }: Order) =>
    payments.some(({ id, status }) => id === paymentId && status === 'charged_back')
  return isChargedBack(after) && !isChargedBack(before)
}

/** Returns the outcome for an order with its charged-back payment; undefined when it has ended, or when its other
 * payments still cover the total. */
export function chargebackOutcome(
  order: Order,
  shipment: Shipment | undefined,
): ChargebackOutcome | undefined {
  if (hasEnded(order.status) || statusByPayments(order) === 'paid') return undefined
  // Deliveries by the marketplace's own transport are covered, too: they are proven, and cannot be called back.
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

/** Whether a label was printed, so that the carrier may have the parcel. */
function isPrinted({ status, substatus, details }: Shipment): boolean {
  if (status === 'cancelled') return false
  if (details.date_first_printed !== undefined) return true
  return status === 'ready_to_ship' ? !beforePrinting.includes(substatus) : wasSent(status)
}

/** Returns the order after the outcome. Except for `cancel`, its status follows from the payments. */
export function orderAfterChargeback(
  order: Order,
  {
    outcome,
    paymentId,
    now,
  }: { outcome: ChargebackOutcome | undefined; paymentId: number; now: Date },
): Order {
  if (outcome === 'cancel') {
    const cancel_detail = order.details.cancel_detail ?? causeOf(order, now)
    return transitionOrder(
      { ...order, details: { ...order.details, cancel_detail } },
      'cancelled',
      now,
    )
  }
  const marked = outcome === undefined ? order : withOutcome(order, outcome, paymentId)
  return applyPaymentStatus(marked, now)
}

/** Returns the order after the outcome of a chargeback. A covered one reimburses the payment; one that the seller
 * refunds leaves only a tag. */
function withOutcome(order: Order, outcome: ChargebackOutcome, paymentId: number): Order {
  const withTag = (tag: string) => [...new Set([...order.tags, tag])]
  if (outcome === 'seller_refunds') return { ...order, tags: withTag('chargeback_not_covered') }
  if (outcome !== 'covered') return order
  const payments = order.payments.map((payment) =>
    payment.id === paymentId ? withReimbursement(payment) : payment,
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

/** Substatuses in which the carrier cannot return the parcel: it is on its way back, or it is lost. */
const unreturnableSubstatuses: readonly (ShipmentSubstatus | null)[] = [
  'returning_to_sender',
  'returned',
  'stolen',
  'confiscated',
  'destroyed',
]

/** Returns the shipment after the outcome, or the same object when nothing changes. `isEmpty` says that all orders
 * inside have ended. */
export function shipmentAfterChargeback(
  shipment: Shipment,
  {
    outcome,
    isEmpty,
    now,
  }: { outcome: ChargebackOutcome | undefined; isEmpty: boolean; now: Date },
): Shipment {
  const { status, substatus } = shipment
  if (shipmentHasEnded(status)) return shipment
  if (outcome === 'cancel' && isEmpty) {
    return movedShipment(shipment, { status: 'cancelled', substatus: null }, now)
  }
  if (outcome !== 'return' || unreturnableSubstatuses.includes(substatus)) return shipment
  return movedShipment(shipment, { status, substatus: 'returning_to_sender' }, now)
}
