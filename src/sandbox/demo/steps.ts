import type { ClaimBody } from '../../claims/bodies.ts'
import type { FeedbackRole, RatingBody } from '../../feedback/feedback.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../kernel/clock.ts'
import { sites } from '../../kernel/sites.ts'
import type { OrderPatch } from '../../orders/commands/bodies.ts'
import { type DemoFiles, demoFiles, type StepArguments, type StepKind } from './data.ts'
import {
  addRejectedPayment,
  overpay,
  payInFull,
  payInTwoParts,
  refundAll,
  refundPart,
  startPayment,
} from './payments.ts'
import type { DemoSale } from './sale.ts'

/** What the steps of a scenario do to a sale. Their delays are random, between two fixed ends. */

type Resolution = NonNullable<ClaimBody['resolution']>
type CancelDetail = NonNullable<OrderPatch['cancel_detail']>

const executors: {
  readonly [Kind in StepKind]: (sale: DemoSale, argument: StepArguments[Kind]) => void
} = {
  pay: (sale, method) => payInFull(sale, method === 'any' ? undefined : method),
  start_payment: (sale, { by, ...state }) => startPayment(sale, by, state),
  reject_payment: (sale, then) => addRejectedPayment(sale, then === 'then_paid'),
  pay_in_two: payInTwoParts,
  overpay,
  refund_percent: refundPart,
  ship: moveShipment,
  cancel: cancelOrders,
  change: changeSale,
  request: requestChange,
  notes: addNotes,
  open_claim: openClaim,
  dispute_claim: (sale) =>
    sale.afterDelay(dayMs, 3 * dayMs, (at) => sale.updateClaim(at, { stage: 'dispute' })),
  resolve_claim: (sale, resolution) =>
    sale.afterDelay(dayMs, 4 * dayMs, (at) =>
      sale.updateClaim(at, { status: 'closed', resolution: resolutions[resolution] }),
    ),
  reopen_claim: (sale) =>
    sale.afterDelay(hourMs, 2 * dayMs, (at) => sale.updateClaim(at, { status: 'opened' })),
  claim_cancellation: addCancellationClaim,
  rate: addRating,
  improve_rating: improveRating,
  reply: (sale, role) =>
    sale.afterDelay(hourMs, 5 * dayMs, (at) =>
      sale.reply(at, role, demoFiles().texts.reply[languageOf(sale)]),
    ),
}

/** Executes the steps of a scenario on a sale. */
export function executeSteps(
  sale: DemoSale,
  { steps }: Pick<DemoFiles['scenarios']['scenarios'][number], 'steps'>,
): void {
  for (const step of steps) {
    for (const kind of Object.keys(step) as StepKind[]) execute(sale, kind, step)
  }
}

function execute<Kind extends StepKind>(
  sale: DemoSale,
  kind: Kind,
  step: Partial<Pick<StepArguments, Kind>>,
): void {
  executors[kind](sale, step[kind] as StepArguments[Kind])
}

const languageOf = (sale: DemoSale) => sites[sale.seller.site].language

/** Moves the shipment until `end`, or hands the goods over without one. Items made to order leave after their production. */
function moveShipment(sale: DemoSale, end: StepArguments['ship']): void {
  const { mode, logisticType } = sale.shipment ?? { mode: 'not_specified', logisticType: null }
  const { legs } = demoFiles().shipping
  const isQuick = logisticType === 'fulfillment' || logisticType === 'self_service'
  const route = legs[isQuick ? logisticType : mode]
  const days = sale.orders.flatMap(({ items }) => items.map((line) => line.manufacturing_days ?? 0))
  // Production happens during handling or, without that leg, before the first one.
  const madeAt = route[0]?.status === 'handling' ? 1 : 0
  for (const [index, { status: reached, hours }] of route.entries()) {
    const status = reached === 'delivered' && end === 'not_delivered' ? end : reached
    const madeMs = index === madeAt ? Math.max(...days) * dayMs : 0
    const [leastMs, mostMs] = [madeMs + hours[0] * hourMs, madeMs + hours[1] * hourMs]
    sale.afterDelay(leastMs, mostMs, (at) => sale.updateShipment(at, status))
    if (status === end) return
  }
}

/** Cancels and refunds all orders, or the first ones. If no order is left, the shipment is cancelled or, once sent,
 * returned; a delivered one stays. */
function cancelOrders(
  sale: DemoSale,
  { cause, status = 'cancelled', orders }: StepArguments['cancel'],
): void {
  const ids = sale.orders.slice(0, orders).map((order) => order.id)
  sale.afterDelay(hourMs, dayMs, (at) => {
    const cancel_detail = cancelDetailOf(sale, cause)
    sale.patch(at, ({ id }) => (ids.includes(id) ? { status, cancel_detail } : undefined))
    if (ids.length === sale.orders.length) recallShipment(sale, at)
  })
  sale.afterDelay(1_000, 3_000, (at) => refundAll(sale, at, (id) => ids.includes(id)))
}

function recallShipment(sale: DemoSale, at: Date): void {
  const status = sale.shipment?.status
  if (status === undefined || status === 'delivered') return
  const wasSent = status === 'shipped' || status === 'not_delivered'
  sale.updateShipment(at, wasSent ? 'not_delivered' : 'cancelled')
}

/** Returns the cancellation details of a cause, in the language of the site. */
function cancelDetailOf(sale: DemoSale, cause: string): CancelDetail {
  const cancellation = demoFiles().cancellations[cause]
  if (!cancellation) throw new Error(`the demo data has no cause ${cause}`)
  const { group, code, requested_by, description } = cancellation
  return { group, code, requested_by, description: description[languageOf(sale)] }
}

function changeSale(
  sale: DemoSale,
  { after, payment, order, cause }: StepArguments['change'],
): void {
  const { seconds, minutes, days } = after
  const [[least, most], unitMs] = seconds
    ? [seconds, secondMs]
    : minutes
      ? [minutes, minuteMs]
      : [days ?? ([0, 0] as const), dayMs]
  sale.afterDelay(least * unitMs, most * unitMs, (at) => {
    if (payment) sale.updatePayments(at, () => payment as Parameters<typeof startPayment>[2])
    if (!order) return
    sale.patch(at, cause ? { ...order, cancel_detail: cancelDetailOf(sale, cause) } : order)
  })
}

function requestChange(sale: DemoSale, { kind, status }: StepArguments['request']): void {
  sale.afterDelay(dayMs, 3 * dayMs, (at) => {
    const request = { id: sale.ids.request, status, date_created: at.toISOString() }
    sale.patch(at, { order_request: { change: null, return: null, [kind]: request } })
  })
}

function addNotes(sale: DemoSale): void {
  const notes = demoFiles().texts.notes[languageOf(sale)]
  for (const party of ['seller', 'buyer'] as const) {
    sale.afterDelay(minuteMs, 30 * minuteMs, (at) =>
      sale.addNote(at, sale[party].user.id, notes[party]),
    )
  }
}

/** Reasons: a product that is not as described, and one that did not arrive. */
const claimReasons = { other: 'PDD9939', missing: 'PNR3430' } as const

function openClaim(sale: DemoSale, { by, ...body }: StepArguments['open_claim']): void {
  const reason_id = sale.shipment?.status === 'shipped' ? claimReasons.missing : claimReasons.other
  sale.afterDelay(6 * hourMs, 3 * dayMs, (at) =>
    sale.updateClaim(at, { type: 'mediations', opened_by: by, reason_id, ...body }),
  )
}

const refund: Resolution = {
  reason: 'payment_refunded',
  benefited: ['complainant'],
  closed_by: 'respondent',
}
const resolutions: Record<StepArguments['resolve_claim'], Resolution> = {
  refund,
  /** The platform decides and covers the refund. */
  covered: { ...refund, closed_by: 'mediator', applied_coverage: true },
  rejected: { reason: 'claim_rejected', benefited: ['respondent'], closed_by: 'mediator' },
  agreed: {
    reason: 'worked_out_between_parties',
    benefited: ['complainant', 'respondent'],
    closed_by: 'complainant',
  },
}

function addCancellationClaim(sale: DemoSale, by: StepArguments['claim_cancellation']): void {
  const type = by === 'buyer' ? 'cancel_purchase' : 'cancel_sale'
  sale.afterDelay(hourMs, 12 * hourMs, (at) => sale.updateClaim(at, { type }))
  const resolution = { ...refund, closed_by: 'complainant' } as const
  sale.afterDelay(minuteMs, 2 * minuteMs, (at) =>
    sale.updateClaim(at, { status: 'closed', resolution }),
  )
}

/** Adds a rating by a party some hours later. With a reason it is the rating of an unfulfilled sale, and a seller
 * restocks the item. */
function addRating(
  sale: DemoSale,
  { role, rating = 'positive', unfulfilled }: StepArguments['rate'],
): void {
  const content =
    unfulfilled === undefined
      ? ratingOf(sale, role, rating)
      : {
          ...ratingOf(sale, role, 'negative'),
          fulfilled: false,
          reason: unfulfilled,
          ...(role === 'sale' ? { restock_item: true } : {}),
        }
  sale.afterDelay(hourMs, dayMs, (at) => sale.rate(at, role, content))
}

function ratingOf(sale: DemoSale, role: FeedbackRole, rating: RatingBody['rating']): RatingBody {
  const message = sale.random.pick(demoFiles().texts.ratings[role][rating][languageOf(sale)])
  return { fulfilled: true, rating, message, ...(role === 'sale' ? { restock_item: false } : {}) }
}

/** Changes a rating to a positive one. */
function improveRating(sale: DemoSale, role: FeedbackRole): void {
  const { message } = ratingOf(sale, role, 'positive')
  sale.afterDelay(hourMs, 2 * dayMs, (at) =>
    sale.changeRating(at, role, { rating: 'positive', message }),
  )
}
