import type { ClaimBody } from '../../claims/bodies.ts'
import type { ClaimOpener } from '../../claims/claim.ts'
import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts'
import type { DemoSale } from './sale.ts'

/** Claims of demo sales. */

type ClaimStage = 'claim' | 'dispute'
type Resolution = NonNullable<ClaimBody['resolution']>

/** Reasons: a product that is not as described, and one that did not arrive. */
const reasons = { other: 'PDD9939', missing: 'PNR3430' } as const

/** Opens a claim between the parties. A `dispute` then goes to the platform. */
export function openClaim(
  sale: DemoSale,
  { by, stage = 'claim', ...body }: { by: ClaimOpener; stage?: ClaimStage } & Partial<ClaimBody>,
): void {
  const reason_id = sale.shipment?.status === 'shipped' ? reasons.missing : reasons.other
  sale.afterDelay(6 * hourMs, 3 * dayMs, (at) =>
    sale.updateClaim(at, { type: 'mediations', opened_by: by, reason_id, ...body }),
  )
  if (stage === 'claim') return
  sale.afterDelay(dayMs, 3 * dayMs, (at) => sale.updateClaim(at, { stage }))
}

/** Closes the claim with a resolution. */
export function resolveClaim(sale: DemoSale, resolution: Resolution = refundResolution): void {
  sale.afterDelay(dayMs, 4 * dayMs, (at) => sale.updateClaim(at, { status: 'closed', resolution }))
}

const refundResolution: Resolution = {
  reason: 'payment_refunded',
  benefited: ['complainant'],
  closed_by: 'respondent',
}

/** The platform decides and covers the refund. */
export const coveredRefund: Resolution = {
  ...refundResolution,
  closed_by: 'mediator',
  applied_coverage: true,
}

export const rejectedResolution: Resolution = {
  reason: 'claim_rejected',
  benefited: ['respondent'],
  closed_by: 'mediator',
}

export const agreedResolution: Resolution = {
  reason: 'worked_out_between_parties',
  benefited: ['complainant', 'respondent'],
  closed_by: 'complainant',
}

/** Opens the closed claim again. */
export function reopenClaim(sale: DemoSale): void {
  sale.afterDelay(hourMs, 2 * dayMs, (at) => sale.updateClaim(at, { status: 'opened' }))
}

/** Opens and closes the claim of a requested cancellation, which needs no discussion. */
export function addCancellationClaim(sale: DemoSale, by: ClaimOpener): void {
  const type = by === 'buyer' ? 'cancel_purchase' : 'cancel_sale'
  sale.afterDelay(hourMs, 12 * hourMs, (at) => sale.updateClaim(at, { type }))
  sale.afterDelay(minuteMs, 2 * minuteMs, (at) =>
    sale.updateClaim(at, {
      status: 'closed',
      resolution: { ...refundResolution, closed_by: 'complainant' },
    }),
  )
}
