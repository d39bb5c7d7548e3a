import { dayMs } from '../kernel/clock.ts'
import {
  type ConversationParty,
  type ConversationSale,
  findOpenMediation,
  guidedMode,
  isExemptFromGuide,
  isInWarehouse,
  isSaleOver,
  isUnpaid,
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
export const conversationBlocks = ['blocked_by_buyer', 'blocked_by_restrictions'] as const
export type ConversationBlock = (typeof conversationBlocks)[number]

/** The stored facts of a conversation. */
export interface ConversationRecord {
  lastMessageAt: Date | null
  buyerWroteAt: Date | null
  block: ConversationBlock | null
  blockedAt: Date | null
  /** How often each option of the action guide was used. */
  spent: Readonly<Record<string, number>>
}

/** A conversation without messages or blocks. */
export const emptyConversation: ConversationRecord = {
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

export interface ConversationFacts {
  sale: ConversationSale
  thread: ConversationRecord
  viewpoint: ConversationParty
  /** Whether the seller may still send an option of the action guide. */
  hasOptions: boolean
  now: Date
}

/** Returns since when a rule holds, or undefined. */
type BlockRule = (facts: ConversationFacts) => Date | undefined

/**
 * The first rule that holds gives the substatus. Order: substatuses that have an error text of their own, then those
 * that block both parties, then those that block only the seller.
 */
const blockRules: readonly [Substatus, BlockRule][] = [
  // A mediation blocks messages only on this site.
  [
    'blocked_by_mediation',
    ({ sale }) =>
      sinceIf(sale.siteId === 'MLB' && findOpenMediation(sale) !== undefined, () =>
        lastChange(sale),
      ),
  ],
  [
    'blocked_by_fulfillment',
    ({ sale }) => sinceIf(isInWarehouse(sale) && !isSaleOver(sale), () => newest(sale)),
  ],
  ['blocked_by_restrictions', operatorBlock('blocked_by_restrictions')],
  // Only the seller is blocked: a buyer who blocked a seller may still write.
  ['blocked_by_buyer', sellerOnly(operatorBlock('blocked_by_buyer'))],
  ['blocked_by_deactivated_account', ({ sale }) => sinceIf(sale.isDeserted, () => newest(sale))],
  ['blocked_by_conversation_expired', expiredSince],
  ['blocked_by_payment', ({ sale }) => sinceIf(isUnpaid(sale), () => newest(sale))],
  [
    'blocked_by_cancelled_order_by_fraud',
    cancelledWith(({ cancelGroup, isFraudRisk }) => cancelGroup === 'fraud' || isFraudRisk),
  ],
  ['blocked_by_refund', cancelledWith(({ isRefunded }) => isRefunded)],
  ['blocked_by_cancelled_order', cancelledWith(() => true)],
  ['blocked_by_time', sellerOnly(inactiveSince)],
  ['blocked_by_conversation_initiated_by_seller_limited', sellerOnly(guideRequired(true))],
  ['blocked_by_conversation_initiated_by_seller', sellerOnly(guideRequired(false))],
]

/** Returns the state of a conversation for one of its parties. */
export function conversationStatusOf(facts: ConversationFacts): ConversationStatus {
  const { sale, thread } = facts
  for (const [substatus, rule] of blockRules) {
    const since = rule(facts)
    if (!since) continue
    const isDispute = substatus === 'blocked_by_mediation'
    const isShipping = substatus === 'blocked_by_fulfillment'
    return {
      status: 'blocked',
      substatus,
      since,
      claimId: isDispute ? (findOpenMediation(sale)?.id ?? null) : null,
      shippingId: isShipping ? (sale.shipment?.id ?? null) : null,
    }
  }
  const since = thread.lastMessageAt ?? newest(sale)
  return { status: 'active', substatus: null, since, claimId: null, shippingId: null }
}

/** Returns whether the seller may write only through the action guide, until the buyer has written. */
export function isBoundToGuide({
  sale,
  thread,
}: Pick<ConversationFacts, 'sale' | 'thread'>): boolean {
  return guidedMode(sale) !== null && !isExemptFromGuide(sale) && thread.buyerWroteAt === null
}

function sellerOnly(rule: BlockRule): BlockRule {
  return (facts) => (facts.viewpoint === 'seller' ? rule(facts) : undefined)
}

function operatorBlock(block: ConversationRecord['block']): BlockRule {
  return ({ thread }) => (thread.block === block ? (thread.blockedAt ?? undefined) : undefined)
}

function cancelledWith(is: (order: ConversationSale['orders'][number]) => boolean): BlockRule {
  return ({ sale }) => sinceIf(isSaleOver(sale) && sale.orders.some(is), () => lastChange(sale))
}

function guideRequired(hasOptions: boolean): BlockRule {
  return (facts) =>
    sinceIf(
      isBoundToGuide(facts) && facts.hasOptions === hasOptions,
      () => facts.thread.lastMessageAt ?? newest(facts.sale),
    )
}

/** 30 days without a message. The next message of the buyer opens the conversation again. */
function inactiveSince({ sale, thread, now }: ConversationFacts): Date | undefined {
  const silentSince = (thread.lastMessageAt ?? newest(sale)).getTime() + silenceMs
  return sinceIf(now.getTime() >= silentSince, () => new Date(silentSince))
}

function expiredSince({ sale, now }: ConversationFacts): Date | undefined {
  const end = newest(sale)
  end.setUTCMonth(end.getUTCMonth() + expiresMonths)
  return sinceIf(now >= end, () => end)
}

function sinceIf(isActive: boolean, since: () => Date): Date | undefined {
  return isActive ? since() : undefined
}

const newest = ({ orders }: ConversationSale) =>
  latest(orders.map(({ dateCreated }) => dateCreated))
const lastChange = ({ orders }: ConversationSale) =>
  latest(orders.map(({ lastUpdated }) => lastUpdated))
const latest = (dates: readonly Date[]) => new Date(Math.max(...dates.map(Number)))
