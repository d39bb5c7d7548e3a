import type { ClaimBody } from '../../../claims/bodies.ts'
import type { Opener } from '../../../claims/claim.ts'
import { dayMs, hourMs, minuteMs } from '../../../kernel/clock.ts'
import type { Sale } from '../sale.ts'

/** Claims of demo sales. */

type Stage = 'claim' | 'dispute'
type Resolution = NonNullable<ClaimBody['resolution']>

/** Reasons: a product that is not as described, and one that did not arrive. */
const reasons = { other: 'PDD9939', missing: 'PNR3430' } as const

/** Opens a claim between the parties. A `dispute` then goes to the platform. */
export function claims(
  sale: Sale,
  { by, stage = 'claim', ...body }: { by: Opener; stage?: Stage } & Partial<ClaimBody>,
): void {
  const reason_id = sale.shipment?.status === 'shipped' ? reasons.missing : reasons.other
  sale.later(6 * hourMs, 3 * dayMs, (at) =>
    sale.claim(at, { type: 'mediations', opened_by: by, reason_id, ...body }),
  )
  if (stage === 'claim') return
  sale.later(dayMs, 3 * dayMs, (at) => sale.claim(at, { stage }))
}

/** Closes the claim with a resolution. */
export function resolveClaim(sale: Sale, resolution: Resolution = refund): void {
  sale.later(dayMs, 4 * dayMs, (at) => sale.claim(at, { status: 'closed', resolution }))
}

export const refund: Resolution = {
  reason: 'payment_refunded',
  benefited: ['complainant'],
  closed_by: 'respondent',
}

/** The platform decides and covers the refund. */
export const covered: Resolution = { ...refund, closed_by: 'mediator', applied_coverage: true }

export const rejected: Resolution = {
  reason: 'claim_rejected',
  benefited: ['respondent'],
  closed_by: 'mediator',
}

export const workedOut: Resolution = {
  reason: 'worked_out_between_parties',
  benefited: ['complainant', 'respondent'],
  closed_by: 'complainant',
}

/** Opens the closed claim again. */
export function reopens(sale: Sale): void {
  sale.later(hourMs, 2 * dayMs, (at) => sale.claim(at, { status: 'opened' }))
}

/** Opens and closes the claim of a requested cancellation, which needs no discussion. */
export function calledOff(sale: Sale, by: Opener): void {
  const type = by === 'buyer' ? 'cancel_purchase' : 'cancel_sale'
  sale.later(hourMs, 12 * hourMs, (at) => sale.claim(at, { type }))
  sale.later(minuteMs, 2 * minuteMs, (at) =>
    sale.claim(at, { status: 'closed', resolution: { ...refund, closed_by: 'complainant' } }),
  )
}
