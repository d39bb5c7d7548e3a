import { dayMs } from '../kernel/clock.ts'
import {
  guidedMode,
  isExcepted,
  isInWarehouse,
  isOver,
  isUnpaid,
  openMediation,
  type Sale,
  type Viewpoint,
} from './sale.ts'

/** Reasons why a conversation is blocked. Only the action guide uses the last one. */
export const substatuses = [
  'blocked_by_mediation',
  'blocked_by_fulfillment',
  'blocked_by_restrictions',
  'blocked_by_buyer',
  'blocked_by_deactivated_account',
  'blocked_by_conversation_expired',
  'blocked_by_payment',
  'blocked_by_cancelled_order_by_fraud',
  'blocked_by_refund',
  'blocked_by_cancelled_order',
  'blocked_by_time',
  'blocked_by_conversation_initiated_by_seller_limited',
  'blocked_by_conversation_initiated_by_seller',
  'blocked_by_conversation_use_message_api',
] as const
export type Substatus = (typeof substatuses)[number]

/** Blocks that the operator may set. */
export const blocks = ['blocked_by_buyer', 'blocked_by_restrictions'] as const
export type Block = (typeof blocks)[number]

/** The stored facts of a conversation. */
export interface Thread {
  lastMessageAt: Date | null
  buyerWroteAt: Date | null
  block: Block | null
  blockedAt: Date | null
  /** How often each option of the action guide was used. */
  spent: Readonly<Record<string, number>>
}

/** A conversation without messages or blocks. */
export const untouched: Thread = {
  lastMessageAt: null,
  buyerWroteAt: null,
  block: null,
  blockedAt: null,
  spent: {},
}

export interface ConversationStatus {
  status: 'active' | 'blocked'
  substatus: Substatus | null
  since: Date
  claimId: number | null
  shippingId: number | null
}

/** The seller may not write after this silence. */
const silenceMs = 30 * dayMs
/** A conversation ends this many months after its newest order. */
const expiresMonths = 18

export interface Facts {
  sale: Sale
  thread: Thread
  viewpoint: Viewpoint
  /** Whether the seller may still send an option of the action guide. */
  hasOptions: boolean
  now: Date
}

/** Returns since when a rule holds, or undefined. */
type Rule = (facts: Facts) => Date | undefined

/**
 * The first rule that holds gives the substatus. Order: substatuses that have an error text of their own, then those
 * that block both parties, then those that block only the seller.
 */
const rules: readonly [Substatus, Rule][] = [
  // A mediation blocks messages only on this site.
  [
    'blocked_by_mediation',
    ({ sale }) =>
      sinceIf(sale.siteId === 'MLB' && openMediation(sale) !== undefined, () => lastChange(sale)),
  ],
  [
    'blocked_by_fulfillment',
    ({ sale }) => sinceIf(isInWarehouse(sale) && !isOver(sale), () => newest(sale)),
  ],
  ['blocked_by_restrictions', setBy('blocked_by_restrictions')],
  // Only the seller is blocked: a buyer who blocked a seller may still write.
  ['blocked_by_buyer', forSeller(setBy('blocked_by_buyer'))],
  ['blocked_by_deactivated_account', ({ sale }) => sinceIf(sale.isDeserted, () => newest(sale))],
  ['blocked_by_conversation_expired', hasExpired],
  ['blocked_by_payment', ({ sale }) => sinceIf(isUnpaid(sale), () => newest(sale))],
  [
    'blocked_by_cancelled_order_by_fraud',
    endedWith(({ cancelGroup, isFraudRisk }) => cancelGroup === 'fraud' || isFraudRisk),
  ],
  ['blocked_by_refund', endedWith(({ isRefunded }) => isRefunded)],
  ['blocked_by_cancelled_order', endedWith(() => true)],
  ['blocked_by_time', forSeller(isSilent)],
  ['blocked_by_conversation_initiated_by_seller_limited', forSeller(mustUse(true))],
  ['blocked_by_conversation_initiated_by_seller', forSeller(mustUse(false))],
]

/** Returns the state of a conversation for one of its parties. */
export function statusOf(facts: Facts): ConversationStatus {
  const { sale, thread } = facts
  for (const [substatus, rule] of rules) {
    const since = rule(facts)
    if (!since) continue
    const isDispute = substatus === 'blocked_by_mediation'
    const isShipping = substatus === 'blocked_by_fulfillment'
    return {
      status: 'blocked',
      substatus,
      since,
      claimId: isDispute ? (openMediation(sale)?.id ?? null) : null,
      shippingId: isShipping ? (sale.shipment?.id ?? null) : null,
    }
  }
  const since = thread.lastMessageAt ?? newest(sale)
  return { status: 'active', substatus: null, since, claimId: null, shippingId: null }
}

/** Returns whether the seller may write only through the action guide, until the buyer has written. */
export function isBoundToGuide({ sale, thread }: Pick<Facts, 'sale' | 'thread'>): boolean {
  return guidedMode(sale) !== null && !isExcepted(sale) && thread.buyerWroteAt === null
}

function forSeller(rule: Rule): Rule {
  return (facts) => (facts.viewpoint === 'seller' ? rule(facts) : undefined)
}

function setBy(block: Thread['block']): Rule {
  return ({ thread }) => (thread.block === block ? (thread.blockedAt ?? undefined) : undefined)
}

function endedWith(is: (order: Sale['orders'][number]) => boolean): Rule {
  return ({ sale }) => sinceIf(isOver(sale) && sale.orders.some(is), () => lastChange(sale))
}

function mustUse(hasOptions: boolean): Rule {
  return (facts) =>
    sinceIf(
      isBoundToGuide(facts) && facts.hasOptions === hasOptions,
      () => facts.thread.lastMessageAt ?? newest(facts.sale),
    )
}

/** 30 days without a message. The next message of the buyer opens the conversation again. */
function isSilent({ sale, thread, now }: Facts): Date | undefined {
  const silentSince = (thread.lastMessageAt ?? newest(sale)).getTime() + silenceMs
  return sinceIf(now.getTime() >= silentSince, () => new Date(silentSince))
}

function hasExpired({ sale, now }: Facts): Date | undefined {
  const end = newest(sale)
  end.setUTCMonth(end.getUTCMonth() + expiresMonths)
  return sinceIf(now >= end, () => end)
}

function sinceIf(isActive: boolean, since: () => Date): Date | undefined {
  return isActive ? since() : undefined
}

const newest = ({ orders }: Sale) => latest(orders.map(({ dateCreated }) => dateCreated))
const lastChange = ({ orders }: Sale) => latest(orders.map(({ lastUpdated }) => lastUpdated))
const latest = (dates: readonly Date[]) => new Date(Math.max(...dates.map(Number)))
