/**
 * The statuses of an order (contract 3.1; wire 2 adds `partially_refunded` and `pending_cancel`). This is
 * the one list of them: rules that treat several statuses alike take a set from this file.
 * docs/development.md says how to add one.
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

/** Whatever has not ended may end. */
const endings = ['cancelled', 'manually_cancelled', 'invalid'] as const

/** What may follow what. A status that nothing follows ends the order. `docs/orders.md` draws it. */
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

/** How far a sale is. Statuses of one phase are treated alike wherever a rule goes by the phase. */
export type OrderPhase =
  | 'awaiting_payment'
  | 'confirmed'
  | 'paid'
  | 'cancelling'
  | 'cancelled'
  | 'invalid'

interface Meaning {
  phase: OrderPhase
  /** Whether `date_closed` is set and the stock taken when an order first comes to it (contract 2.2). */
  closes: boolean
  /** Whether a party sees only the id of the other (contract 3.1). */
  hidesParties: boolean
}

// biome-ignore format: a table, one status a line
const meanings: Readonly<Record<OrderStatus, Meaning>> = {
  payment_required:   { phase: 'awaiting_payment', closes: false, hidesParties: true },
  confirmed:          { phase: 'confirmed',        closes: true,  hidesParties: false },
  payment_in_process: { phase: 'awaiting_payment', closes: false, hidesParties: false },
  partially_paid:     { phase: 'awaiting_payment', closes: false, hidesParties: false },
  paid:               { phase: 'paid',             closes: true,  hidesParties: false },
  partially_refunded: { phase: 'paid',             closes: false, hidesParties: false },
  pending_cancel:     { phase: 'cancelling',       closes: false, hidesParties: false },
  cancelled:          { phase: 'cancelled',        closes: false, hidesParties: false },
  manually_cancelled: { phase: 'cancelled',        closes: false, hidesParties: false },
  invalid:            { phase: 'invalid',          closes: false, hidesParties: false },
}

/** The statuses with which a checkout may create an order. */
export const firstStatuses = ['confirmed', 'payment_required'] as const satisfies OrderStatus[]

/** The statuses that nothing follows. */
export const endedStatuses: readonly OrderStatus[] = orderStatuses.filter(hasEnded)

export function phaseOf(status: OrderStatus): OrderPhase {
  return meanings[status].phase
}

export function canBecome(from: OrderStatus, to: OrderStatus): boolean {
  return transitions[from].includes(to)
}

export function hasEnded(status: OrderStatus): boolean {
  return transitions[status].length === 0
}

/** Whether the order was cancelled, by whomever. An `invalid` one was not: it never was a sale. */
export function isCancelled(status: OrderStatus): boolean {
  return phaseOf(status) === 'cancelled'
}

/** Whether the money for the sale has come, apart from what was given back. */
export function isPaid(status: OrderStatus): boolean {
  return phaseOf(status) === 'paid'
}

export function awaitsPayment(status: OrderStatus): boolean {
  return phaseOf(status) === 'awaiting_payment'
}

export function isClosing(status: OrderStatus): boolean {
  return meanings[status].closes
}

export function hidesParties(status: OrderStatus): boolean {
  return meanings[status].hidesParties
}
