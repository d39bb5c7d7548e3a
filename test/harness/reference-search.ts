import { fold, wordsOf } from '../../src/kernel/text.ts'
import { type Order, totalAmount } from '../../src/orders/order.ts'
import { variedNickname } from './varied-orders.ts'

/** Searches as anybody would write them down who had all orders before him: what the real ones are
 * held to. */

export interface ReferenceSearch {
  isSeller: boolean
  userId: number
  counterpartyId: number | null
  filters: Readonly<Record<string, string>>
  sort: string
}

export function referenceSearch(orders: readonly Order[], of: ReferenceSearch): Order[] {
  const { isSeller, userId, counterpartyId, filters, sort } = of
  const matchingOrders = orders.filter((order) => {
    const [mine, theirs] = isSeller
      ? [order.sellerId, order.buyerId]
      : [order.buyerId, order.sellerId]
    if (mine !== userId || (counterpartyId !== null && theirs !== counterpartyId)) return false
    const isCancelled = order.status === 'cancelled' || order.status === 'manually_cancelled'
    if (isSeller && !filters['order.status'] && isCancelled) return false
    return (
      Object.entries(filters).every(([name, text]) =>
        orderMatchesFilter(order, { name, text, isSeller }),
      ) && hasMatchingClaim(order, filters)
    )
  })
  const by = sort.startsWith('total')
    ? (order: Order) => totalAmount(order).toNumber()
    : sort.startsWith('last')
      ? (order: Order) => order.lastUpdated.getTime()
      : (order: Order) => ((isSeller && order.dateClosed) || order.dateCreated).getTime()
  const sign = sort.endsWith('desc') ? -1 : 1
  return matchingOrders.sort((a, b) => sign * (by(a) - by(b) || a.id - b.id))
}

export function orderMatchesFilter(
  order: Order,
  of: { name: string; text: string; isSeller: boolean },
): boolean {
  const { name, text, isSeller } = of
  const list = text.split(',')
  const { feedback, mediations, shipping } = order.parts
  const own = isSeller ? feedback.sale : feedback.purchase
  const other = isSeller ? feedback.purchase : feedback.sale
  const sale = isSeller || feedback.isFreed ? feedback.sale : null
  const purchase = !isSeller || feedback.isFreed ? feedback.purchase : null
  const isTrue = text === 'true' || text === 'T'
  const range = /^order\.date_(created|closed|last_updated)\.(from|to)$/.exec(name)
  if (range) {
    const [, field, side] = range
    const at = {
      created: order.dateCreated,
      closed: order.dateClosed,
      last_updated: order.lastUpdated,
    }[field as 'created'] as Date | null
    return at !== null && (side === 'from' ? at >= new Date(text) : at <= new Date(text))
  }
  switch (name) {
    case 'tags':
      return list.every((tag) => order.tags.includes(tag))
    case 'tags.not':
      return !list.some((tag) => order.tags.includes(tag))
    case 'order.status':
      return list.includes(order.status)
    case 'shipping.status':
      return list.includes(shipping?.status ?? 'to_be_agreed')
    case 'shipping.substatus':
      return shipping?.substatus != null && list.includes(shipping.substatus)
    case 'shipping.service_id':
      return shipping?.serviceId != null && list.includes(String(shipping.serviceId))
    case 'mediations.stage':
      return mediations.some(({ stage }) => list.includes(stage))
    case 'mediations.status':
      return mediations.some((claim) => list.some((word) => matchesClaimFilter(claim, word)))
    case 'feedback.status': {
      const waiting = isSeller ? 'waiting_buyer' : 'waiting_seller'
      return list.includes(!own ? 'pending' : other ? 'completed' : waiting)
    }
    case 'feedback.sale.rating':
      return sale !== null && list.includes(sale.rating)
    case 'feedback.purchase.rating':
      return purchase !== null && list.includes(purchase.rating)
    case 'feedback.sale.fulfilled':
      return sale !== null && sale.fulfilled === isTrue
    case 'feedback.purchase.fulfilled':
      return purchase !== null && purchase.fulfilled === isTrue
    case 'item':
      return hasItemText(order, text)
    case 'q': {
      const nickname = fold(variedNickname(isSeller ? order.buyerId : order.sellerId))
      const isKnown = order.status !== 'payment_required'
      return (
        String(order.id) === text ||
        hasItemText(order, text) ||
        (isKnown && nickname.startsWith(fold(text)))
      )
    }
    default:
      throw new Error(name)
  }
}

type Claim = Order['parts']['mediations'][number]

function matchesClaimFilter({ stage, status, openedBy }: Claim, word: string): boolean {
  switch (word) {
    case 'opened':
    case 'closed':
      return status === word
    case 'claim_opened':
      return stage === 'claim' && status === 'opened'
    case 'dispute_opened':
      return stage === 'dispute' && status === 'opened' && openedBy === 'buyer'
    case 'seller_dispute_closed':
      return stage === 'dispute' && status === 'closed' && openedBy === 'seller'
    default:
      throw new Error(word)
  }
}

function hasMatchingClaim({ parts }: Order, filters: ReferenceSearch['filters']): boolean {
  const [stages, words] = [filters['mediations.stage'], filters['mediations.status']]
  if (!stages || !words) return true
  return parts.mediations.some(
    (claim) =>
      stages.split(',').includes(claim.stage) &&
      words.split(',').some((word) => matchesClaimFilter(claim, word)),
  )
}

function hasItemText({ items }: Order, text: string): boolean {
  if (items.some(({ item }) => item.id.toLowerCase() === text.toLowerCase())) return true
  const words = wordsOf(items.map(({ item }) => item.title).join(' '))
  const wanted = wordsOf(text)
  return wanted.length > 0 && wanted.every((word) => words.includes(word))
}
