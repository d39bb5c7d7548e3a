/**
 * All statuses of an order. Rules that treat several statuses alike take a set from this file, so that a new
 * status is added here alone (docs/development.md says how).
 */
export const orderStatuses = [
  'payment_required',
  'confirmed',
  'payment_in_process',
  'partially_paid',
  'paid',
  'partially_refunded',
  'pending_cancel',
  'cancelled',
  'manually_cancelled',
  'invalid',
] as const

export type OrderStatus = (typeof orderStatuses)[number]

/** Every status that is not final may be followed by these. */
const endings = ['cancelled', 'manually_cancelled', 'invalid'] as const

/** The statuses that may follow each status. One without followers is final. `docs/api/orders.md` draws the graph. */
export const transitions: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  payment_required: ['payment_in_process', 'partially_paid', 'paid', 'confirmed', ...endings],
  confirmed: [
    'payment_required',
    'payment_in_process',
    'partially_paid',
    'paid',
    'pending_cancel',
    ...endings,
  ],
  payment_in_process: [
    'payment_required',
    'confirmed',
    'partially_paid',
    'paid',
    'pending_cancel',
    ...endings,
  ],
  partially_paid: [
    'payment_required',
    'confirmed',
    'payment_in_process',
    'paid',
    'pending_cancel',
    ...endings,
  ],
  paid: [
    'confirmed',
    'payment_in_process',
    'partially_paid',
    'partially_refunded',
    'pending_cancel',
    ...endings,
  ],
  partially_refunded: ['paid', 'confirmed', 'payment_in_process', 'pending_cancel', ...endings],
  pending_cancel: ['paid', 'confirmed', ...endings],
  cancelled: [],
  manually_cancelled: [],
  invalid: [],
}

/** The progress of a sale, for rules that do not depend on the exact status. */
export type OrderPhase =
  | 'awaiting_payment'
  | 'confirmed'
  | 'paid'
  | 'cancelling'
  | 'cancelled'
  | 'invalid'

interface StatusTraits {
  phase: OrderPhase
  /** Whether the first change to this status sets `date_closed` and takes the stock. */
  closes: boolean
  /** Whether each party sees only the other's id. */
  hidesParties: boolean
  /** Whether it says that money was paid or refunded. */
  statesPayment: boolean
}

// biome-ignore format: a table, one status a line
const statusTraits: Readonly<Record<OrderStatus, StatusTraits>> = {
  payment_required:   { phase: 'awaiting_payment', closes: false, hidesParties: true,  statesPayment: false },
  confirmed:          { phase: 'confirmed',        closes: true,  hidesParties: false, statesPayment: false },
  payment_in_process: { phase: 'awaiting_payment', closes: false, hidesParties: false, statesPayment: true },
  partially_paid:     { phase: 'awaiting_payment', closes: false, hidesParties: false, statesPayment: true },
  paid:               { phase: 'paid',             closes: true,  hidesParties: false, statesPayment: true },
  partially_refunded: { phase: 'paid',             closes: false, hidesParties: false, statesPayment: true },
  pending_cancel:     { phase: 'cancelling',       closes: false, hidesParties: false, statesPayment: false },
  cancelled:          { phase: 'cancelled',        closes: false, hidesParties: false, statesPayment: false },
  manually_cancelled: { phase: 'cancelled',        closes: false, hidesParties: false, statesPayment: false },
  invalid:            { phase: 'invalid',          closes: false, hidesParties: false, statesPayment: false },
}

/** The statuses with which a checkout may create an order. */
export const initialStatuses = ['confirmed', 'payment_required'] as const satisfies OrderStatus[]

/** The final statuses. */
export const endedStatuses: readonly OrderStatus[] = orderStatuses.filter(hasEnded)

export function phaseOf(status: OrderStatus): OrderPhase {
  return statusTraits[status].phase
}

export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return transitions[from].includes(to)
}

export function hasEnded(status: OrderStatus): boolean {
  return transitions[status].length === 0
}

/** Whether somebody cancelled the order. An `invalid` order never was a sale, so it does not count. */
export function isCancelled(status: OrderStatus): boolean {
  return phaseOf(status) === 'cancelled'
}

/** Whether the sale was paid in full, even if some of the money was refunded later. */
export function isPaid(status: OrderStatus): boolean {
  return phaseOf(status) === 'paid'
}

export function awaitsPayment(status: OrderStatus): boolean {
  return phaseOf(status) === 'awaiting_payment'
}

export function isClosing(status: OrderStatus): boolean {
  return statusTraits[status].closes
}

export function hidesParties(status: OrderStatus): boolean {
  return statusTraits[status].hidesParties
}

/**
 * Whether a change of status says otherwise what was paid. `hasMoney` is a fact of the payments: an order that waits to
 * be cancelled has them as well. Cancelling a paid order changes nothing about them.
 */
export function changesWhatWasPaid(
  { status, hasMoney }: { status: OrderStatus; hasMoney: boolean },
  to: OrderStatus,
): boolean {
  if (status === to) return false
  const isWithdrawn = ['cancelling', 'cancelled', 'invalid'].includes(phaseOf(to))
  const wasPaid = hasMoney || statusTraits[status].statesPayment
  return statusTraits[to].statesPayment || (wasPaid && !isWithdrawn)
}
