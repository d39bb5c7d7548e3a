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

/** Why nothing can be said in a conversation (wire 3). The last is the action guide's alone. */
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

/** With what the operator ends a conversation. */
export const blocks = ['blocked_by_buyer', 'blocked_by_restrictions'] as const
export type Block = (typeof blocks)[number]

/** What a conversation itself remembers. */
export interface Thread {
  lastMessageAt: Date | null
  buyerWroteAt: Date | null
  block: Block | null
  blockedAt: Date | null
  /** How often each option of the action guide was used. */
  spent: Readonly<Record<string, number>>
}

/** Before anything was said or set. */
export const untouched: Thread = {
  lastMessageAt: null,
  buyerWroteAt: null,
  block: null,
  blockedAt: null,
  spent: {},
}

/** Contract 2.12. */
export interface ConversationStatus {
  status: 'active' | 'blocked'
  substatus: Substatus | null
  since: Date
  claimId: number | null
  shippingId: number | null
}

const silentMs = 30 * dayMs
const expiresMonths = 18

export interface Facts {
  sale: Sale
  thread: Thread
  viewpoint: Viewpoint
  /** Whether the action guide has something left that the seller may send. */
  hasOptions: boolean
  now: Date
}

/** Since when a rule holds; undefined when it does not. */
type Rule = (facts: Facts) => Date | undefined

/**
 * The rules, the first that holds names the substatus: what has words of its own when a message is
 * refused (wire 1), then what ends a conversation for both, then what only its seller must wait for.
 */
const rules: readonly [Substatus, Rule][] = [
  // Contract 7.3: on this site alone.
  [
    'blocked_by_mediation',
    ({ sale }) =>
      when(sale.siteId === 'MLB' && openMediation(sale) !== undefined, () => lastChange(sale)),
  ],
  [
    'blocked_by_fulfillment',
    ({ sale }) => when(isInWarehouse(sale) && !isOver(sale), () => newest(sale)),
  ],
  ['blocked_by_restrictions', setBy('blocked_by_restrictions')],
  // Whoever blocked a seller may still write, which says more than the block does.
  ['blocked_by_buyer', forSeller(setBy('blocked_by_buyer'))],
  ['blocked_by_deactivated_account', ({ sale }) => when(sale.isDeserted, () => newest(sale))],
  ['blocked_by_conversation_expired', hasExpired],
  ['blocked_by_payment', ({ sale }) => when(isUnpaid(sale), () => newest(sale))],
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

/** Where a conversation stands for one of its parties, by pure rules (wire 3). */
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

/** Whether the seller must begin by the action guide, or wait for the buyer's answer (contract 3.3 and
 * 4.1, rule 3). */
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
  return ({ sale }) => when(isOver(sale) && sale.orders.some(is), () => lastChange(sale))
}

function mustUse(hasOptions: boolean): Rule {
  return (facts) =>
    when(
      isBoundToGuide(facts) && facts.hasOptions === hasOptions,
      () => facts.thread.lastMessageAt ?? newest(facts.sale),
    )
}

/** Nobody has said anything for 30 days; what the buyer writes opens it again. */
function isSilent({ sale, thread, now }: Facts): Date | undefined {
  const silentSince = (thread.lastMessageAt ?? newest(sale)).getTime() + silentMs
  return when(now.getTime() >= silentSince, () => new Date(silentSince))
}

function hasExpired({ sale, now }: Facts): Date | undefined {
  const end = newest(sale)
  end.setUTCMonth(end.getUTCMonth() + expiresMonths)
  return when(now >= end, () => end)
}

function when(holds: boolean, since: () => Date): Date | undefined {
  return holds ? since() : undefined
}

const newest = ({ orders }: Sale) => latest(orders.map(({ dateCreated }) => dateCreated))
const lastChange = ({ orders }: Sale) => latest(orders.map(({ lastUpdated }) => lastUpdated))
const latest = (dates: readonly Date[]) => new Date(Math.max(...dates.map(Number)))
