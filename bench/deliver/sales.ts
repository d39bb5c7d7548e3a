import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { monotonicMs } from './clock.ts'

/** A seller with what they have on sale. */
export interface BenchShop {
  itemIds: readonly string[]
}

/** A sale that was acknowledged. */
export interface AcknowledgedSale {
  /** Index of its shop. */
  shop: number
  orderId: number
  shipmentId: number
  itemIds: readonly string[]
  /** When its request was sent and when its answer came, on `monotonicMs`. */
  sentAt: number
  acknowledgedAt: number
}

/** What came of the sales that were due. */
export interface SalesResult {
  sales: AcknowledgedSale[]
  /** Sales that were refused or whose answer was lost. */
  failed: number
  /** Sales that were not sent, because too many were under way. */
  notSent: number
}

const connections = 200
const maxInFlight = 500

export interface SalesPlan {
  shops: readonly BenchShop[]
  buyerIds: readonly number[]
  token: string
  linesPerSale: number
  perSecond: number
  seconds: number
}

/**
 * Sells at a steady rate, one shop after the other, as a marketplace's checkout does: each request is sent when it is
 * due, whether or not the one before has been answered.
 */
export async function sellSteadily(address: string, plan: SalesPlan): Promise<SalesResult> {
  const { shops, buyerIds, token, linesPerSale, perSecond, seconds } = plan
  const pool = new Pool(address, { connections })
  const written: SalesResult = { sales: [], failed: 0, notSent: 0 }
  const underWay = new Set<Promise<void>>()
  const sell = async (n: number) => {
    const shop = n % shops.length
    const { itemIds: onSale } = shops[shop] as BenchShop
    const round = Math.floor(n / shops.length)
    const itemIds = Array.from(
      { length: linesPerSale },
      (_, line) => onSale[(round * linesPerSale + line) % onSale.length] as string,
    )
    const sentAt = monotonicMs()
    try {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/operator/orders',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          buyer_id: buyerIds[n % buyerIds.length],
          currency_id: 'ARS',
          lines: itemIds.map((item_id) => ({ item_id, quantity: 1 })),
          shipping: { mode: 'me2', logistic_type: 'drop_off', cost: 990.5 },
        }),
      })
      const acknowledgedAt = monotonicMs()
      const text = await body.text()
      if (statusCode !== 201) throw new Error(`${statusCode}: ${text}`)
      const { id: orderId, shipping } = JSON.parse(text)
      written.sales.push({
        shop,
        orderId,
        shipmentId: shipping.id,
        itemIds,
        sentAt,
        acknowledgedAt,
      })
    } catch {
      written.failed++
    }
  }
  const beganAt = monotonicMs()
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = beganAt + (n / perSecond) * 1_000 - monotonicMs()
    if (wait > 1) await pause(wait)
    if (underWay.size >= maxInFlight) {
      written.notSent++
      continue
    }
    const one = sell(n).finally(() => underWay.delete(one))
    underWay.add(one)
  }
  await Promise.all(underWay)
  await pool.close()
  return written
}
