import type { ClaimBody } from '../../claims/bodies.ts'
import type { FeedbackRole, RatingBody } from '../../feedback/feedback.ts'
import type { OrderPatch } from '../../orders/commands/bodies.ts'
import type { PaymentUpdate } from '../../orders/payment.ts'
import type { ShipmentPatch } from '../../shipments/patch.ts'

/** What a user or the operator does to a sale. `index` counts the orders of the pack and `paymentIndex` the payments of
 * an order, from 0. */
export type SaleAction =
  | { kind: 'payment'; index: number; paymentIndex: number; news: PaymentUpdate }
  | { kind: 'change'; index: number; patch: OrderPatch }
  | { kind: 'shipment'; patch: ShipmentPatch }
  | { kind: 'claim'; body: ClaimBody }
  | { kind: 'rating'; index: number; role: FeedbackRole; rating: RatingBody }
  | { kind: 'second_rating'; index: number; role: FeedbackRole; rating: Partial<RatingBody> }
  | { kind: 'reply'; index: number; role: FeedbackRole; reply: string }
