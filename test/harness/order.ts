import type { Order, OrderParts } from '../../src/orders/order.ts'
import type { Payment, PaymentStatus } from '../../src/orders/payment.ts'

/** An order of this many pesos for pure rules, which look at no more of it. */
export function minimalOrder(more: Partial<Order> & { total?: number } = {}): Order {
  const { total = 100, ...rest } = more
  return {
    status: 'confirmed',
    items: [{ unit_price: total, quantity: 1 }],
    payments: [],
    tags: [],
    packId: null,
    shipmentId: null,
    dateClosed: null,
    details: {
      coupon: { id: null, amount: 0 },
      discounts: [],
      context: { channel: 'marketplace' },
    },
    ...withOrderParts({}),
    ...rest,
    // The other fields are for readers; no rule looks at them.
  } as unknown as Order
}

export function withOrderParts(more: Partial<OrderParts>): Pick<Order, 'parts'> {
  return {
    parts: {
      feedback: { sale: null, purchase: null, isFreed: false },
      mediations: [],
      shipping: null,
      stock: 'untouched',
      wasPaid: false,
      ...more,
    },
  }
}

const settledStatuses: readonly PaymentStatus[] = ['approved', 'in_mediation']

export function minimalPayment(
  status: PaymentStatus,
  transaction_amount: number,
  transaction_amount_refunded = 0,
): Payment {
  const date_approved = settledStatuses.includes(status) ? '2026-03-10T15:00:00.000Z' : null
  return {
    status,
    transaction_amount,
    transaction_amount_refunded,
    date_approved,
  } as Payment
}
